"""What `submit` refuses: for each question its code, and words that say what would be right."""

import pytest

from games.engine import (
    Contract,
    MalformedAction,
    RuleError,
    State,
    action_text,
    new_match,
    next_deal,
    submit,
)
from tests.engine.positions import (
    E,
    N,
    S,
    W,
    answer,
    cards,
    deal,
    deal_of,
    play,
    rules,
    say,
    suit,
    suits_to,
)
from tests.engine.strategies import play_out, walk


def refused(state: State, seat: int, text: str) -> RuleError:
    with pytest.raises(RuleError) as caught:
        say(state, seat, text)
    return caught.value


def choosing() -> State:
    """South, first owner of classic rules with doubling, chooses in deal 2; king is played."""
    state = new_match(rules("dananeer"), deal({S: ["7H"]}))
    say(state, S, "choose king")
    return next_deal(play_out(state, 1), deal({}))


def doubling() -> State:
    """Queens: South and East are asked, South holding QS and QH; North and West hold none."""
    hands = deal({S: cards("QS QH"), E: cards("QD QC")})
    return deal_of(rules("dananeer"), N, hands, Contract.QUEENS)


def following() -> State:
    """South led AS; East holds 2S, KS and a club and a heart or more."""
    hands = deal({S: ["AS"], E: cards("2S KS KH")}, {E: suit("S") - cards("2S KS")})
    state = deal_of(rules("cardkings"), S, hands, Contract.KING)
    play(state, "AS")
    return state


def layout() -> State:
    """Each seat a whole suit, spades to South; all jacks are down."""
    state = deal_of(rules("cardkings"), S, suits_to("S", "H", "D", "C"), Contract.TRIX)
    play(state, "JS JH JD JC")
    return state


@pytest.mark.parametrize("position", [choosing, following, layout])
def test_not_your_turn(position: object) -> None:
    state = position()  # type: ignore[operator]
    turn = state.turn
    for seat in {S, E, N, W} - {turn}:
        for text in ("play KH", "pass", "choose queens", "double none", "redeal"):
            error = refused(state, seat, text)
            assert error.code == "not_your_turn"
            assert ["South", "East", "North", "West"][turn] in error.message
            assert error.legal == ()


@pytest.mark.parametrize("number", [-1, 60, 63, 192, 255, 1000])
@pytest.mark.parametrize("position", [choosing, doubling, following, layout])
def test_a_number_that_is_no_action_is_malformed_and_changes_nothing(position: object, number: int) -> None:
    state = position()  # type: ignore[operator]
    before = state.copy()
    for seat in (S, E, N, W):
        with pytest.raises(MalformedAction, match=f"^{number} is no action"):
            submit(state, seat, number)
    assert state == before


def test_contract_taken() -> None:
    error = refused(choosing(), S, "choose king")
    assert error.code == "contract_taken"
    assert error.message.startswith("South cannot choose king: king was already played in this kingdom.")
    assert "Legal: choose queens, choose diamonds, choose ltoosh, choose trix" in error.message
    assert [action_text(action) for action in error.legal] == [
        "choose queens",
        "choose diamonds",
        "choose ltoosh",
        "choose trix",
    ]


def test_contract_not_in_rules() -> None:
    assert refused(choosing(), S, "choose complex").code == "contract_not_in_rules"
    complexes = new_match(rules("cardkings-complex"), deal({S: ["7H"]}))
    assert refused(complexes, S, "choose king").code == "contract_not_in_rules"


@pytest.mark.parametrize("text", ["play KH", "pass", "double none", "double QS"])
def test_wrong_phase_while_choosing(text: str) -> None:
    error = refused(choosing(), S, text)
    assert error.code == "wrong_phase"
    assert "a contract is to be chosen" in error.message


def test_cannot_redeal() -> None:
    error = refused(choosing(), S, "redeal")
    assert error.code == "cannot_redeal"
    assert "redeal=first_owner" in error.message


def test_cannot_redeal_twice() -> None:
    state = new_match(rules("dananeer", redeal="first_owner"), deal({S: ["7H"]}), deal({}))
    say(state, S, "redeal")
    assert refused(state, S, "redeal").code == "cannot_redeal"


def test_already_answered() -> None:
    state = doubling()
    say(state, S, "double none")
    for text in ("double none", "double QS", "double QS QH"):
        error = refused(state, S, text)
        assert error.code == "already_answered"
        assert "first answer is final" in error.message
    assert state.answers[S] == 0


def test_who_is_not_asked_cannot_answer() -> None:
    error = refused(doubling(), N, "double none")
    assert error.code == "not_your_turn"
    assert error.legal == ()


