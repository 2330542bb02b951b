"""What a seat and a spectator may know, and that nothing else reaches them (invariant 6)."""

import json
import re
from random import Random

import pytest
from hypothesis import given

from games.engine import (
    NOBODY,
    PRESETS,
    Contract,
    Options,
    Phase,
    RuleError,
    State,
    action_text,
    legal_actions,
    new_match,
    options_for,
    submit,
    to_act,
    view,
    view_as_dict,
)
from tests.engine.positions import E, N, S, W, cards, deal, deal_of, mask, play, rules, say, suits_to, texts
from tests.engine.strategies import positions, random_deal, seeds, walk

VIEWERS = (S, E, N, W, None)
TWOS = mask(cards("2S 2H 2D 2C"))


def assert_same_view(one: State, other: State, viewer: int | None) -> None:
    assert view(one, viewer) == view(other, viewer)
    assert view_as_dict(view(one, viewer)) == view_as_dict(view(other, viewer))


# -- two positions that differ in what is hidden -----------------------------------------------


def with_other_secrets(state: State, viewer: int | None, rng: Random) -> State:
    """The position with all that ``viewer`` may not know drawn anew: hands, answers, second hands."""
    twin = state.copy()
    shuffle_hidden_hands(twin, viewer, rng)
    if twin.redealt_hands is not None:
        _, twin.redealt_hands = random_deal(twin.options, rng)
    twin.forced = rng.getrandbits(52)
    twin.log = bytearray(rng.randrange(192) for _ in twin.log)
    if twin.phase is Phase.DOUBLE:
        redraw_answers(twin, viewer, rng)
    return twin


def shuffle_hidden_hands(state: State, viewer: int | None, rng: Random) -> None:
    shown = exposed(state)
    others = [seat for seat in range(4) if seat != viewer]
    hidden = [card for seat in others for card in range(52) if state.hands[seat] & ~shown & 1 << card]
    rng.shuffle(hidden)
    for seat in others:
        kept = state.hands[seat] & shown
        drawn = [hidden.pop() for _ in range((state.hands[seat] & ~shown).bit_count())]
        state.hands[seat] = kept | sum(1 << card for card in drawn)


def exposed(state: State) -> int:
    return TWOS if state.options.exposed_twos and state.contract is Contract.TRIX else 0


def redraw_answers(state: State, viewer: int | None, rng: Random) -> None:
    """Others are asked as their new hands say, and have answered or not; the log and its count too."""
    doublable = {Contract.KING: mask(["KH"]), Contract.QUEENS: mask(cards("QS QH QD QC"))}
    named = doublable.get(state.contract, mask(cards("KH QS QH QD QC")))  # type: ignore[arg-type]
    state.asked = tuple(seat for seat in range(4) if state.hands[seat] & named)
    for seat in range(4):
        if seat != viewer:
            asked = seat in state.asked
            state.answers[seat] = rng.choice((None, state.hands[seat] & named)) if asked else None
    answered = sum(given is not None for given in state.answers)
    state.log = state.log[: len(state.log) - state.secret] + bytes(64 for _ in range(answered))
    state.secret = answered


@given(positions(), seeds)
def test_views_are_equal_whatever_is_hidden(state: State, seed: int) -> None:
    rng = Random(seed)
    for viewer in VIEWERS:
        assert_same_view(state, with_other_secrets(state, viewer, rng), viewer)


@given(positions(doubling=True), seeds)
def test_views_are_equal_whatever_is_hidden_while_doubling(state: State, seed: int) -> None:
    rng = Random(seed)
    for position in walk(state.options, seed, deals=1, first=state):
        if position.phase is Phase.DOUBLE:
            for viewer in VIEWERS:
                assert_same_view(position, with_other_secrets(position, viewer, rng), viewer)


# -- the same, by playing both -----------------------------------------------------------------


def replay_with(hands: list[int], state: State) -> State | None:
    """The public play of ``state`` over other hands, None where it is against the rules there."""
    other = new_match(state.options, hands, state.redealt_hands)
    if other.owner != state.owner:
        return None
    revealed: dict[int, int] = {}
    for card, seat in state.doubled.items():
        revealed[seat] = revealed.get(seat, 0) | 1 << card
    try:
        for action in public_actions(state):
            while other.phase is Phase.DOUBLE:
                for seat in to_act(other):
                    say(other, seat, "double " + (" ".join(texts(revealed.get(seat, 0))) or "none"))
            submit(other, other.turn, action)
    except RuleError:
        return None
    return other if (other.doubled, other.redealt) == (state.doubled, state.redealt) else None


def public_actions(state: State) -> list[int]:
    return [action for action in state.log if action < 64]


def hands_at_start(state: State) -> list[int]:
    """The hands of a deal that was not redealt, from those held and the cards played."""
    hands = list(state.hands)
    for seat, card in state.plays:
        hands[seat] |= 1 << card if card < 52 else 0
    return hands


