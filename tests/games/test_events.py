from games.engine import Phase
from tests.games.play import act, bots_play_deals, doubling, state_of


def test_every_version_has_one_event(api, match):
    bots_play_deals(match, 2)
    version = state_of(match).version
    answer = api().get(f"matches/{match.code}/events/").json()
    assert [event["version"] for event in answer["events"]] == list(range(1, version + 1))
    assert answer["version"] == version
    later = api().get(f"matches/{match.code}/events/", after=version - 4).json()
    assert later["events"] == answer["events"][-4:]
    assert api().get(f"matches/{match.code}/events/", after=version).json() == {
        "version": version,
        "events": [],
    }
    beyond = api().get(f"matches/{match.code}/events/", after=version + 9).json()
    assert beyond == {"version": version, "events": []}


def test_an_event_says_who_did_what_and_when(apis, match, clock):
    clock.pass_(7)
    apis[0].post(f"matches/{match.code}/actions/", action="choose ltoosh", version=0)
    (event,) = apis[2].get(f"matches/{match.code}/events/").json()["events"]
    started = apis[2].get(f"matches/{match.code}/").json()["started_at"]
    assert event.pop("at") > started
    assert event == {
        "version": 1,
        "deal": 1,
        "seat": "S",
        "action": "choose ltoosh",
        "doubled": None,
        "result": None,
        "next_deal": None,
    }


def test_doubles_are_one_event_of_nobody(apis, api, match):
    act(match, "choose queens")
    assert api().get(f"matches/{match.code}/events/", after=1).json()["events"] == []
    while doubling(state_of(match)):
        act(match, "double none")
    (event,) = api().get(f"matches/{match.code}/events/", after=1).json()["events"]
    assert (event["version"], event["seat"], event["action"], event["doubled"]) == (2, None, None, {})


def test_the_event_that_ends_a_deal_has_its_result_and_names_the_next(api, match):
    bots_play_deals(match, 1)
    last = api().get(f"matches/{match.code}/events/").json()["events"][-1]
    view = api().get(f"matches/{match.code}/").json()["view"]
    assert last["result"] == view["results"][0]
    assert last["next_deal"] == {"number": 2, "owner": "S"}


def test_a_query_that_is_no_version_is_refused(api, match):
    for after in ("x", "-1", "1.5", str(10**30)):
        answer = api().get(f"matches/{match.code}/events/", after=after)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_an_open_match_has_no_events(apis):
    code = apis[0].post("matches/", rules="eram").json()["code"]
    assert apis[0].get(f"matches/{code}/events/").json() == {"version": 0, "events": []}


def test_after_the_end_all_events_are_there(api, match):
    assert bots_play_deals(match).phase is Phase.OVER
    events = api().get(f"matches/{match.code}/events/").json()["events"]
    assert [event["deal"] for event in events if event["result"]] == list(range(1, 21))
    assert events[-1]["next_deal"] is None
