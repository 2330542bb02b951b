"""Every payload type against what the running server answers, to the letter: no key more, none less."""

from collections.abc import Callable

import pytest

from games.delivery import Outcome
from games.engine import Contract, State
from games.models import Delivery, Match, Player
from games.services import matches
from games.services.analyses import make_next_deal
from games.services.deliveries import settle
from ratings import recalculations
from ratings.models import LedgerMatch
from ratings.services import rate_finished
from tests.client.strict import check
from tests.games.play import act, act_until, bots_play_deals, doubling, in_play, secret_where
from trix_client import ApiError, BadRequest, Conflict, Unauthorized, payloads

NAMES = ("amal", "basil", "كارلا", "daoud")


def cast() -> list[Player]:
    return [Player.objects.get_or_create(username=name)[0] for name in NAMES]


def running(rules: str = "dananeer", **options: object) -> Match:
    secret = secret_where(0, rules)
    return matches.create_match(
        rules=rules, options=options, seats=cast(), secret=secret, clock_play=30, clock_bank=60
    )


def contract_in_play(contract: Contract, plays: int) -> Callable[[State], bool]:
    return lambda state: in_play(state) and state.contract is contract and len(state.plays) >= plays


STATES: dict[str, tuple[str, Callable[[State], bool]]] = {
    "choosing": ("dananeer", lambda state: True),
    "doubling": ("dananeer", doubling),
    "a trick": ("dananeer", contract_in_play(Contract.KING, 6)),
    "the second deal": ("dananeer", lambda state: state.number == 2),
    "complex": ("cardkings-complex", contract_in_play(Contract.COMPLEX, 9)),
    "partners": ("cardkings-partners", in_play),
}


@pytest.mark.parametrize("state", STATES)
def test_a_match_in_every_phase_as_each_seat_and_a_stranger_sees_it(connect, state):
    rules, reached = STATES[state]
    match = running(rules)
    act_until(match, reached)
    for name in (*NAMES, "elias", None):
        seen = check(payloads.Match, connect(name).matches.get(match.code))
        assert (seen["you"] is None) == (name not in NAMES)
        assert seen["view"] is not None and seen["view"]["seat"] == seen["you"]


def test_a_trix_deal_with_its_rows_and_the_twos_on_show(amal):
    match = running("cardkings-complex", exposed_twos=True)
    amal.matches.act(match.code, "choose trix", 0)
    act_until(match, lambda state: len(state.plays) >= 30)
    deal = check(payloads.Match, amal.matches.get(match.code))["view"]["deal"]
    assert deal["layout"] and deal["exposed"] and deal["trick"] is None


def test_doubled_cards_and_what_was_played(amal):
    match = running()
    act(match, "choose king")
    act(match, "double KH")
    bots_play_deals(match, 1)
    events = check(payloads.Events, amal.matches.events(match.code))["events"]
    assert [event["doubled"] for event in events if event["doubled"]]
    assert [event["next_deal"]["number"] for event in events if event["next_deal"]] == [2]


def test_a_finished_match_its_page_and_its_record(amal):
    match = running("cardkings-complex-partners")
    bots_play_deals(match)
    over = check(payloads.Match, amal.matches.get(match.code))
    assert over["status"] == "finished" and over["secret"] and over["view"]["teams"]
    page = check(payloads.MatchPage, amal.matches.list(status="finished"))
    assert page["results"][0]["winners"] == over["winners"]
    assert amal.matches.record(match.code).startswith('[Rules "cardkings-complex-partners"]')
    asked = check(payloads.AnalysisState, amal.matches.analyse(match.code))
    assert check(payloads.Analysis, amal.matches.analysis(match.code))["seats"] is None
    for done in range(asked["deals"], 8):
        make_next_deal(match.pk, done, 0)
    found = check(payloads.Analysis, amal.matches.analysis(match.code, seat="N"))
    assert found["state"] == "ready" and {one["seat"] for one in found["decisions"] or ()} == {"N"}
    assert "# North: " in amal.matches.record(match.code, analysis=True)
    again = check(payloads.Match, amal.matches.rematch(match.code))
    assert check(payloads.Match, amal.matches.get(match.code))["rematch"] == again["code"]


