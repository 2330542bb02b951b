"""The comparison of `manage.py rating_eval`: which systems, by which parameters, and the report. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ratings import maths
from ratings.evaluation import (
    Bin,
    Outcomes,
    Parameters,
    Predictions,
    Watch,
    behind,
    figures,
    order_dependence,
    pair_bins,
    pair_loss,
    prequential,
    tuned,
    win_bins,
)
from ratings.systems import (
    BradleyTerry,
    LiveElo,
    OpenSkill,
    Result,
    System,
    constant_k,
    openskill_there,
    scheduled_k,
)

OURS, CONSTANT, SCHEDULE = "our Elo", "Elo, constant K", "Elo, K tuned"
PLACKETT_LUCE, THURSTONE, BATCH = "openskill PL", "openskill TM", "Bradley-Terry"
TRUTH, TUNED = "the truth", ", tuned"

Grid = Mapping[str, Sequence[float]]

CONSTANT_KS = (8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 40.0, 48.0, 64.0)
SPECIFIED_K: Parameters = asdict(maths.SCHEDULE)
SCHEDULES: Grid = {"start": (48, 96, 128, 192), "floor": (3, 6, 9, 16, 24), "halves_at": (8, 30, 60)}
WEAK_PRIOR = 400.0  # points: twice the spread of a wide field
PRIORS: Grid = {"prior": (100, 150, 200, 300)}

OPENSKILL_MODELS = {PLACKETT_LUCE: "PlackettLuce", THURSTONE: "ThurstoneMostellerFull"}
OPENSKILL: Parameters = {"beta": 25 / 6, "tau": 25 / 300, "predict_beta": 25 / 6}  # the package's
# Predictions first: while they are far too sure, the others would be tuned to make up for that.
OPENSKILLS: Grid = {
    "predict_beta": (6, 8, 11, 15, 20, 28),
    "beta": (3, 6, 8, 11, 15),
    "tau": (0.02, 0.16),
}

NEAR_ENOUGH = 0.001
"""How far behind the best of another kind our log-loss may be."""


@dataclass(frozen=True)
class Task:
    """Matches to predict, of which those from number `since` on are scored, and others to tune parameters on.

    `truth`: the true chances, where they are known.
    """

    results: Sequence[Result]
    training: Sequence[Result]
    since: int = 0
    truth: Predictions | None = None


@dataclass(frozen=True)
class Contender:
    """A row of the report: how to make a system and from what. The batch fit knows no order of matches."""

    name: str
    make: Callable[..., System]
    parameters: Parameters
    ordered: bool = True


def compare(task: Task, watch: Watch) -> dict[str, Any]:
    """Every system over the same matches. docs/ratings.md says what the report has; ready for JSON."""
    outcomes = Outcomes.of(task.results)
    by_k = {k: pair_loss(constant_k(k), watch(task.results, CONSTANT), task.since) for k in CONSTANT_KS}
    rows: list[dict[str, Any]] = []
    ours: Predictions | None = None
    for contender in _contenders(task, min(by_k, key=by_k.__getitem__), watch):
        system = contender.make(**contender.parameters)
        said = prequential(system, watch(task.results, contender.name))
        ours = ours or said
        row = _row(contender.name, said, ours, outcomes, task.since)
        row["parameters"] = {key: round(value, 4) for key, value in contender.parameters.items()}
        row["us_a_match"] = round(1e6 * said.seconds / len(task.results), 1)
        if contender.ordered:
            again = partial(contender.make, **contender.parameters)
            row["order"] = order_dependence(again, system.points(), task.results, watch)
        rows.append(row)
    if task.truth and ours:
        rows.append(_row(TRUTH, task.truth, ours, outcomes, task.since))
    return {
        "scored": len(task.results) - task.since,
        "ties": round(float((outcomes.scores == 0.5).mean()), 5),
        "constant_k": {f"{k:g}": round(loss, 5) for k, loss in by_k.items()},
        "systems": rows,
        "target": _target({row["system"]: row["log_loss"] for row in rows}),
    }


def _contenders(task: Task, best_k: float, watch: Watch) -> Iterator[Contender]:
    """Us first, then the others, each as it is usually and as it is best on the training matches."""
    yield Contender(OURS, LiveElo, {})
    yield Contender(CONSTANT, constant_k, {"k": best_k})
    yield _tuned(Contender(SCHEDULE, scheduled_k, SPECIFIED_K), SCHEDULES, task, watch)
    if openskill_there():
        for name, model in OPENSKILL_MODELS.items():
            usual = Contender(name, partial(OpenSkill, model), OPENSKILL)
            yield usual
            yield _tuned(usual, OPENSKILLS, task, watch)
    batch = Contender(BATCH, BradleyTerry, {"prior": WEAK_PRIOR}, ordered=False)
    yield batch
    yield _tuned(batch, PRIORS, task, watch)


def _tuned(usual: Contender, values: Grid, task: Task, watch: Watch) -> Contender:
    def loss(system: System) -> float:
        return pair_loss(system, watch(task.training, f"tuning {usual.name}"))

    name = usual.name if usual.name == SCHEDULE else usual.name + TUNED
    return Contender(name, usual.make, tuned(usual.make, usual.parameters, values, loss), usual.ordered)


def _row(name: str, said: Predictions, ours: Predictions, outcomes: Outcomes, since: int) -> dict[str, Any]:
    excess, within = behind(ours, said, outcomes, since)
    return {
        "system": name,
        **{key: round(value, 5) for key, value in figures(said, outcomes, since).items()},
        "ours_behind": round(excess, 5),
        "ours_behind_ci95": [round(excess - within, 5), round(excess + within, 5)],
        "pair_bins": [_bin(row) for row in pair_bins(said, outcomes, since)],
        "win_bins": [_bin(row) for row in win_bins(said, outcomes, since)],
    }


def _bin(row: Bin) -> dict[str, float]:
    return {"predicted": round(row.predicted, 5), "came": round(row.came, 5), "count": row.count}


def _target(log_loss: Mapping[str, float]) -> list[dict[str, Any]]:
    """Whether we are near enough to openskill, and to the best of all that learns as it goes, tuned."""
    kinds = {
        "openskill": [name for name in log_loss if name.startswith("openskill")],
        "tuned reference": [name for name in log_loss if name.startswith("openskill") or name == SCHEDULE],
    }
    found = []
    for kind, names in kinds.items():
        if names:
            best = min(names, key=log_loss.__getitem__)
            excess = round(log_loss[OURS] - log_loss[best], 5)
            found.append({"beside": kind, "best": best, "behind": excess, "met": excess <= NEAR_ENOUGH})
    return found


def in_words(report: Mapping[str, Any]) -> str:
    """The report as a table for people."""
    head = (
        f"{'':20}{'log-loss':>9}{'we behind':>17}{'Brier':>8}{'right':>7}{'cal.':>7}"
        f"{'win loss':>10}{'cal.':>7}{'shuffled':>10}{'stirred':>9}{'spread':>8}{'µs':>7}"
    )
    ks = ", ".join(f"{k} {loss:.4f}" for k, loss in report["constant_k"].items())
    return "\n".join(
        [
            head,
            *(_line(row) for row in report["systems"]),
            "",
            *(_parameters(row) for row in report["systems"] if row.get("parameters")),
            f"Log-loss by constant K: {ks}",
            *(_verdict(row) for row in report["target"]),
        ]
    )


def _line(row: Mapping[str, Any]) -> str:
    low, high = row["ours_behind_ci95"]
    beside = f"{row['ours_behind']:+.4f} ±{(high - low) / 2:.4f}" if row["system"] != OURS else ""
    order = row.get("order") or {}
    after = [f"{order[key]:.1f}" if key in order else "" for key in ("shuffled", "stirred", "spread")]
    cost = f"{row['us_a_match']:.0f}" if "us_a_match" in row else ""
    return (
        f"{row['system']:20}{row['log_loss']:9.4f}{beside:>17}{row['brier']:8.4f}{row['accuracy']:7.1%}"
        f"{row['calibration_error']:7.4f}{row['win_log_loss']:10.4f}{row['win_calibration_error']:7.4f}"
        f"{after[0]:>10}{after[1]:>9}{after[2]:>8}{cost:>7}"
    )


def _parameters(row: Mapping[str, Any]) -> str:
    return f"{row['system']}: " + ", ".join(f"{key} {value:g}" for key, value in row["parameters"].items())


def _verdict(row: Mapping[str, Any]) -> str:
    met = "met" if row["met"] else "MISSED"
    return f"Target, within {NEAR_ENOUGH} of {row['beside']} ({row['best']}): {row['behind']:+.4f}, {met}"
