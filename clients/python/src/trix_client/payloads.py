"""What the server answers, as typed dictionaries: the JSON as it is, nothing renamed or converted.

Times are texts in ISO 8601, cards texts such as "KH", seats the letters S, E, N and W.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

Seat = Literal["S", "E", "N", "W"]
Contract = Literal["king", "queens", "diamonds", "ltoosh", "trix", "complex"]
Status = Literal["open", "running", "finished", "cancelled"]
Visibility = Literal["public", "code", "private"]
OnTimeout = Literal["bot", "wait"]
Scope = Literal["play", "organise", "read"]
TournamentState = Literal["draft", "registration", "running", "finished", "cancelled"]
EntryState = Literal["active", "withdrawn"]


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


class TournamentSummary(TypedDict):
    """A tournament as lists show it."""

    slug: str
    name: str
    description: str
    state: TournamentState
    visibility: Literal["public", "unlisted"]
    rules: str
    options: dict[str, Any]
    rounds_planned: int
    metrics: list[str]
    clock: Clock
    on_timeout: OnTimeout
    bot_level: str
    bot_delay: float
    rated: bool
    same_cards: bool
    automatic: bool
    created_at: str
    started_at: str | None
    ended_at: str | None


class TournamentPage(Page):
    results: list[TournamentSummary]


class You(TypedDict):
    """What the caller has to do with a tournament; `match` is his running match there."""

    organiser: bool
    entry: EntryState | None
    match: str | None


class Tournament(TournamentSummary):
    organisers: list[str]
    entries: int
    rounds_closed: int
    you: You | None


class Entry(TypedDict):
    player: Account
    state: EntryState
    entered_at: str


class EntryPage(Page):
    results: list[Entry]


class RoundSummary(TypedDict):
    number: int
    state: Literal["drawn", "published", "closed"]
    drawn_at: str
    published_at: str | None
    closed_at: str | None


class TableSeat(TypedDict):
    seat: Seat
    player: Account | None
    bot: str | None
    you: bool


class TableResult(TypedDict):
    id: int
    scores: Points
    source: Literal["played", "entered"]
    reason: str
    at: str


class Table(TypedDict):
    """A table of a round: `totals` of the deals that are over, and the result that counts."""

    round: int
    number: int
    seats: list[TableSeat]
    match: str | None
    status: Status | None
    totals: Points | None
    result: TableResult | None


class DrawReport(TypedDict):
    """What a draw cost; players are named."""

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
    steps: int


class Round(RoundSummary):
    tables: list[Table]
    report: DrawReport


class Standing(TypedDict):
    rank: int
    player: Account
    state: EntryState
    played: int
    values: dict[str, float]


class Standings(TypedDict):
    tournament: str
    state: TournamentState
    live: bool
    metrics: list[str]
    standings: list[Standing]


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
    players: list[RatedPlayer]


class HistoryPage(Page):
    results: list[Change]


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


class TournamentSettings(TypedDict, total=False):
    """How a tournament is created."""

    slug: str
    description: str
    visibility: Literal["public", "unlisted"]
    options: dict[str, Any]
    rounds_planned: int
    metrics: list[str]
    clock: ClockSettings
    on_timeout: OnTimeout
    bot_level: str
    bot_delay: float
    rated: bool
    same_cards: bool
    automatic: bool
    seed: int


# Errors


class Problem(TypedDict):
    """RFC 9457; what helps comes in further members, which `ApiError.members` has."""

    type: str
    title: str
    status: int
    detail: str
    code: str
