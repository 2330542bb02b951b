"""The rules a second time, slow and plain, to hold the engine against.

Written from the rule pages and the design's rules page, in card texts, and sharing nothing with the
engine but the names and values of its options. A deal is its hands and the list of what was said;
everything else is worked out from those two each time it is asked for.
"""

from dataclasses import dataclass, field

from games.engine import Options

RANKS = "23456789TJQKA"
PENALTY_CARDS = {
    "king": {"KH"},
    "queens": {"QS", "QH", "QD", "QC"},
    "diamonds": {rank + "D" for rank in RANKS},
    "ltoosh": set(),
}
PENALTY_CARDS["complex"] = PENALTY_CARDS["king"] | PENALTY_CARDS["queens"] | PENALTY_CARDS["diamonds"]
CONTRACTS = {"classic": ["king", "queens", "diamonds", "ltoosh", "trix"], "complex": ["complex", "trix"]}
DOUBLED_IN = {
    "king": {"KH"},
    "queens": PENALTY_CARDS["queens"],
    "complex": PENALTY_CARDS["queens"] | {"KH"},
}

# The doubling table, in units of the card's value: what the taker and the leader of the trick get
# when the doubler himself takes the card (both fall to one seat when he led it).
SELF_TAKEN = {
    # self_take: (another led: taker, leader; he led it himself: taker)
    "plain": (-1, 0, -1),
    "leader": (-2, 1, -2),
    "leader_or_self": (-2, 1, -1),
}

Play = tuple[int, str]


def rank_of(card: str) -> int:
    return RANKS.index(card[0])


def has_bare_heart(hands: list[set[str]]) -> bool:
    hearts = [{card for card in hand if card[1] == "H"} for hand in hands]
    return {"KH"} in hearts or {"AH"} in hearts


