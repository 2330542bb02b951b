"""What the server answers, as typed dictionaries: the JSON as it is, nothing renamed or converted.

Times are texts in ISO 8601, cards texts such as "KH", seats the letters S, E, N and W.
"""

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, Required, TypedDict

Seat = Literal["S", "E", "N", "W"]
Contract = Literal["king", "queens", "diamonds", "ltoosh", "trix", "complex"]
Status = Literal["open", "running", "finished", "cancelled"]
Visibility = Literal["public", "code", "private"]
OnTimeout = Literal["bot", "wait"]
Scope = Literal["play", "organise", "read"]
TournamentState = Literal["draft", "registration", "running", "finished", "cancelled"]
TournamentVisibility = Literal["public", "unlisted", "code"]
Format = Literal["swiss", "round_robin", "knockout", "arena"]
Fill = Literal["bots", "byes", "short"]
EntryState = Literal["active", "waiting", "withdrawn", "disqualified"]


class Page(TypedDict):
    """What every page of a list has beside its `results`: addresses of its neighbours."""

    count: int
    next: str | None
    previous: str | None


# Accounts


class Account(TypedDict):
    name: str
    is_bot: bool


class AccountEmail(Account):
    email: str


class Token(TypedDict):
    code: str
    name: str
    scopes: list[Scope]
    created: str
    expiry: str | None


class NewToken(Token):
    """`token` is its text, shown this once."""

    token: str


class CurrentToken(Token):
    player: Account


# Matches


class Points(TypedDict):
    """One number a seat."""

    S: int
    E: int
    N: int
    W: int


class Teams(TypedDict):
    SN: int
    EW: int


class Clock(TypedDict):
    """Seconds for an action of each kind, and beyond them for the whole match; None is no limit."""

    choose: int | None
    double: int | None
    play: int | None
    bank: int | None


class Sitter(TypedDict):
    """A seat: a player, a house bot's level, or nobody yet. A bot plays on for who is `away`."""

    seat: Seat
    player: Account | None
    bot: str | None
    away: bool
    gone: bool
    resigned: bool
    agrees_to_abort: bool


class MatchSummary(TypedDict):
    """A match as lists show it."""

    code: str
    status: Status
    rules: str
    options: dict[str, Any]
    visibility: Visibility
    rated: bool
    opened_by: str | None
    clock: Clock
    on_timeout: OnTimeout
    bot_delay: float
    hands_delay: int | None
    rematch: str | None
    created_at: str
    started_at: str | None
    finished_at: str | None
    seats: list[Sitter]
    you: Seat | None
    version: int
    totals: Points
    winners: list[Seat]


class MatchPage(Page):
    results: list[MatchSummary]


class DealResult(TypedDict):
    number: int
    owner: Seat
    contract: Contract
    scores: Points


class Play(TypedDict):
    seat: Seat
    action: str


class Trick(TypedDict):
    leader: Seat
    cards: list[str]


class CardsBySeat(TypedDict):
    S: list[str]
    E: list[str]
    N: list[str]
    W: list[str]


class Layout(TypedDict):
    """The rows of a trix deal: the lowest and the highest card of each suit, once its jack is down."""

    S: list[str] | None
    H: list[str] | None
    D: list[str] | None
    C: list[str] | None


class DealView(TypedDict):
    """The deal on the table. In trix `trick`, `tricks` and `taken` are None, in others `layout` and `out`."""

    number: int
    of: int
    owner: Seat
    contract: Contract | None
    remaining: list[Contract]
    redealt: bool
    doubled: dict[str, Seat]
    plays: list[Play]
    counts: Points
    trick: Trick | None
    tricks: Points | None
    taken: CardsBySeat | None
    layout: Layout | None
    out: list[Seat] | None
    exposed: CardsBySeat | None
    scores: Points


class View(TypedDict):
    """What a seat, or a spectator, may know. `to_act` is None while doubling; only `legal` tells."""

    version: int
    seat: Seat | None
    phase: Literal["choose", "double", "play", "over"]
    to_act: Seat | None
    hand: list[str] | None
    legal: list[str]
    my_double: list[str] | None
    deal: DealView
    results: list[DealResult]
    totals: Points
    teams: Teams | None
    over: bool
    winners: list[Seat]
    tie: Literal["shared", "draw"] | None