def test_a_table_from_its_opening_to_its_end(amal, basil):
    opened = amal.matches.open(
        "dananeer",
        options={"early_end": False},
        visibility="private",
        clock={"choose": 20, "play": 30, "bank": 100},
        on_timeout="wait",
        bot_delay=0.5,
        hands_delay=None,
        rated=False,
        seat="N",
        bots=["greedy"],
        invite=["basil"],
    )
    code = check(payloads.Match, opened)["code"]
    assert (opened["you"], opened["invited"], opened["clock"]["double"]) == ("N", ["basil"], None)
    me = check(payloads.Me, basil.account.get())
    assert me["invitations"][0]["match"]["code"] == code
    assert check(payloads.Match, basil.matches.join(code, seat="W"))["you"] == "W"
    check(payloads.Match, amal.matches.start(code, bots="random"))
    assert check(payloads.Me, basil.account.get())["matches"][0]["code"] == code
    check(payloads.Match, basil.matches.leave(code))
    check(payloads.Match, basil.matches.come_back(code))
    assert check(payloads.Match, basil.matches.abort(code, agree=False))["status"] == "running"
    assert check(payloads.Match, basil.matches.resign(code))["seats"][3]["resigned"]


def test_invitations_are_made_taken_back_and_declined(amal, basil):
    code = amal.matches.open("cardkings")["code"]
    check(payloads.Match, amal.matches.invite(code, "basil"))
    amal.matches.uninvite(code, "basil")
    assert basil.account.get()["invitations"] == []
    amal.matches.invite(code, "basil")
    basil.matches.uninvite(code, "basil")
    with pytest.raises(Conflict, match="declined"):
        amal.matches.invite(code, "basil")


def test_a_match_that_is_called_off(amal):
    match = running()
    assert check(payloads.Match, amal.matches.get(match.code))["banks"]
    Match.objects.filter(pk=match.pk).update(arranged=False)
    assert check(payloads.Match, amal.matches.abort(match.code))["status"] == "cancelled"
    check(payloads.Match, amal.matches.get(match.code))


def test_moves_of_every_kind(amal, connect):
    match = running()
    check(payloads.Move, amal.matches.act(match.code, "choose king", 0))
    state = act_until(match, in_play)
    player = connect(NAMES[state.turn])
    view = player.matches.get(match.code)["view"]
    move = check(payloads.Move, player.matches.act(match.code, view["legal"][0], view["version"]))
    assert move["version"] == view["version"] + 1 and move["deadline"]


def test_your_matches_say_whose_turn_it_is(amal, basil):
    match = running()
    mine = check(payloads.Me, amal.account.get())["matches"][0]
    assert (mine["code"], mine["to_act"], mine["your_turn"]) == (match.code, "S", True)
    act_until(match, doubling)
    assert check(payloads.Me, basil.account.get())["matches"][0]["to_act"] is None


def test_accounts_and_tokens(connect):
    client = connect()
    assert check(payloads.Account, client.auth.register("robot", "seven of hearts", is_bot=True))["is_bot"]
    made = client.auth.login("robot", "seven of hearts", name="at home", scopes=["play"], expires_in=2)
    check(payloads.NewToken, made)
    assert check(payloads.CurrentToken, client.auth.current())["player"]["name"] == "robot"
    tokens = check(list[payloads.Token], client.auth.tokens())
    assert [(token["name"], token["scopes"]) for token in tokens] == [("at home", ["play"])]
    client.auth.revoke()
    with pytest.raises(Unauthorized):
        client.auth.current()