def test_doubling_what_another_holds() -> None:
    error = refused(doubling(), S, "double QS QD")
    assert error.code == "not_your_card"
    assert [action_text(action) for action in error.legal] == [
        "double none",
        "double QS",
        "double QH",
        "double QS QH",
    ]


def test_doubling_what_this_contract_does_not_double() -> None:
    hands = deal({S: cards("QS KH")})
    queens = deal_of(rules("dananeer"), N, hands, Contract.QUEENS)
    assert refused(queens, S, "double KH").code == "not_your_card"
    king = deal_of(rules("dananeer"), N, hands, Contract.KING)
    assert refused(king, S, "double QS KH").code == "not_your_card"


def test_wrong_phase_while_doubling() -> None:
    for text in ("play QS", "pass", "choose king", "redeal"):
        assert refused(doubling(), S, text).code == "wrong_phase"


def test_a_refusal_while_doubling_says_nothing_about_the_others() -> None:
    """Whoever else is asked or has answered: the words are the same."""
    alone = deal_of(rules("dananeer"), N, deal({S: ["QS", "QH"], W: ["QD"], E: ["QC"]}), Contract.QUEENS)
    others = doubling()
    say(others, E, "double QD")
    for text in ("double QC", "play QS", "choose king", "double QS KH"):
        assert refused(alone, S, text).message == refused(others, S, text).message
    assert refused(alone, N, "double none").message == refused(others, N, "double none").message


def test_must_follow_suit() -> None:
    error = refused(following(), E, "play KH")
    assert error.code == "must_follow_suit"
    assert error.message == (
        "East cannot play KH: it holds a spade and must follow suit. Legal: play 2S, play KS."
    )
    assert [action_text(action) for action in error.legal] == ["play 2S", "play KS"]


def test_not_your_card() -> None:
    error = refused(following(), E, "play 3S")
    assert error.code == "not_your_card"
    assert "it does not hold 3S" in error.message


def test_a_card_already_played_is_no_longer_held() -> None:
    state = layout()
    assert refused(state, S, "play JS").code == "not_your_card"


def test_cannot_pass_in_tricks() -> None:
    error = refused(following(), E, "pass")
    assert error.code == "cannot_pass"
    assert "nobody passes in tricks" in error.message


def test_must_play_in_trix() -> None:
    error = refused(layout(), S, "pass")
    assert error.code == "must_play"
    assert error.message == (
        "South cannot pass: a card fits, and who can play must. Legal: play TS, play QS."
    )


def test_illegal_card_in_trix() -> None:
    error = refused(layout(), S, "play KS")
    assert error.code == "illegal_card"
    assert "neither a jack nor next to an end of the spade row" in error.message


@pytest.mark.parametrize("position", [following, layout])
def test_wrong_phase_while_playing(position: object) -> None:
    state = position()  # type: ignore[operator]
    for text in ("choose king", "double none", "redeal"):
        error = refused(state, state.turn, text)
        assert error.code == "wrong_phase"
        assert "a card is to be played" in error.message


def test_lead_restricted() -> None:
    state = deal_of(
        rules("cardkings", lead_restriction="king_first_trick"), S, deal({S: ["KH"]}), Contract.KING
    )
    error = refused(state, S, "play KH")
    assert error.code == "lead_restricted"
    assert "lead_restriction=king_first_trick" in error.message
    state = deal_of(
        rules("cardkings", lead_restriction="hearts_in_king"), S, deal({S: ["2H"]}), Contract.KING
    )
    assert refused(state, S, "play 2H").code == "lead_restricted"


def test_must_dump() -> None:
    hands = deal({S: ["AS"], E: ["KH", "2H"]}, {E: suit("S")})
    state = deal_of(rules("cardkings", must_dump="on"), S, hands, Contract.KING)
    play(state, "AS")
    error = refused(state, E, "play 2H")
    assert error.code == "must_dump"
    assert [action_text(action) for action in error.legal] == ["play KH"]


def test_deal_over() -> None:
    state = play_out(following(), 1)
    for seat in range(4):
        for text in ("play KH", "pass", "choose king", "double none", "redeal"):
            error = refused(state, seat, text)
            assert error.code == "deal_over"
            assert f"deal {state.number} is over" in error.message


def test_match_over() -> None:
    *_, state = walk(rules("cardkings-complex"), seed=1)
    for seat in range(4):
        for text in ("play KH", "pass", "choose trix", "double none", "redeal"):
            assert refused(state, seat, text).code == "match_over"


def test_an_answer_after_the_reveal_is_too_late() -> None:
    state = doubling()
    answer(state)
    assert refused(state, S, "double QS").code == "not_your_turn"
    assert refused(state, N, "double none").code == "wrong_phase"