class Match(MatchSummary):
    """A match with all that the caller may know of it. `view` is None before it starts."""

    join_code: str | None
    commitment: str
    secret: str | None
    deadline: str | None
    view: View | None
    invited: list[str] | None
    banks: dict[Seat, float] | None


class MyMatch(MatchSummary):
    """A match of the caller's, as his account lists it."""

    to_act: Seat | None
    your_turn: bool


class Invitation(TypedDict):
    match: MatchSummary
    by: str | None
    at: str


class Me(Account):
    matches: list[MyMatch]
    invitations: list[Invitation]


class Move(TypedDict):
    """The answer to an action."""

    match: str
    version: int
    deadline: str | None
    view: View


class NextDeal(TypedDict):
    number: int
    owner: Seat


class Event(TypedDict):
    """One public action, or the reveal of all doubles: that has no seat and no action, but `doubled`."""

    version: int
    deal: int
    seat: Seat | None
    action: str | None
    doubled: dict[str, Seat] | None
    at: str
    result: DealResult | None
    next_deal: NextDeal | None


class Events(TypedDict):
    version: int
    events: list[Event]


class Candidate(TypedDict):
    """What a legal action was worth: expected points, their standard error, over so many imagined deals."""

    action: str
    points: float
    error: float
    worlds: int


class Decision(TypedDict):
    """What a seat did, what would have been best, and the points that lost. `play` counts within the deal."""

    deal: int
    version: int
    play: int | None
    seat: Seat
    played: str
    best: str
    lost: float
    error: float
    mistake: bool
    candidates: list[Candidate]


class DecisionSums(TypedDict):
    """Of a seat: `lost` are the points by mistakes."""

    decisions: int
    mistakes: int
    lost: float
    lost_per_deal: float


class SumsBySeat(TypedDict):
    S: DecisionSums
    E: DecisionSums
    N: DecisionSums
    W: DecisionSums


class AnalysisState(TypedDict):
    """`deals` of the match are analysed so far."""

    match: str
    state: Literal["asked", "ready", "failed"]
    asked_at: str
    done_at: str | None
    deals: int


class Analysis(AnalysisState):
    """`seats` and `decisions` are None until it is ready."""

    seats: SumsBySeat | None
    decisions: list[Decision] | None


class Countdown(TypedDict):
    """A clock that runs low. `seat` is None while doubling, whoever is asked."""

    seat: Seat | None
    seconds: int
    deadline: str
    then: Literal["bot_plays", "first_contract", "no_double", "waits"]


# Chat


class Said(TypedDict):
    """One message at a table; its player is None once the account is deleted."""

    id: int
    player: Account | None
    text: str
    at: str


class Chat(TypedDict):
    messages: list[Said]


class Mute(TypedDict):
    """Somebody whose messages you do not read."""

    player: Account
    at: str


class MutePage(Page):
    results: list[Mute]


# Webhooks


class Webhook(TypedDict):
    code: str
    url: str
    events: list[str]
    active: bool
    created_by: str
    created_at: str


class NewWebhook(Webhook):
    """`key` signs what is sent; shown this once. See `verify_webhook`."""

    key: str


class Delivery(TypedDict):
    """One event for one webhook: `id` is what its header `webhook-id` says, `data` what is told."""

    id: str
    event: str
    data: dict[str, Any]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    created_at: str
    sent_at: str | None
    due_at: str | None
    response_status: int | None
    response: str


class DeliveryPage(Page):
    results: list[Delivery]


# Tournaments


class Stage(TypedDict):
    """A part of a tournament. `rounds` is None where it ends by itself, `cut` where everyone comes in.

    `ends_at` is that of an arena that has begun.
    """

    number: int
    format: Format
    rounds: int | None
    groups: int
    cut: int | None
    advance: int
    minutes: int | None
    started_at: str | None
    ends_at: str | None


class TournamentSummary(TypedDict):
    """A tournament as lists show it. `rounds_planned` is None where a stage ends by itself."""

    slug: str
    name: str
    description: str
    state: TournamentState
    visibility: TournamentVisibility
    rules: str
    options: dict[str, Any]
    pairs: bool
    cap: int | None
    fill: Fill
    place_points: list[int]
    bye_points: float
    weights: dict[str, int]
    grace: int | None
    time_zone: str
    rounds_planned: int | None
    stages: list[Stage]
    metrics: list[str]
    clock: Clock
    on_timeout: OnTimeout
    bot_level: str
    bot_delay: float
    rated: bool
    same_cards: bool
    automatic: bool
    created_at: str
    check_in_at: str | None
    started_at: str | None
    ended_at: str | None


