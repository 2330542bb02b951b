"""The level ``strong``: it imagines the hidden hands, and plays each action out in each of them.

*Worlds* are hands for the others that fit all that the seat has seen; of many, those are kept in which the
others are likely to have played as they did. In each world each action is tried, and the deal played out by
greedy's rules of thumb with a slip now and then (`games.bots.kernel`). What an action is worth is the mean
of its points less the mean of the others' points, or side less side.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.engine import REDEAL, Contract, Phase, View
from games.engine.actions import CHOOSE, double_cards
from games.engine.cards import FULL_DECK, SUIT_OF

from . import greedy, prospects
from .kernel import beliefs, playouts, rows, worlds
from .kernel.bits import Luck
from .kernel.rows import Hidden
from .kernel.tricks import SCORES, Row, Table, Terms
from .stakes import stakes

Values = NDArray[np.float64]  # by world and action

# What a doubled card must promise beyond its risk: playouts by greedy do not hunt it as people do.
MARGIN = 1.0
# How much of the price that greedy sees in a card counts: of cards about as good, the one that it likes.
HABIT = 0.1
LEAST_CHAINS = 4  # of the smallest budget


@dataclass(frozen=True)
class Budget:
    """playouts: at most about so many for a decision, ``again`` of each action in a world.

    tries, chains, stages, rounds, steps: of the worlds, see `beliefs.likely_hands`. erring: how often a
    playout takes any card. exact: so few cards left after this one are not played out but solved. doubt:
    standard errors by which an action must be behind to be dropped.
    """

    playouts: int = 8000
    again: int = 3
    tries: int = 400
    chains: int = 100
    stages: int = 6
    rounds: int = 8
    steps: int = 12
    erring: float = 0.1
    exact: int = 5
    doubt: float = 3.0


USUAL = Budget()


def budget_of(playouts: int) -> Budget:
    """The usual budget with so many playouts, and chains of worlds in proportion, but a few at least."""
    chains = max(LEAST_CHAINS, round(playouts / USUAL.playouts * USUAL.chains))
    return replace(USUAL, playouts=playouts, chains=chains, tries=chains * USUAL.tries // USUAL.chains)


class Worth(NamedTuple):
    """What an action is worth. points: expected, mine less the mean of the others' (side less side).

    error: the standard error of the points, 0 of a single chain. worlds: how many were tried; the fewer, the
    sooner it was seen that another action is better.
    """

    action: int
    points: float
    error: float
    worlds: int


def choose(view: View, legal: Sequence[int], rng: random.Random, budget: Budget = USUAL) -> int:
    """The action that is worth most; of equals the first."""
    actions = unlike(view, legal)
    if len(actions) == 1:
        return actions[0]
    return best(weigh(view, actions, rng, budget), _merit(view, actions)).action


def best(worths: Sequence[Worth], merit: Callable[[Worth], float]) -> Worth:
    """The most by a merit, of those that were tried to the end; of equals the first."""
    most = max(worth.worlds for worth in worths)
    return max((worth for worth in worths if worth.worlds == most), key=merit)


def weigh(view: View, actions: Sequence[int], rng: random.Random, budget: Budget = USUAL) -> list[Worth]:
    """What each of some legal actions is worth, in their order.

    Of choosing a contract that is what the whole rest of the kingdom is worth.
    """
    luck = np.array([rng.getrandbits(63)], np.uint64)
    found = _VALUES[view.phase](view, actions, luck, budget)
    together = budget.chains if view.phase is Phase.PLAY else len(found)
    return [_worth(action, column, together) for action, column in zip(actions, found.T, strict=True)]


def _merit(view: View, actions: Sequence[int]) -> Callable[[Worth], float]:
    """What is to be the most: the points, less a little for a doubled card or for what greedy dislikes."""
    if view.phase is Phase.CHOOSE:
        return lambda worth: worth.points
    if view.phase is Phase.DOUBLE:
        return lambda worth: worth.points - MARGIN * double_cards(worth.action).bit_count()
    prices = greedy.prices(view, actions)
    return lambda worth: worth.points - HABIT * prices[worth.action]


def _worth(action: int, values: Values, chains: int) -> Worth:
    """Worlds of one chain resemble each other: the error is taken over chains, which come in turn."""
    tried = values[~np.isnan(values)]
    chain = np.arange(len(tried)) % chains
    means = np.bincount(chain, tried) / np.bincount(chain)
    error = float(means.std(ddof=1) / len(means) ** 0.5) if len(means) > 1 else 0.0
    return Worth(action, float(tried.mean()), error, len(tried))


def unlike(view: View, legal: Sequence[int]) -> list[int]:
    """One of each run of cards that are alike: of a suit, of one price, and nothing between them to come."""
    if view.phase is not Phase.PLAY or view.contract is Contract.TRIX:
        return list(legal)
    assert view.hand is not None and view.contract is not None and view.seat is not None
    others = FULL_DECK & ~(view.hand | sum(view.taken))
    costs = stakes(view.contract, view.options, view.doubled, view.seat).costs
    found: list[int] = []
    for card in legal:
        last = found[-1] if found else None
        if (
            last is not None
            and SUIT_OF[last] == SUIT_OF[card]
            and costs[last] == costs[card]
            and not others & ((1 << card) - (1 << last + 1))
        ):
            found[-1] = card
        else:
            found.append(card)
    return found


class Past(NamedTuple):
    """What a seat knows of a deal in play, as the kernel takes it.

    rows: the position before each card of ``plays`` and now; see `beliefs.likely_hands`.
    """

    terms: Terms
    hidden: Hidden
    rows: Table
    plays: Row


def past_of(view: View, luck: Luck) -> Past:
    """What the seat knows. In a trick contract the rows hold any hands for the others, drawn by ``luck``."""
    if view.contract is Contract.TRIX:
        return Past(rows.trix_terms_of(view.options), rows.trix_hidden_of(view), *rows.trix_history(view))
    assert view.contract is not None
    terms, hidden = rows.terms_of(view.contract, view.options, view.doubled), rows.hidden_of(view)
    start, plays = rows.start_of(view)
    anyhow = worlds.deal_worlds(*hidden[:4], 1, luck)[0]
    history = beliefs.positions(start, terms, plays, anyhow, view.seat)
    history[-1, SCORES : SCORES + 4] = view.scores  # Under `forced_strict` they hang on hands.
    return Past(terms, hidden, history, plays)


def _play_values(view: View, cards: Sequence[int], luck: Luck, budget: Budget) -> Values:
    past, in_trix = past_of(view, luck), view.contract is Contract.TRIX
    hands = likely_hands(view, past, luck, budget)
    found = beliefs.placed(in_trix, past.rows, past.terms, past.plays, hands, view.seat)
    prices = greedy.prices(view, cards)
    return playouts.card_values(
        in_trix, found, past.terms, view.seat, np.array(cards, np.int64),
        np.array([HABIT * prices[card] for card in cards]),
        budget.playouts, budget.again, budget.doubt, budget.erring, budget.exact, luck,
    )  # fmt: skip


def likely_hands(view: View, past: Past, luck: Luck, budget: Budget) -> Table:
    """Hands for the others that are likely to have played as they did, from the seat after this one."""
    terms, hidden, history, plays = past
    found: Table = beliefs.likely_hands(
        view.contract is Contract.TRIX, history, terms, plays,
        worlds.deal_worlds(*hidden[:4], budget.tries, luck), hidden.denied, hidden.fixed,
        view.seat, budget.chains, budget.stages, budget.rounds, budget.steps, luck,
    )  # fmt: skip
    return found


def _double_values(view: View, answers: Sequence[int], luck: Luck, budget: Budget) -> Values:
    assert view.contract is not None
    terms = rows.terms_of(view.contract, view.options)
    cards = np.array([double_cards(answer) for answer in answers], np.int64)
    hands = worlds.deal_worlds(*rows.unseen_of(view)[:4], _share(budget, answers), luck)
    return playouts.double_values(terms, view.hand, hands, view.seat, view.owner, cards, budget.erring, luck)


def _contract_values(view: View, choices: Sequence[int], luck: Luck, budget: Budget) -> Values:
    """What is left of the kingdom is worth: this deal in the contract, and the others with unknown cards."""
    options = view.options
    tricks = [contract for contract in view.remaining if contract is not Contract.TRIX]
    bases = np.array([rows.terms_of(contract, options) for contract in tricks])
    hands = worlds.deal_worlds(*rows.unseen_of(view)[:4], _share(budget, choices), luck)
    trix_terms = rows.trix_terms_of(options)
    found = playouts.contract_values(bases, trix_terms, view.hand, hands, view.seat, budget.erring, luck)
    now = {contract: found[:, number] for number, contract in enumerate([*tricks, Contract.TRIX])}
    later = prospects.of(options)
    everything = frozenset(view.remaining)
    columns = [
        np.full(len(hands), later(everything))
        if choice == REDEAL
        else now[Contract(choice - CHOOSE)] + later(everything - {Contract(choice - CHOOSE)})
        for choice in choices
    ]
    return np.stack(columns, axis=1)


def _share(budget: Budget, actions: Sequence[int]) -> int:
    """In how many worlds to try each action: a whole deal takes about twice what the rest of one does."""
    return max(1, budget.playouts // (2 * len(actions)))


_VALUES: dict[Phase, Callable[[View, Sequence[int], Luck, Budget], Values]] = {
    Phase.CHOOSE: _contract_values,
    Phase.DOUBLE: _double_values,
    Phase.PLAY: _play_values,
}