@dataclass
class Deal:
    """One deal: who owns it, what is still to be chosen, the hands, and all that was said."""

    options: Options
    number: int
    owner: int
    remaining: list[str]
    first_hands: list[set[str]]
    second_hands: list[set[str]] | None = None
    said: list[Play] = field(default_factory=list)

    # -- what was said -------------------------------------------------------------------------

    def words(self, verb: str) -> list[tuple[int, list[str]]]:
        return [(seat, text.split()[1:]) for seat, text in self.said if text.split()[0] == verb]

    @property
    def contract(self) -> str | None:
        chosen = self.words("choose")
        if chosen:
            return chosen[0][1][0]
        return self.remaining[0] if len(self.remaining) == 1 else None

    @property
    def redealt(self) -> bool:
        if self.options.redeal == "bare_heart":
            return self.contract == "king" and has_bare_heart(self.first_hands)
        return bool(self.words("redeal"))

    @property
    def dealt(self) -> list[set[str]]:
        if self.redealt:
            assert self.second_hands is not None
            return self.second_hands
        return self.first_hands

    @property
    def answers(self) -> dict[int, set[str]]:
        return {seat: set(cards) - {"none"} for seat, cards in self.words("double")}

    @property
    def plays(self) -> list[Play]:
        """Every card, and ``pass``, with its seat."""
        return [(seat, text.removeprefix("play ")) for seat, text in self.said if text[:2] in ("pl", "pa")]

    def held(self, seat: int, plays: list[Play] | None = None) -> set[str]:
        """The seat's cards after these plays; after all of them if none are named."""
        gone = {card for _, card in (self.plays if plays is None else plays)}
        return self.dealt[seat] - gone

    # -- phases --------------------------------------------------------------------------------

    def asked(self) -> dict[int, set[str]]:
        """Each seat that is asked to double, with what it may double."""
        if not self.options.doubling or self.contract not in DOUBLED_IN:
            return {}
        may = {seat: self.dealt[seat] & DOUBLED_IN[self.contract] for seat in range(4)}
        return {seat: cards for seat, cards in may.items() if cards}

    def phase(self) -> str:
        if self.contract is None:
            return "choose"
        if self.asked().keys() != self.answers.keys():
            return "double"
        return "over" if self.is_over() else "play"

    def to_act(self) -> list[int]:
        phase = self.phase()
        if phase == "double":
            return sorted(self.asked().keys() - self.answers.keys())
        if phase == "play":
            return [self.turn()]
        return [self.owner] if phase == "choose" else []

    def turn(self) -> int:
        if self.contract != "trix":
            tricks = self.tricks()
            if tricks and len(tricks[-1]) < 4:
                return (tricks[-1][-1][0] + 1) % 4
            return taker(tricks[-1]) if tricks else self.owner
        if not self.plays:
            return self.owner
        seat = (self.plays[-1][0] + 1) % 4
        while seat in self.gone_out():
            seat = (seat + 1) % 4
        return seat

    def is_over(self) -> bool:
        if self.contract == "trix":
            return self.trix_is_over()
        tricks = [trick for trick in self.tricks() if len(trick) == 4]
        if len(tricks) == 13:
            return True
        taken = {card for trick in tricks for _, card in trick}
        if not self.options.early_end or self.contract not in ("king", "queens", "diamonds"):
            return False
        return PENALTY_CARDS[self.contract] <= taken

    def trix_is_over(self) -> bool:
        out = self.gone_out()
        if self.options.trix_end == "all":
            return len(out) == 4
        return len(out) == 3 or (self.options.partners and set(out) in ({0, 2}, {1, 3}))

    # -- legality ------------------------------------------------------------------------------

    def legal(self, seat: int) -> set[str]:
        """The texts of all that this seat may do now."""
        if seat not in self.to_act():
            return set()
        return {"choose": self.choices, "double": self.doubles, "play": self.playable}[self.phase()](seat)

    def choices(self, seat: int) -> set[str]:
        words = {f"choose {contract}" for contract in self.remaining}
        if self.options.redeal == "first_owner" and self.number == 1 and not self.words("redeal"):
            words.add("redeal")
        return words

    def doubles(self, seat: int) -> set[str]:
        may = [card for card in ("QS", "QH", "QD", "QC", "KH") if card in self.asked()[seat]]
        subsets = [[card for i, card in enumerate(may) if bits >> i & 1] for bits in range(2 ** len(may))]
        return {"double " + (" ".join(subset) or "none") for subset in subsets}

    def playable(self, seat: int) -> set[str]:
        if self.contract == "trix":
            fits = {card for card in self.held(seat) if self.fits(card)}
            return {f"play {card}" for card in fits} or {"pass"}
        return {f"play {card}" for card in self.in_trick(seat, self.plays)}

    def fits(self, card: str) -> bool:
        row = [rank_of(down) for _, down in self.plays if down[-1] == card[1]]
        if card[0] == "J":
            return True
        return bool(row) and rank_of(card) in (max(row) + 1, min(row) - 1)

    def in_trick(self, seat: int, plays: list[Play]) -> set[str]:
        """What the seat may play in a trick contract after these plays."""
        hand = self.held(seat, plays)
        trick = plays[len(plays) // 4 * 4 :]
        if not trick:
            return hand - self.not_led(hand, plays) or hand
        following = {card for card in hand if card[1] == trick[0][1][1]}
        if following:
            return following
        penalties = hand & PENALTY_CARDS[self.contract or ""]
        return penalties if self.options.must_dump and penalties else hand

    def not_led(self, hand: set[str], plays: list[Play]) -> set[str]:
        restriction = self.options.lead_restriction
        if restriction == "king_first_trick" and self.contract in ("king", "complex") and not plays:
            return {"KH"}
        if restriction == "hearts_in_king" and self.contract == "king":
            return {card for card in hand if card[1] == "H"}
        return set()

    # -- what happened and what it counts ------------------------------------------------------

    def tricks(self) -> list[list[Play]]:
        """The plays in fours, the last one perhaps unfinished."""
        plays = self.plays
        return [plays[i : i + 4] for i in range(0, len(plays), 4)]

    def gone_out(self) -> list[int]:
        """The seats that have played thirteen cards, in that order."""
        out = []
        played = [0, 0, 0, 0]
        for seat, card in self.plays:
            played[seat] += card != "pass"
            if played[seat] == 13:
                out.append(seat)
        return out

    def scores(self) -> list[int]:
        """The scores of a deal that is over."""
        if self.contract == "trix":
            return self.trix_scores()
        scores = [0, 0, 0, 0]
        for n, trick in enumerate(self.tricks()):
            self.score_trick(trick, self.plays[: 4 * n], scores)
        takers = {taker(trick) for trick in self.tricks()}
        if self.options.capot and self.contract in ("ltoosh", "complex") and len(takers) == 1:
            scores[takers.pop()] *= -1
        return scores

    def score_trick(self, trick: list[Play], before: list[Play], scores: list[int]) -> None:
        points, contract = self.options, self.contract
        who, leader = taker(trick), trick[0][0]
        if contract in ("ltoosh", "complex"):
            scores[who] -= points.trick_value
        for n, (seat, card) in enumerate(trick):
            if card[1] == "D" and contract in ("diamonds", "complex"):
                scores[who] -= points.diamond_value
            if card == "KH" and contract in ("king", "complex"):
                value = points.king_value
            elif card[0] == "Q" and contract in ("queens", "complex"):
                value = points.queen_value
            else:
                continue
            if card not in self.answers.get(seat, ()):
                scores[who] -= value
            elif seat != who:
                scores[who] -= 2 * value
                scores[seat] += value
            else:
                forced = self.in_trick(seat, before + trick[:n]) == {card}
                self.score_self_taken(leader, who, value, forced, scores)

    def score_self_taken(self, leader: int, who: int, value: int, forced: bool, scores: list[int]) -> None:
        led, bonus, own_lead = SELF_TAKEN[self.options.self_take]
        if self.options.self_take != "plain" and self.options.forced_strict and not forced:
            scores[who] -= 2 * value
        elif leader == who:
            scores[who] += own_lead * value
        else:
            scores[who] += led * value
            scores[leader] += bonus * value

    def trix_scores(self) -> list[int]:
        out = self.gone_out()
        first, second, third, fourth = self.options.trix_values
        rest = [seat for seat in range(4) if seat not in out]
        if len(rest) == 2:
            a, b = rest
            if len(self.held(a)) == len(self.held(b)):
                if self.options.equal_count == "split":
                    third = fourth = (third + fourth) // 2
                rest = [self.turn(), next(seat for seat in rest if seat != self.turn())]
            elif len(self.held(a)) > len(self.held(b)):
                rest = [b, a]
        scores = [0, 0, 0, 0]
        for seat, value in zip(out + rest, (first, second, third, fourth), strict=True):
            scores[seat] = value
        return scores


def taker(trick: list[Play]) -> int:
    """The seat that played the highest card of the suit led."""
    led = trick[0][1][1]
    return max(((rank_of(card), seat) for seat, card in trick if card[1] == led))[1]