def test_the_account_itself_from_its_e_mail_to_its_end(connect):
    client = connect()
    client.auth.register("robot", "seven of hearts", email="robot@example.org")
    client.auth.login("robot", "seven of hearts")
    changed = client.account.change_email("r@example.org", "seven of hearts")
    assert check(payloads.AccountEmail, changed)["email"] == "r@example.org"
    client.account.change_password("seven of hearts", "queen of spades")
    client.auth.login("robot", "queen of spades")
    client.auth.reset_password("r@example.org")
    with pytest.raises(BadRequest):
        client.auth.confirm_reset("NDI", "c8-nonsense", "jack of clubs")
    with pytest.raises(ApiError, match="password"):
        client.account.delete("jack of clubs")
    client.account.delete("queen of spades")
    with pytest.raises(Unauthorized):
        client.account.get()


def test_chat_reports_and_mutes(amal, basil):
    code = amal.matches.open("cardkings")["code"]
    basil.matches.join(code)
    said = check(payloads.Said, amal.chat.send(code, "يلا نلعب"))
    assert check(list[payloads.Said], basil.chat.messages(code)) == [said]
    assert basil.chat.messages(code, after=said["id"]) == []
    basil.chat.report(code, said["id"], "far too loud")
    check(payloads.Mute, basil.chat.mute("amal"))
    muted = check(payloads.MutePage, basil.chat.mutes())
    assert [mute["player"]["name"] for mute in muted["results"]] == ["amal"]
    assert basil.chat.messages(code) == []
    basil.chat.unmute("amal")
    assert basil.chat.messages(code) == [said]


@pytest.mark.parametrize("tournament", [None, "friday"])
def test_webhooks_and_what_was_sent_to_them(amal, tournament):
    if tournament:
        amal.tournaments.create("Friday", "cardkings", slug=tournament)
    hooks = amal.webhooks
    made = check(payloads.NewWebhook, hooks.create("https://example.org/trix", tournament=tournament))
    listed = check(list[payloads.Webhook], hooks.list(tournament=tournament))
    assert listed == [check(payloads.Webhook, hooks.get(made["code"], tournament=tournament))]
    sent = check(payloads.Delivery, hooks.test(made["code"], tournament=tournament))
    settle(Delivery.objects.get(code=sent["id"]), Outcome(200, "thanks"))
    deliveries = check(payloads.DeliveryPage, hooks.deliveries(made["code"], tournament=tournament))
    assert [(one["id"], one["status"]) for one in deliveries["results"]] == [(sent["id"], "delivered")]
    hooks.delete(made["code"], tournament=tournament)
    assert hooks.list(tournament=tournament) == []


def test_a_tournament_from_its_draft_to_its_end(connect, amal):
    cast()
    create = amal.tournaments.create
    slug = check(payloads.Tournament, create("جمعة", "cardkings-complex", slug="friday", seed=1))["slug"]
    league = amal.tournaments
    check(payloads.Tournament, league.open(slug))
    assert check(payloads.Entry, league.enter(slug))["player"]["name"] == "amal"
    for name in NAMES[1:3]:
        check(payloads.Entry, league.enter(slug, name))
    check(payloads.Entry, connect("daoud").tournaments.enter(slug))
    check(payloads.Tournament, league.start(slug))
    for number in (1, 2):
        assert check(payloads.Round, league.draw(slug))["state"] == "drawn"
        if number == 1:
            league.drop_draw(slug, number)
            league.draw(slug)
        check(payloads.Round, league.publish(slug, number))
        assert check(payloads.Tournament, league.get(slug))["you"]["match"]
        (table,) = check(list[payloads.Table], league.tables(slug, number))
        assert table == check(payloads.Table, league.table(slug, number, 1))
        entered = league.enter_result(slug, number, 1, [300, 100, -100, -300], "played at home")
        result = check(payloads.Table, entered)["result"]
        check(payloads.Standings, league.standings(slug, live=True))
        assert check(payloads.Round, league.close(slug, number))["state"] == "closed"
    corrected = league.enter_result(slug, 2, 1, [0, 0, 0, 0], "a mistake", replaces=result["id"])
    assert check(payloads.Table, corrected)["result"]["source"] == "entered"
    assert check(payloads.Entry, league.withdraw(slug, "daoud"))["state"] == "withdrawn"
    assert check(payloads.EntryPage, league.entries(slug))["count"] == 4
    assert len(check(list[payloads.RoundSummary], league.rounds(slug))) == 2
    check(payloads.Round, connect().tournaments.round(slug, 2))
    check(payloads.RankingPage, league.ranking(slug))
    comparison = check(payloads.Comparison, league.compare(slug, "amal", "basil"))
    assert comparison["metric"] or comparison["equal"]
    ended = check(payloads.FinishedTournament, league.finish(slug))
    assert len(ended["ranking"]) == 4
    standings = check(payloads.Standings, league.standings(slug))
    assert [line["played"] for line in standings["standings"]] == [2, 2, 2, 2]
    assert "rank,player,state,played" in league.standings_csv(slug)
    assert check(payloads.LogPage, league.log(slug))["count"] > 10
    found = check(payloads.TournamentPage, connect().tournaments.list(state="finished"))
    assert [one["slug"] for one in found["results"]] == [slug]