def swaps(state: State, viewer: int | None, rng: Random) -> list[list[int]]:
    """The deal's hands with two unplayed cards of two other seats changed over, in random order."""
    start, shown = hands_at_start(state), exposed(state)
    others = [seat for seat in range(4) if seat != viewer]
    held = [(s, c) for s in others for c in range(52) if state.hands[s] & ~shown & 1 << c]
    pairs = [(a, b) for a in held for b in held if a[0] < b[0]]
    changed = []
    for (seat, card), (other_seat, other_card) in rng.sample(pairs, min(12, len(pairs))):
        hands, both = list(start), 1 << card | 1 << other_card
        hands[seat] ^= both
        hands[other_seat] ^= both
        changed.append(hands)
    return changed


RULES = [
    *(options_for(preset) for preset in sorted(PRESETS)),
    options_for("dananeer", {"must_dump": "on", "lead_restriction": "hearts_in_king"}),
    options_for("dananeer-complex", {"doubling": "on", "exposed_twos": "on", "capot": "on"}),
    options_for("cardkings-partners", {"equal_count": "split", "exposed_twos": "on"}),
]


@pytest.mark.parametrize("chosen", RULES)
def test_a_seat_sees_the_same_game_over_hands_that_played_the_same(chosen: Options) -> None:
    """Two deals in which all that was played, passed and revealed is equal, hands differing."""
    compared = 0
    for seed in range(12):
        rng = Random(seed)
        cut = rng.randrange(1, 45)
        for state in walk(chosen, seed, deals=1):
            if len(public_actions(state)) == cut and state.phase is Phase.PLAY:
                break
        for viewer in VIEWERS:
            for hands in swaps(state, viewer, rng):
                other = replay_with(hands, state)
                if other is not None:
                    compared += 1
                    assert other.hands != state.hands
                    assert_same_view(state, other, viewer)
    assert compared > 50


# -- what reaches a client, as text ------------------------------------------------------------


@given(positions())
def test_no_hidden_card_is_named_in_what_a_client_gets(state: State) -> None:
    known = sum(1 << card for card in state.doubled) | exposed(state)
    for viewer in VIEWERS:
        hidden = sum(state.hands[seat] for seat in range(4) if seat != viewer) & ~known
        sent = json.dumps(view_as_dict(view(state, viewer)))
        named = set(re.findall(r"\b[2-9TJQKA][SHDC]\b", sent))
        assert not named & texts(hidden)


@given(positions())
def test_a_seat_sees_its_hand_its_actions_and_everyones_counts(state: State) -> None:
    for seat in range(4):
        seen = view(state, seat)
        assert seen.hand == state.hands[seat]
        assert seen.legal == tuple(legal_actions(state, seat))
        assert seen.counts == tuple(hand.bit_count() for hand in state.hands)
        assert seen.version == state.version


@given(positions())
def test_a_spectator_sees_no_hand_and_nothing_a_seat_does_not(state: State) -> None:
    spectator = view_as_dict(view(state, None))
    assert (spectator["hand"], spectator["legal"], spectator["my_double"]) == (None, [], None)
    for seat in range(4):
        own = view_as_dict(view(state, seat))
        for name in spectator.keys() - {"seat", "hand", "legal", "my_double"}:
            assert own[name] == spectator[name]


# -- doubling ----------------------------------------------------------------------------------


def asked() -> State:
    """Queens under dananeer: South is asked for QS, East for QH and QD, West for QC."""
    return deal_of(rules("dananeer"), N, deal({S: ["QS"], E: ["QH", "QD"], W: ["QC"]}), Contract.QUEENS)


def test_while_doubling_nobody_is_said_to_be_on_turn() -> None:
    for viewer in VIEWERS:
        seen = view(asked(), viewer)
        assert seen.turn == NOBODY
        assert seen.phase is Phase.DOUBLE
        assert view_as_dict(seen)["to_act"] is None


def test_answers_stay_secret_until_the_last() -> None:
    state = asked()
    before = [view(state, viewer) for viewer in VIEWERS]
    say(state, E, "double QH")
    after = [view(state, viewer) for viewer in VIEWERS]
    assert [v for v, w in zip(before, after, strict=True) if v != w] == [before[E]]
    assert after[E].answer == mask(["QH"])
    assert after[E].legal == ()
    assert all(seen.doubled == () for seen in after)


def test_the_reveal_is_for_all_at_once() -> None:
    state = asked()
    say(state, E, "double QH")
    say(state, W, "double QC")
    say(state, S, "double none")
    for viewer in VIEWERS:
        shown = view_as_dict(view(state, viewer))["deal"]
        assert isinstance(shown, dict)
        assert shown["doubled"] == {"QH": "E", "QC": "W"}


# -- the words of a view -----------------------------------------------------------------------


