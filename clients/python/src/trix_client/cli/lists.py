"""Lists as tables: matches, tournaments, standings, ratings. Pure functions of what the server answered."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from .typed import action_words
from .words import TITLES, Document, clock, points, safe, sitter


def matches_table(matches: Iterable[Document]) -> Table:
    table = _table("code", "rules", "status", "clock", "players")
    for match in matches:
        players = Text(", ").join(_seat(match, seat) for seat in match["seats"])
        table.add_row(match["code"], _rules(match), _status(match), clock_words(match["clock"]), players)
    return table


def invitations_table(invitations: Iterable[Document]) -> Table:
    table = _table("code", "rules", "clock", "by")
    for invitation in invitations:
        match = invitation["match"]
        by = Text(safe(invitation["by"] or ""))
        table.add_row(match["code"], _rules(match), clock_words(match["clock"]), by)
    return table


def _seat(match: Document, seat: Document) -> Text:
    if not (seat["player"] or seat["bot"]):
        return Text("free", "green" if match["status"] == "open" else "bright_black")
    won = "★ " if seat["seat"] in match["winners"] else ""
    name = player_words(seat["player"]) if seat["player"] else sitter(seat)
    return Text(won + name, "bold" if seat["seat"] == match["you"] else "italic" if seat["bot"] else "")


def _rules(match: Document) -> Text:
    private = {"code": " (by code)", "private": " (private)"}.get(match["visibility"], "")
    return Text(match["rules"] + ("*" if match["options"] else "") + private)


def _status(match: Document) -> Text:
    """Its state, and whose turn it is where the account tells."""
    if match.get("your_turn"):
        return Text("your turn", "bold green")
    if match["status"] == "finished" and match["you"]:
        return Text(points(match["totals"][match["you"]]), "cyan")
    return Text(match["status"])


def clock_words(times: Document) -> str:
    """ "30 s a move + 5:00", or "none"."""
    move = times["play"]
    words = "none" if move is None else f"{move} s" if move < 120 else clock(move)
    return words + (f" + {clock(times['bank'])}" if times.get("bank") else "")


def sums_table(analysis: Document) -> Table:
    """Of an analysis: how each seat played."""
    table = _table("seat", "decisions", "mistakes", "points lost", "a deal")
    for seat, of in analysis["seats"].items():
        numbers = of["decisions"], of["mistakes"], of["lost"], of["lost_per_deal"]
        table.add_row(TITLES[seat], *(f"{number:g}" for number in numbers))
    return table


def decisions_table(analysis: Document) -> Table:
    table = _table("deal", "play", "seat", "played", "best", "points lost")
    for one in analysis["decisions"]:
        lost = f"{one['lost']:.1f} ± {1.96 * one['error']:.1f}"
        what = action_words(one["played"]), action_words(one["best"])
        table.add_row(str(one["deal"]), str(one["play"] or ""), one["seat"], *what, lost)
    return table


def tournaments_table(tournaments: Iterable[Document]) -> Table:
    table = _table("slug", "name", "state", "rules", "rounds")
    for one in tournaments:
        rounds = one["rounds_planned"]
        planned = "open" if rounds is None else str(rounds)
        table.add_row(one["slug"], Text(safe(one["name"])), one["state"], one["rules"], planned)
    return table


def leagues_table(leagues: Iterable[Document]) -> Table:
    table = _table("slug", "name", "divisions", "seasons")
    for one in leagues:
        table.add_row(one["slug"], Text(safe(one["name"])), str(one["divisions"]), str(one["seasons"]))
    return table


def standings_table(standings: Document) -> Table:
    table = _table("", "player", "played", *standings["metrics"])
    for line in standings["standings"]:
        both = [line["player"], *([line["partner"]] if line["partner"] else [])]
        words = " & ".join(player_words(player) for player in both)
        name = Text(words, "" if line["state"] == "active" else "strike")
        values = [f"{line['values'][metric]:g}" for metric in standings["metrics"]]
        table.add_row(str(line["rank"]), name, str(line["played"]), *values)
    return table


def pools_table(pools: Iterable[Document]) -> Table:
    table = _table("pool", "name", "players")
    for pool in pools:
        table.add_row(pool["pool"], Text(safe(pool["name"])), str(pool["players"]))
    return table


def ratings_table(ranked: Iterable[Document]) -> Table:
    table = _table("", "player", "rating", "matches")
    for line in ranked:
        rating = f"{line['rating']:.0f}{'?' if line['provisional'] else ''}"
        table.add_row(str(line["rank"]), Text(player_words(line["player"])), rating, str(line["matches"]))
    return table


def player_words(player: Document) -> str:
    return safe(player["name"]) + (" bot" if player["is_bot"] else "")


def _table(*columns: str) -> Table:
    """Names and players may take several lines, all else takes one."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        words = column in ("name", "player", "players")
        table.add_column(column, no_wrap=not words, overflow="fold", justify="left")
    return table