def test_settings_officials_and_dates_of_a_tournament(amal):
    cast()
    league = amal.tournaments
    stages = [{"format": "swiss", "rounds": 3, "groups": 2}, {"format": "knockout", "cut": 8, "advance": 2}]
    slug = league.create("Monday", "cardkings", stages=stages, visibility="code", time_zone="Asia/Beirut")[
        "slug"
    ]
    changed = check(payloads.Tournament, league.change(slug, slug="tuesday", cap=100, grace=300))
    assert (changed["slug"], changed["cap"], changed["rounds_planned"]) == ("tuesday", 100, None)
    named = league.name_officials("tuesday", assistants=["basil"], referees=["daoud"])
    assert check(payloads.Tournament, named)["referees"] == ["daoud"]
    code = check(payloads.Tournament, league.renew_code("tuesday"))["join_code"]
    assert code and code != changed["join_code"]
    wanted = {"number": 1, "starts_at": "2030-01-30T19:00:00+02:00"}
    stored = check(payloads.Dates, league.set_dates("tuesday", [wanted]))
    assert stored == check(payloads.Dates, league.dates("tuesday"))


def test_entries_from_a_waiting_list_to_a_penalty(amal, basil, connect):
    cast()
    league = amal.tournaments
    opened = league.create("Monday", "cardkings", visibility="code", cap=2)
    slug, code = opened["slug"], opened["join_code"]
    league.open(slug)
    look = check(payloads.Imported, league.enter_csv(slug, "player\nكارلا\nnobody", preview=True))
    assert ([line["line"] for line in look["bad"]], look["entered"]) == ([3], False)
    assert check(payloads.Imported, league.enter_csv(slug, "player\nكارلا\ndaoud"))["entries"] == 2
    assert check(payloads.Entry, basil.tournaments.enter(slug, code=code))["state"] == "waiting"
    assert check(payloads.EntryPage, league.entries(slug, state="waiting"))["count"] == 1
    assert check(payloads.Entry, league.admit(slug, "basil"))["state"] == "active"
    assert check(payloads.Entry, league.change_entry(slug, "كارلا", seed_rating=1700))["seed_rating"] == 1700
    assert check(payloads.Tournament, league.open_check_in(slug))["check_in_at"]
    assert check(payloads.Entry, basil.tournaments.check_in(slug))["checked_in_at"]
    for name in ("كارلا", "daoud"):
        check(payloads.Entry, league.check_in(slug, name))
    league.start(slug)
    given = check(payloads.Penalty, league.penalise(slug, "basil", -0.5, "came late"))
    assert check(payloads.Penalty, league.revoke(slug, given["id"], "he was there"))["revoked_by"] == "amal"
    assert check(list[payloads.Penalty], connect().tournaments.penalties(slug))[0]["points"] == -0.5
    assert check(payloads.Entry, league.disqualify(slug, "daoud", "two accounts"))["state"] == "disqualified"