class TournamentPage(Page):
    results: list[TournamentSummary]


class You(TypedDict):
    """What the caller has to do with a tournament; `match` is his running match there."""

    organiser: bool
    entry: EntryState | None
    checked_in: bool
    match: str | None


class Tournament(TournamentSummary):
    """`join_code` is told to officials, where entering takes one."""

    organisers: list[str]
    assistants: list[str]
    referees: list[str]
    join_code: str | None
    entries: int
    waiting: int
    rounds_closed: int
    you: You | None


class Placed(TypedDict):
    """A place in a ranking; `partner` is that of a fixed pair."""

    rank: int
    player: Account
    partner: Account | None


class RankingPage(Page):
    results: list[Placed]


class Performed(TypedDict):
    """The rating that a player of a tournament played like; None if he met nobody with a rating."""

    rank: int
    player: Account
    performance: float | None
    matches: int
    opponents: float | None


class PerformancePage(Page):
    results: list[Performed]


class FinishedTournament(Tournament):
    """The final ranking over all stages; not there where the first answer was lost on its way."""

    ranking: NotRequired[list[Placed]]


class StartedStage(TypedDict):
    """Who came in, the first seed first. Those in `by_seed` were equal at the cut."""

    stage: Stage
    entries: list[str]
    by_seed: list[str]


class RoundDate(TypedDict):
    number: int
    starts_at: str
    ends_at: str | None


class Dates(TypedDict):
    time_zone: str
    dates: list[RoundDate]


class Entry(TypedDict):
    """Who takes part; `partner` is that of a fixed pair."""

    player: Account
    partner: Account | None
    state: EntryState
    seed_rating: float | None
    entered_at: str
    checked_in_at: str | None


class EntryPage(Page):
    results: list[Entry]


class BadLine(TypedDict):
    """Of a CSV file: the number of a line, what stands there, what is wrong and what would be right."""

    line: int
    text: str
    code: str
    detail: str


class Imported(TypedDict):
    """What came of a CSV file, or of a preview would (`entered` is False). `waiting` are beyond the cap."""

    entered: bool
    entries: int
    waiting: int
    bad: list[BadLine]


class Penalty(TypedDict):
    """Points below 0 are a penalty, above a bonus."""

    id: int
    stage: int
    player: Account
    partner: Account | None
    points: float
    reason: str
    given_by: str | None
    given_at: str
    revoked_by: str | None
    revoked_at: str | None


class RoundSummary(TypedDict):
    """`version` counts the edits of the draw by hand."""

    number: int
    stage: int
    state: Literal["drawn", "published", "closed"]
    version: int
    drawn_at: str
    published_at: str | None
    closed_at: str | None


class TableSeat(TypedDict):
    """`player` is who really sits there, `stands_in_for` for whom if he is a substitute."""

    seat: Seat
    player: Account | None
    stands_in_for: Account | None
    no_show: bool
    bot: str | None
    you: bool


class Scores(TypedDict):
    """One number a seat; None where nobody sat."""

    S: int | None
    E: int | None
    N: int | None
    W: int | None


class TableResult(TypedDict):
    """`scores` is None where the table is annulled."""

    id: int
    scores: Scores | None
    source: Literal["played", "entered", "imported", "annulled"]
    reason: str
    at: str


class Table(TypedDict):
    """A table of a round: `totals` of the deals that are over, and the result that counts."""

    round: int
    number: int
    group: int
    seats: list[TableSeat]
    match: str | None
    status: Status | None
    totals: Points | None
    result: TableResult | None


class DrawReport(TypedDict):
    """What the draw of a group cost; players are named. `from_plan`: as a round robin was planned."""

    group: int
    cost: int
    mean_spread: float
    max_spread: float
    repeats: list[list[str]]
    consecutive: list[list[str]]
    partner_repeats: list[list[str]]
    seat_imbalance: int
    neighbour_repeats: int
    bot_tables: int
    at_bot_tables: list[str]
    byes: list[str]
    second_bots: list[str]
    table_costs: list[int]
    from_plan: bool
    steps: int


class Round(RoundSummary):
    """`reports` has one for each group."""

    tables: list[Table]
    reports: list[DrawReport]


class DrawEdit(TypedDict):
    """What a swap changed, or would change (`stored` is False): who moves where, and what the draw costs."""

    version: int
    stored: bool
    moved: list[str]
    before: DrawReport
    after: DrawReport


