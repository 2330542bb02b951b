"""Round robins: the schedule that a group's rounds take their tables from, as it is stored. Pure.

A plan is `{"entries": [ids], "rounds": [[[S, E, N, W], …], …]}`, None for a bot or an empty place.
"""

from typing import Any

from tournaments.schedules import schedule
from tournaments.seating import Draw, DrawError, DrawInput, evaluate

Plan = dict[str, Any]


def make_plan(inputs: DrawInput, rounds: int) -> Plan | None:
    """A plan for those who are to be seated, in so many rounds.

    None where there can be none: for one entry alone, for too many, and where byes are wanted for whom four
    does not divide.
    """
    ids = [entrant.id for entrant in inputs.entrants]
    if inputs.fill == "byes" and len(ids) % (2 if inputs.pairs else 4):
        return None
    partners = inputs.partners and not inputs.pairs
    try:
        made = schedule(len(ids), rounds, seed=inputs.seed, partners=partners, pairs=inputs.pairs)
    except DrawError:
        return None
    tables = [
        [[None if place is None else ids[place] for place in seats] for seats in row] for row in made.rounds
    ]
    return {"entries": ids, "rounds": tables}


def planned(plan: Plan | None, row: int, inputs: DrawInput) -> Draw | None:
    """The round of a plan, counted from 0; None where it has none for exactly these entries."""
    if plan is None or row >= len(plan["rounds"]):
        return None
    if plan["entries"] != [entrant.id for entrant in inputs.entrants]:
        return None
    tables = tuple(tuple(seats) for seats in plan["rounds"][row])
    return Draw(tables, evaluate(inputs, tables))