def test_a_draw_of_fixed_pairs_is_edited_by_hand(amal):
    cast()
    league = amal.tournaments
    slug = league.create("Monday", "cardkings-partners", pairs=True)["slug"]
    league.open(slug)
    check(payloads.Entry, league.enter(slug, "amal", partner="daoud"))
    league.enter(slug, "basil", partner="كارلا")
    league.start(slug)
    version = league.draw(slug)["version"]
    places = {"table": 1, "seat": "S"}, {"table": 1, "seat": "N"}
    look = check(payloads.DrawEdit, league.swap(slug, 1, *places, version, preview=True))
    done = check(payloads.DrawEdit, league.swap(slug, 1, *places, version))
    assert (look["stored"], done["moved"], done["version"]) == (False, look["moved"], version + 1)


def test_a_table_that_is_judged(amal, basil):
    cast()
    Player.objects.create_user("elias")
    league = amal.tournaments
    slug = league.create("Monday", "cardkings")["slug"]
    league.open(slug)
    for name in NAMES:
        league.enter(slug, name)
    league.start(slug)
    league.draw(slug)
    round_ = league.publish(slug, 1)
    seat = next(seat for seat in round_["tables"][0]["seats"] if seat["player"]["name"] == "daoud")
    sat = check(payloads.Table, league.substitute(slug, 1, 1, seat["seat"], "elias"))
    assert [each["stands_in_for"]["name"] for each in sat["seats"] if each["stands_in_for"]] == ["daoud"]
    league.substitute(slug, 1, 1, seat["seat"], None)
    assert any(each["no_show"] for each in check(payloads.Table, league.no_show(slug, 1, 1, "S"))["seats"])
    annulled = check(payloads.Table, league.annul(slug, 1, 1, "rain"))["result"]
    assert (annulled["scores"], annulled["source"]) == (None, "annulled")
    again = check(payloads.Table, league.replay(slug, 1, 1, "dry again", annulled["id"]))
    bots_play_deals(Match.objects.get(code=again["match"]))
    record = amal.matches.record(again["match"])
    found = league.table(slug, 1, 1)["result"]
    imported = league.import_record(slug, 1, 1, record, "the same again", found and found["id"])
    assert check(payloads.Table, imported)["result"]["source"] == "imported"
    assert basil.tournaments.record(slug, 1, 1) == record


def test_stages_and_standings_by_stage_and_group(amal):
    cast()
    league = amal.tournaments
    stages = [{"format": "swiss", "rounds": 1}, {"format": "knockout", "cut": 2, "advance": 1}]
    slug = league.create("Monday", "cardkings", stages=stages)["slug"]
    league.open(slug)
    for name in NAMES:
        league.enter(slug, name)
    league.start(slug)
    league.draw(slug)
    league.publish(slug, 1)
    league.enter_result(slug, 1, 1, [30, 10, -10, -30], "played at home")
    league.close(slug, 1)
    started = check(payloads.StartedStage, league.start_stage(slug))
    assert (started["stage"]["number"], len(started["entries"])) == (2, 2)
    page = check(payloads.Standings, league.standings(slug, stage=1, group=1, page=2, page_size=3))
    assert (page["count"], page["next"], len(page["standings"])) == (4, None, 1)


def test_a_league_and_its_seasons(amal, connect):
    cast()
    leagues = amal.leagues
    made = leagues.create("Amman", divisions=2, division_size=2, promoted=1, settings={"rules": "cardkings"})
    slug = check(payloads.League, made)["slug"]
    assert check(payloads.League, leagues.change(slug, slug="amman-city"))["slug"] == "amman-city"
    plan = check(payloads.SeasonPlan, leagues.plan_season("amman-city", NAMES))
    assert [[place["player"] for place in division] for division in plan["divisions"]] == [
        ["amal", "basil"],
        ["كارلا", "daoud"],
    ]
    season = check(payloads.Season, leagues.open_season("amman-city", NAMES))
    for division in season["divisions"]:
        amal.tournaments.start(division["tournament"])
        amal.tournaments.cancel(division["tournament"])
    following = check(payloads.SeasonPlan, leagues.plan_season("amman-city"))
    assert following["number"] == 2
    everyone = connect().leagues
    assert check(payloads.Season, everyone.season("amman-city", 1))["divisions"][0]["state"] == "cancelled"
    assert len(check(list[payloads.SeasonSummary], everyone.seasons("amman-city"))) == 1
    assert check(payloads.LeaguePage, everyone.list())["results"][0] == everyone.get("amman-city")


