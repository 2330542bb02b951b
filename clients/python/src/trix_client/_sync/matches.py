"""Tables and matches: opening, sitting down, acting, watching, playing; and what is said at tables."""

from contextlib import closing
from typing import Any, Unpack

from .. import payloads
from ..errors import ApiError
from ..messages import Choose, MatchMessage, Message, Place, Stream
from ..retries import FOREVER, Retries
from .streams import follow
from .transport import Transport

# Of an action that was chosen by a bot: somebody or something else was quicker.
TOO_LATE = {"stale_version", "match_over", "match_cancelled", "resigned", "already_answered"}


class Matches:
    """Tables and matches. `code` is a match's."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def list(
        self,
        *,
        status: payloads.Status | None = None,
        mine: bool = False,
        page: int | None = None,
        page_size: int | None = None,
    ) -> payloads.MatchPage:
        """The open tables, or matches of another `status`; with `mine` your own of any."""
        wanted = {"status": status, "mine": mine or None, "page": page, "page_size": page_size}
        found: payloads.MatchPage = self._http.get("matches", **wanted)
        return found

    def open(self, rules: str, **settings: Unpack[payloads.TableSettings]) -> payloads.Match:
        """Open a table and sit down at it.

        `options` are those of the rules, `bots` levels that sit down with you, `invite` names.
        """
        match: payloads.Match = self._http.create("matches", body={"rules": rules, **settings})
        return match

    def get(self, code: str, *, retries: Retries | None = None) -> payloads.Match:
        """A match with all that you may know of it."""
        match: payloads.Match = self._http.call("GET", ("matches", code), retries=retries)
        return match

    def join(self, code: str, *, join_code: str = "", seat: payloads.Seat | None = None) -> payloads.Match:
        """Sit down: on this seat, or the first free one."""
        body = ({"join_code": join_code} if join_code else {}) | ({"seat": seat} if seat else {})
        return self._step(code, "join", body, "already_seated")

    def leave(self, code: str) -> payloads.Match:
        """Get up. The table closes if you opened it; a running match goes to a bot."""
        return self._step(code, "leave", {}, "not_your_table", "match_cancelled", "match_over")

    def start(self, code: str, bots: str = "greedy") -> payloads.Match:
        """Start the table that you opened; bots of this level fill the free seats."""
        return self._step(code, "start", {"bots": bots}, "match_running", "match_over")

    def come_back(self, code: str) -> payloads.Match:
        """Take your seat back from the bot that plays on for you."""
        match: payloads.Match = self._http.post("matches", code, "return")
        return match

    def invite(self, code: str, player: str) -> payloads.Match:
        """Let a named player see your table and sit down without its code."""
        match: payloads.Match = self._http.create("matches", code, "invitations", body={"player": player})
        return match

    def uninvite(self, code: str, player: str) -> None:
        """Take an invitation back; with your own name, decline it."""
        self._http.delete("matches", code, "invitations", player)

    def rematch(self, code: str) -> payloads.Match:
        """Open the rematch of a finished match of yours, or join it if it is open."""
        match: payloads.Match = self._http.create("matches", code, "rematch")
        return match

    def abort(self, code: str, agree: bool = True) -> payloads.Match:
        """Call the match off: before the first action alone, later once all who are there agree."""
        return self._step(code, "abort", {"agree": agree}, "match_cancelled")

    def resign(self, code: str) -> payloads.Match:
        """Leave your seat to a bot until the end. There is no way back."""
        match: payloads.Match = self._http.post("matches", code, "resign")
        return match

    def act(self, code: str, action: str, version: int, *, retries: Retries | None = None) -> payloads.Move:
        """Act at the version that you saw. Raises Conflict (`stale_version`), AgainstRules (`legal`)."""
        body = {"action": action, "version": version}
        move: payloads.Move = self._http.call(
            "POST", ("matches", code, "actions"), body=body, retries=retries
        )
        return move

    def events(self, code: str, after: int = 0) -> payloads.Events:
        """The public actions after a version."""
        events: payloads.Events = self._http.get("matches", code, "events", after=after)
        return events

    def rating(self, code: str) -> payloads.MatchRating:
        """What a match is to ratings: what to expect of it, what it changed, or why nothing."""
        found: payloads.MatchRating = self._http.get("matches", code, "rating")
        return found

    def record(self, code: str, *, analysis: bool = False) -> str:
        """The `.trix` record: whole once the match is over. `trix_client.verify.verify_record` checks it.

        With `analysis` the mistakes stand in it as comments, once they are analysed.
        """
        return self._http.text("matches", code, "record", analysis=analysis or None)

    def analyse(self, code: str) -> payloads.AnalysisState:
        """Have a match analysed that is over, once; `analysis` has it when its state is `ready`."""
        state: payloads.AnalysisState = self._http.post("matches", code, "analysis")
        return state

    def analysis(
        self,
        code: str,
        *,
        deal: int | None = None,
        seat: payloads.Seat | None = None,
        mistakes: bool = False,
    ) -> payloads.Analysis:
        """What a bot thinks of each decision of a match, or of those of a deal, a seat, or of mistakes."""
        wanted = {"deal": deal, "seat": seat, "mistakes": mistakes or None}
        found: payloads.Analysis = self._http.get("matches", code, "analysis", **wanted)
        return found

    def stream(self, code: str, after: int | None = None) -> Stream[Message]:
        """A match as it goes on, until it is over. It resumes by itself and yields no action twice.

        First the match, then actions, countdowns, chat, and the match whenever it has changed. With `after`
        the actions after that version come first.
        """
        return follow(self._http, ("matches", code, "events"), Place(after))

    def play(self, code: str, choose: Choose) -> payloads.Match:
        """Play your seat to the end of the match, and return the match.

        ``choose`` gets the match whenever it is your turn, and gives one of `match["view"]["legal"]`. Raises
        what it raises, and AgainstRules for what is not legal. Started again in the middle, it goes on.
        """
        acted = -1
        with closing(self.stream(code)) as messages:
            for message in messages:
                if isinstance(message, MatchMessage) and message.id > acted:
                    acted = message.id if self.take_turn(message.data, choose) else acted
        return self.get(code, retries=FOREVER)

    def take_turn(self, match: payloads.Match, choose: Choose) -> bool:
        """Act if it is your turn in this match; whether you did. That somebody was quicker is no error."""
        view = match["view"]
        if view is None or not view["legal"]:
            return False
        action = choose(match)
        try:
            self.act(match["code"], action, view["version"], retries=FOREVER)
        except ApiError as error:
            if error.code not in TOO_LATE:
                raise
            return False
        return True

    def _step(self, code: str, step: str, body: dict[str, Any], *done: str) -> payloads.Match:
        """A step at a table, which the server refuses with one of these codes once it is done."""
        match: payloads.Match = self._http.step(
            "POST",
            *("matches", code, step),
            body=body,
            done=lambda error: error.code in done,
            then=("matches", code),
        )
        return match


class Chat:
    """What the players of a table say to each other, and whom you do not want to read."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def messages(self, code: str, after: int | None = None) -> list[payloads.Said]:
        """What was said at a table, after the message of this id."""
        chat: payloads.Chat = self._http.get("matches", code, "chat", after=after)
        return chat["messages"]

    def send(self, code: str, text: str) -> payloads.Said:
        said: payloads.Said = self._http.create("matches", code, "chat", body={"text": text})
        return said

    def report(self, code: str, message: int, reason: str = "") -> None:
        """Tell those who run the server that a message does not belong there."""
        self._http.step(
            "POST",
            *("matches", code, "chat", message, "report"),
            body={"reason": reason},
            done=lambda error: error.code == "already_reported",
        )

    def mutes(self, *, page: int | None = None, page_size: int | None = None) -> payloads.MutePage:
        """Whom you have muted, the latest first."""
        found: payloads.MutePage = self._http.get("account", "mutes", page=page, page_size=page_size)
        return found

    def mute(self, player: str) -> payloads.Mute:
        """Read nothing more of what this player says."""
        mute: payloads.Mute = self._http.put("account", "mutes", player, body={})
        return mute

    def unmute(self, player: str) -> None:
        self._http.delete("account", "mutes", player)