class Standing(TypedDict):
    """A line of standings; `values` by metric."""

    rank: int
    player: Account
    partner: Account | None
    state: EntryState
    played: int
    values: dict[str, float]


class StandingsOf(TypedDict):
    """Which standings: without a `stage` none has begun, without a `group` they are those of all."""

    tournament: str
    state: TournamentState
    stage: int | None
    group: int | None
    live: bool
    metrics: list[str]


class Standings(StandingsOf, Page):
    """A page of standings."""

    standings: list[Standing]


class Appearance(TypedDict):
    """What an entry had at one table; None among the opponents is a bot."""

    round: int
    score: int
    place: int
    points: float
    opponents: list[str | None]


class ComparedStanding(Standing):
    """`adjustment` are the penalties and bonuses."""

    adjustment: float
    byes: int
    tables: list[Appearance]


class Comparison(StandingsOf):
    """Why one entry stands above another: on `metric` they differ first, on those in `equal` they do not."""

    sentence: str
    equal: list[str]
    metric: str | None
    above: ComparedStanding
    below: ComparedStanding


class Logged(TypedDict):
    """A line of a tournament's log; without an actor the service itself did it."""

    at: str
    actor: str | None
    action: str
    data: dict[str, Any]


class LogPage(Page):
    results: list[Logged]


class TournamentNews(TypedDict, total=False):
    """What the account's stream tells of a tournament."""

    tournament: str
    round: int
    match: str


# Leagues


class League(TypedDict):
    """A league; `seasons` is how many were opened."""

    slug: str
    name: str
    description: str
    organisers: list[str]
    divisions: int
    division_size: int
    promoted: int
    settings: dict[str, Any]
    seasons: int
    created_at: str


class LeaguePage(Page):
    results: list[League]


class SeasonSummary(TypedDict):
    """`tournaments` are the addresses of the divisions, the strongest first."""

    number: int
    created_at: str
    tournaments: list[str]


class Division(TypedDict):
    """A division of a season: its tournament, the first of the standings, who came up and who came down."""

    division: int
    tournament: str
    name: str
    state: TournamentState
    entries: int
    head: list[Placed]
    promoted: list[str]
    relegated: list[str]


class Season(TypedDict):
    league: str
    number: int
    created_at: str
    divisions: list[Division]


class PlannedPlace(TypedDict):
    """Who would play in a division, and why; `equal` had the same rank, and another fate."""

    player: str
    division: int
    before: int | None
    rank: int | None
    why: str
    equal: list[str]


class Left(TypedDict):
    """Who does not play on, and why."""

    player: str
    division: int
    why: str


class SeasonPlan(TypedDict):
    number: int
    divisions: list[list[PlannedPlace]]
    left: list[Left]


# Ratings


class Pool(TypedDict):
    pool: str
    name: str
    programs: bool
    players: int


class RatingInfo(TypedDict):
    rating: float
    provisional: bool
    matches: int
    last_match_at: str


class Ranked(RatingInfo):
    rank: int
    player: Account


class LeaderboardPage(Page):
    results: list[Ranked]


class PoolRating(RatingInfo):
    pool: str


class Profile(Account):
    ratings: list[PoolRating]


class RatedPlayer(TypedDict):
    player: Account
    before: float
    place: int
    left: bool


class Change(TypedDict):
    """One rated match of a history; `match` is None for a private one of others."""

    match: str | None
    finished_at: str
    place: int
    left: bool
    before: float
    after: float
    change: float
    provisional: bool
    n: int
    k: float
    pairs: int
    expected: float
    score: float
    players: list[RatedPlayer]


class HistoryPage(Page):
    results: list[Change]


Bin = TypedDict("Bin", {"from": int, "to": int, "players": int})


class RatingAmongAll(RatingInfo):
    """`percentile`: the share, 0 to 100, of the listed ratings below his; half of those equal to it."""

    player: Account
    percentile: float | None


class Distribution(TypedDict):
    players: int
    mean: float | None
    quartiles: list[float] | None
    bins: list[Bin]
    player: RatingAmongAll | None


class Outlook(TypedDict):
    """What to expect of a player at a table; no chances where no rated player is on another side."""

    pool: str
    rating: float
    provisional: bool
    expected_place: float | None
    win_chance: float | None
    place_chances: list[float] | None