def test_a_tournament_goes_out_and_comes_in_under_another_address(amal):
    cast()
    league = amal.tournaments
    slug = league.create("Monday", "cardkings", weights={"meeting": 7})["slug"]
    league.enter(slug, "basil")
    document = league.export(slug)
    assert (document["format"], document["name"]) == ("trix-tournament", "Monday")
    again = check(payloads.Tournament, league.import_document(document, "again", {"basil": "daoud"}))
    assert (again["slug"], again["weights"]) == ("again", {"meeting": 7})
    assert [entry["player"]["name"] for entry in league.entries("again")["results"]] == ["daoud"]


def test_a_cancelled_tournament_and_a_bot_at_a_table(amal, basil):
    cast()
    league = amal.tournaments
    slug = league.create("Monday", "cardkings", bot_level="random", clock={"play": 60})["slug"]
    league.open(slug)
    league.enter(slug)
    league.enter(slug, "basil")
    league.start(slug)
    league.draw(slug)
    league.publish(slug, 1)
    assert [
        seat["bot"] for seat in check(payloads.Round, basil.tournaments.round(slug, 1))["tables"][0]["seats"]
    ]
    assert check(payloads.Tournament, league.cancel(slug, "rain"))["state"] == "cancelled"


def test_ratings_players_and_histories(amal, connect):
    bots_play_deals(running("cardkings-complex"))
    Match.objects.update(rated=True)
    rate_finished()
    pools = check(list[payloads.Pool], amal.ratings.pools())
    assert "complex" in [pool["pool"] for pool in pools]
    board = check(payloads.LeaderboardPage, amal.ratings.leaderboard("complex", all=True))
    assert board["count"] == 4
    assert amal.ratings.leaderboard("complex")["count"] == 0
    profile = check(payloads.Profile, connect().players.get("كارلا"))
    assert [rating["pool"] for rating in profile["ratings"]] == ["complex"]
    history = check(payloads.HistoryPage, connect().players.history("كارلا", "complex"))
    assert len(history["results"][0]["players"]) == 4


def test_looks_at_ratings(amal, connect):
    match = running("cardkings-complex")
    bots_play_deals(match)
    code = match.code
    Match.objects.update(rated=True)
    before = check(payloads.MatchRating, amal.matches.rating(code))
    assert before["state"] == "waiting"
    rate_finished()
    rated = check(payloads.MatchRating, amal.matches.rating(code))
    assert (rated["state"], [seat["change"] is None for seat in rated["seats"]]) == ("rated", [False] * 4)
    spread = check(payloads.Distribution, amal.ratings.distribution("complex", "amal"))
    assert spread["player"]["player"]["name"] == "amal"
    assert amal.ratings.leaderboard_csv("complex", all=True).count("\n") == 5
    chances = check(list[payloads.PlayerOutlook], amal.ratings.expected("complex", "amal", "basil", "كارلا"))
    assert [outlook["player"]["name"] for outlook in chances] == ["amal", "basil", "كارلا"]
    record = check(payloads.Against, connect().players.against("amal", "كارلا"))
    assert record["pools"][0]["matches"] == 1
    recalculations.annul([LedgerMatch.objects.get()], None, "The cards were known.")
    recalculations.recalculate()
    told = check(payloads.RecalculationPage, amal.ratings.recalculations("complex", "amal"))
    assert told["results"][0]["matches"] == [code]


def test_pages_are_asked_for_by_number_and_size(amal):
    for _ in range(3):
        amal.matches.open("cardkings")
    first = amal.matches.list(page_size=2)
    second = amal.matches.list(page=2, page_size=2)
    assert (len(first["results"]), len(second["results"]), second["next"]) == (2, 1, None)
