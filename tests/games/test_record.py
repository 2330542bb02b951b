"""GET /matches/{code}/record/: the `.trix` record, whole once over."""

import io

import pytest

from games.engine import Phase, options_for
from games.engine.reading import read_records
from games.engine.shuffle import deal_hands
from games.selectors import match_record, stored_match
from games.services import matches
from tests.games.play import act, act_until, bots_play_deals, doubling, in_play, state_of


def read(text: str):
    (replay,) = read_records(io.BytesIO(text.encode()), "match.trix")
    return replay


@pytest.mark.parametrize("rules", ["dananeer", "cardkings-complex-partners"])
def test_a_finished_match_replays_to_its_result(api, cast, rules):
    match = matches.create_match(rules=rules, options={}, seats=[*cast[:2], "greedy", "random"])
    assert bots_play_deals(match).phase is Phase.OVER
    answer = api().get(f"matches/{match.code}/record/")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    text = answer.content.decode()
    replay = read(text)
    match.refresh_from_db()
    assert replay.state.finished == state_of(match).finished
    assert f'[Seed "{match.secret.hex()}"]' in text and f'[Commitment "{match.commitment}"]' in text
    assert '[South "amal"]' in text and '[North "greedy bot"]' in text and f'[Match "{match.code}"]' in text


def test_what_differs_from_the_rules_is_in_the_record(cast):
    match = matches.create_match(
        rules="eram", options={"early_end": "off", "redeal": "bare_heart"}, seats=cast
    )
    bots_play_deals(match)
    assert '[Options "early_end=off redeal=bare_heart"]' in match_record(stored_match(match.code), None)
    assert len(read(match_record(stored_match(match.code), None)).state.finished) == 20


def test_while_playing_only_finished_deals_have_hands(apis, api, match):
    bots_play_deals(match, 2)
    act_until(match, in_play)
    act(match)
    texts = {viewer.get(f"matches/{match.code}/record/").content.decode() for viewer in (*apis, api())}
    (text,) = texts
    assert text.count("hands") == text.count("score") == 2
    assert text.splitlines()[-1].startswith("deal 3 S ")
    assert "Seed" not in text
    assert len(read(text).results) == 2


def test_unrevealed_doubles_are_in_no_record(api, match):
    act(match, "choose queens")
    before = api().get(f"matches/{match.code}/record/").content
    act(match)
    assert doubling(state_of(match)) or state_of(match).phase is Phase.PLAY
    assert api().get(f"matches/{match.code}/record/").content == before
    assert before.decode().splitlines()[-1] == "deal 1 S queens"


def test_an_open_table_has_a_record_without_deals(apis):
    code = apis[0].post("matches/", rules="eram").json()["code"]
    text = apis[0].get(f"matches/{code}/record/").content.decode()
    assert text.startswith('[Rules "eram"]') and "deal" not in text


def test_the_hands_of_the_record_follow_from_the_seed(match):
    bots_play_deals(match)
    deal = next(
        deal for deal in read(match_record(stored_match(match.code), None)).record.deals if deal.number == 5
    )
    assert deal.hands == deal_hands(match.secret, 5, options_for("dananeer")).hands