class PlayerOutlook(Outlook):
    player: Account


class Expected(TypedDict):
    pool: str
    players: list[PlayerOutlook]


class SeatChange(TypedDict):
    pool: str
    place: int
    left: bool
    before: float
    after: float
    change: float


class RatedSeat(TypedDict):
    seat: Seat
    player: Account | None
    bot: str | None
    before: Outlook | None
    change: SeatChange | None


class MatchRating(TypedDict):
    """What a match is to ratings; `reason`, and as a sentence `detail`: why it is not rated, or not yet."""

    match: str
    state: Literal["before", "waiting", "rated", "not_rated"]
    reason: str | None
    detail: str | None
    seats: list[RatedSeat]


class Parameter(TypedDict):
    was: float
    now: float


class Revised(TypedDict):
    before: float | None
    after: float | None


class RatingRecalculation(TypedDict):
    """Why ratings moved without a match."""

    done_at: str
    cause: Literal["annulment", "restoration", "parameters", "rebuild"]
    note: str
    matches: list[str | None]
    parameters: dict[str, Parameter]
    computed: int
    moved: int
    player: Revised | None


class RecalculationPage(Page):
    results: list[RatingRecalculation]


class AgainstInPool(TypedDict):
    """Of `matches` in which both were rated, `partners` as such; `expected` and `score` are of the others."""

    pool: str
    matches: int
    partners: int
    above: int
    level: int
    below: int
    expected: float
    score: float


class Against(TypedDict):
    player: Account
    other: Account
    pools: list[AgainstInPool]


# What is sent


class TokenOptions(TypedDict, total=False):
    """Of a new token; `expires_in` is in days."""

    name: str
    scopes: Sequence[Scope]
    expires_in: int


class ClockSettings(TypedDict, total=False):
    choose: int | None
    double: int | None
    play: int | None
    bank: int | None


class TableSettings(TypedDict, total=False):
    """How a table is opened."""

    options: dict[str, Any]
    visibility: Visibility
    clock: ClockSettings
    on_timeout: OnTimeout
    bot_delay: float
    hands_delay: int | None
    rated: bool
    seat: Seat
    bots: Sequence[str]
    invite: Sequence[str]


class StageSettings(TypedDict, total=False):
    """A stage; what is left out has its usual value."""

    format: Required[Format]
    rounds: int
    groups: int
    cut: int
    advance: int
    minutes: int


class TournamentSettings(TypedDict, total=False):
    """How a tournament is created; `grace` is in seconds."""

    slug: str
    description: str
    visibility: TournamentVisibility
    options: dict[str, Any]
    stages: Sequence[StageSettings]
    pairs: bool
    cap: int | None
    fill: Fill
    place_points: Sequence[int]
    bye_points: float
    weights: dict[str, int]
    grace: int | None
    time_zone: str
    metrics: Sequence[str]
    clock: ClockSettings
    on_timeout: OnTimeout
    bot_level: str
    bot_delay: float
    rated: bool
    same_cards: bool
    automatic: bool
    seed: int


class TournamentChanges(TournamentSettings, total=False):
    """What of a tournament is to change."""

    name: str
    rules: str


class EntryChanges(TypedDict, total=False):
    """What of an entry is to change; without a seed rating it has the one at the start."""

    seed_rating: float | None
    partner: str


class Officials(TypedDict, total=False):
    """Names by role; roles that are left out stay as they are."""

    organisers: Sequence[str]
    assistants: Sequence[str]
    referees: Sequence[str]


class Place(TypedDict, total=False):
    """A place of a drawn round: a table and a seat, or the bye of a player."""

    table: int
    seat: Seat
    bye: str


class DateSettings(TypedDict, total=False):
    """When a round begins and must be over; times carry their offset, as in 2027-01-30T19:00:00+02:00."""

    number: Required[int]
    starts_at: Required[str]
    ends_at: str | None


class LeagueSettings(TypedDict, total=False):
    """How a league is created; `settings` are those of each division, `rules` among them."""

    slug: str
    description: str
    divisions: int
    division_size: int
    promoted: int
    settings: dict[str, Any]


class LeagueChanges(LeagueSettings, total=False):
    """What of a league is to change."""

    name: str
    organisers: Sequence[str]


# Errors


class Problem(TypedDict):
    """RFC 9457; what helps comes in further members, which `ApiError.members` has."""

    type: str
    title: str
    status: int
    detail: str
    code: str