def test_a_view_of_a_trick_in_words() -> None:
    state = deal_of(rules("cardkings"), S, suits_to("S", "H", "D", "C"), Contract.LTOOSH)
    play(state, "2S 2H 2D 2C AS 3H")
    seen = view_as_dict(view(state, N))
    first = state.results
    assert len(first) == 5
    assert {name: seen[name] for name in seen.keys() - {"deal", "results", "totals"}} == {
        "version": state.version,
        "seat": "N",
        "phase": "play",
        "to_act": "N",
        "hand": [f"{rank}D" for rank in "3456789TJQKA"],
        "legal": [f"play {rank}D" for rank in "3456789TJQKA"],
        "my_double": None,
        "teams": None,
        "over": False,
        "winners": [],
        "tie": None,
    }
    assert seen["deal"] == {
        "number": 6,
        "of": 20,
        "owner": "S",
        "contract": "ltoosh",
        "remaining": ["king", "queens", "diamonds", "ltoosh", "trix"],
        "redealt": False,
        "doubled": {},
        "plays": [
            {"seat": seat, "action": f"play {card}"}
            for seat, card in zip("SENWSE", ["2S", "2H", "2D", "2C", "AS", "3H"], strict=True)
        ],
        "counts": {"S": 11, "E": 11, "N": 12, "W": 12},
        "trick": {"leader": "S", "cards": ["AS", "3H"]},
        "tricks": {"S": 1, "E": 0, "N": 0, "W": 0},
        "taken": {"S": ["2S", "2H", "2D", "2C"], "E": [], "N": [], "W": []},
        "layout": None,
        "out": None,
        "exposed": None,
        "scores": {"S": -15, "E": 0, "N": 0, "W": 0},
    }


def test_between_tricks_there_is_no_trick() -> None:
    state = deal_of(rules("cardkings"), S, suits_to("S", "H", "D", "C"), Contract.LTOOSH)
    for cards_played in ("", "2S 2H 2D 2C"):
        play(state, cards_played)
        shown = view_as_dict(view(state, N))["deal"]
        assert isinstance(shown, dict)
        assert shown["trick"] is None


def test_a_view_of_the_layout_in_words() -> None:
    state = deal_of(rules("cardkings"), S, suits_to("S", "H", "D", "C"), Contract.TRIX)
    play(state, "JS JH JD")
    seen = view_as_dict(view(state, W))["deal"]
    assert isinstance(seen, dict)
    assert seen["layout"] == {"S": ["JS", "JS"], "H": ["JH", "JH"], "D": ["JD", "JD"], "C": None}
    play(state, "JC QS TH")
    seen = view_as_dict(view(state, W))["deal"]
    assert isinstance(seen, dict)
    assert seen["layout"] == {"S": ["JS", "QS"], "H": ["TH", "JH"], "D": ["JD", "JD"], "C": ["JC", "JC"]}
    assert (seen["out"], seen["trick"], seen["tricks"], seen["taken"]) == ([], None, None, None)


def test_exposed_twos_are_shown_in_trix_alone() -> None:
    hands = deal({S: ["2S", "2H"], E: ["2D"], W: ["2C"]})
    chosen = rules("cardkings", exposed_twos="on")
    for viewer in VIEWERS:
        shown = view_as_dict(view(deal_of(chosen, N, hands, Contract.TRIX), viewer))["deal"]
        assert isinstance(shown, dict)
        assert shown["exposed"] == {"S": ["2S", "2H"], "E": ["2D"], "N": [], "W": ["2C"]}
        for state in (
            deal_of(chosen, N, hands, Contract.KING),
            deal_of(rules("cardkings"), N, hands, Contract.TRIX),
        ):
            assert view(state, viewer).exposed is None


def test_exposed_twos_wait_until_trix_is_chosen() -> None:
    state = new_match(rules("cardkings", exposed_twos="on"), deal({S: ["7H"]}))
    assert view(state, S).exposed is None
    say(state, S, "choose trix")
    assert view(state, S).exposed is not None


def test_the_last_view_names_totals_winners_and_teams() -> None:
    *_, state = walk(rules("cardkings-complex-partners"), seed=4)
    seen = view_as_dict(view(state, None))
    totals, teams = seen["totals"], seen["teams"]
    assert isinstance(totals, dict)
    assert isinstance(teams, dict)
    assert teams == {"SN": totals["S"] + totals["N"], "EW": totals["E"] + totals["W"]}
    assert seen["over"] is True
    assert seen["winners"] == (["S", "N"] if teams["SN"] > teams["EW"] else ["E", "W"])
    assert len(seen["results"]) == 8  # type: ignore[arg-type]


@given(positions())
def test_a_view_is_plain_json(state: State) -> None:
    for viewer in VIEWERS:
        sent = view_as_dict(view(state, viewer))
        assert json.loads(json.dumps(sent)) == sent


@given(positions())
def test_a_view_never_changes_the_position_nor_hangs_on_it(state: State) -> None:
    before, seen = state.copy(), view(state, S)
    if to_act(state):
        seat = to_act(state)[0]
        submit(state, seat, legal_actions(state, seat)[0])
    assert seen == view(before, S)


def test_views_name_actions_as_they_are_sent() -> None:
    seen = view(asked(), E)
    assert [action_text(action) for action in seen.legal] == view_as_dict(seen)["legal"]
    assert view_as_dict(seen)["legal"] == ["double none", "double QH", "double QD", "double QH QD"]
