"""Builds a state from a described position. Everything that is not described is dealt at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import msgspec

from games.api import Game, Seat
from games.chance import Chance
from games.cheaty_mages import moves
from games.cheaty_mages.casting import possible_hidden_kinds
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.described import DescribedEnduring, DescribedPosition, DescribedSpell, raise_refused
from games.cheaty_mages.judging import clockwise_seats
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState, start_match
from games.cheaty_mages.truth import JUDGE, Enduring, SpellOnFighter

_SIZES = {1: "one fighter", 2: "one or two different fighters", 3: "one, two or three different fighters"}
# If a player's money is not described, each earlier round has paid one of these amounts of gold.
EARNED = (0, 0, 0, 2, 3, 4, 5, 6, 8)


def build_position(
    game: Game, deck: Deck, options: ArenaOptions, seats: int, said: DescribedPosition, chance: Chance
) -> ArenaState:
    """Returns a match that stands at the described position."""
    match, _told = start_match(game, deck, seats, options, chance)
    _Builder(match, said, chance.fork("position")).build_position()
    return match


class _Builder:
    """Changes a newly dealt match into the described position."""

    def __init__(self, match: ArenaState, said: DescribedPosition, chance: Chance) -> None:
        self.match, self.said, self.chance = match, said, chance
        self.seats = range(1, match.seats + 1)
        self.left: dict[str, list[int]] = {name: [] for name in match.deck.number}
        for card, name in enumerate(match.deck.name_of):
            self.left[name].append(card)

    def build_position(self) -> None:
        """Builds all parts of the position in order. Cards that are described are taken before the others are dealt."""
        match, said = self.match, self.said
        match.round, match.discard, match.rows = said.round, [], [[] for _ in match.deck.places]
        self._judges()
        self._fighters()
        self._money()
        self._starter()
        self._lasting()
        self._spells()
        self._cards()
        match.phase = "cast"
        self._bets()
        self._passed()
        if said.phase != "forget" and said.forgetting:
            raise_refused("forgetting", "only in phase forget does a player have to discard.")
        {"bet": self._betting, "cast": self._casting, "forget": self._forgetting, "judged": self._judged}[said.phase]()

    def _judges(self) -> None:
        match, said = self.match, self.said
        names = [judge.name for judge in match.deck.judges]
        gone = said.judges_gone or ()
        order = self._numbers({"judge": [said.judge] * bool(said.judge), "judges_gone": gone}, names)
        order |= self._numbers({"judge_pile": said.judge_pile}, names, order)
        others = self.chance.shuffle("judges", [place for place in range(len(names)) if place not in order.values()])
        if not said.judge and not others:
            raise_refused("judge_pile", "one of the judges must be the judge of the round.")
        match.judge = order[said.judge] if said.judge else others.pop()
        match.judges_gone = [order[name] for name in gone]
        if said.judges_gone is None:
            match.judges_gone = [others.pop() for _ in range(min(said.round - 1, len(others)))]
        match.judge_pile = others + [order[name] for name in reversed(said.judge_pile)]
        # If fewer judges are gone than rounds have ended, their pile was reshuffled.
        left = gone[said.round - 1 :] if len(gone) >= said.round - 1 else gone
        # the judges of this round, the latest first
        self.judges = [match.judge, *(order[name] for name in reversed(left))]

    def _fighters(self) -> None:
        match, said = self.match, self.said
        names = [fighter.name for fighter in match.deck.fighters]
        arena = match.deck.in_the_arena
        if said.fighters and len(said.fighters) != arena:
            raise_refused("fighters", f"{arena} stand in the arena, not {len(said.fighters)}.")
        order = self._numbers({"fighters": said.fighters, "fighter_pile": said.fighter_pile}, names)
        others = self.chance.shuffle("fighters", [place for place in range(len(names)) if place not in order.values()])
        if len(said.fighter_pile) > len(names) - arena:
            raise_refused("fighter_pile", f"{arena} of the fighters stand in the arena.")
        match.fighters = [order[name] for name in said.fighters] or [others.pop() for _ in range(arena)]
        match.fighter_pile = others + [order[name] for name in reversed(said.fighter_pile)]

    def _money(self) -> None:
        start = self.match.deck.edition.starting_money
        for seat in self._known_seats("money", self.said.money):
            self.match.money[seat] = self.said.money[seat]
        for seat in self.seats:
            if seat not in self.said.money:
                earned = [self.chance.choice("money", EARNED) for _ in range(self.said.round - 1)]
                self.match.money[seat] = start + sum(earned)

    def _starter(self) -> None:
        match, said = self.match, self.said
        for key, seat in (("starter", said.starter), ("turn", said.turn), ("forgetting", said.forgetting)):
            self._known_seats(key, [seat] * bool(seat))
        richest = [seat for seat in self.seats if match.money[seat] == max(match.money[1:])]
        match.starter = said.starter or said.turn or self.chance.choice("starter", richest)

    def _lasting(self) -> None:
        match = self.match
        match.enduring, match.unrefusable, match.hides_directs, match.no_judgement = [], 0, 0, False
        for number, entry in enumerate(self.said.lasting, 1):
            key = f"lasting.{number}"
            one = DescribedEnduring(entry) if isinstance(entry, str) else entry
            card = self._take(key, one.card)
            spell = match.deck.spell_of[card]
            seat = self._caster(key, one.by)
            self._paid(key, card, one.paid, seat)
            match one.card:
                case "confusion":
                    match.no_judgement = True
                case "invisibility":
                    match.unrefusable |= 1 << seat
                case "prismatic_ray":
                    match.hides_directs |= 1 << seat
                case _:
                    raise_refused(key, f"the effect of {one.card} does not last; it is for spells that do.")
            if spell.enduring:
                match.enduring.append(Enduring(card, seat if spell.enduring == "player" else JUDGE, seat, one.paid))
            elif one.paid:
                raise_refused(key, f"{one.card} does not stay in play, so it is not marked as paid for.")
            else:
                match.discard.append(card)

    def _spells(self) -> None:
        for fighter, entries in sorted(self.said.spells.items()):
            if fighter not in self.match.deck.places:
                raise_refused(f"spells.{fighter}", f"the fighters are 1 to {self.match.deck.in_the_arena}.")
            row = self.match.rows[fighter - 1]
            laid = [DescribedSpell(entry) if isinstance(entry, str) else entry for entry in entries]
            for place, one in enumerate(laid, 1):
                row.append(self._lying(f"spells.{fighter}.{place}", one))
            for place, one in enumerate(laid, 1):
                if one.on:
                    key = f"spells.{fighter}.{place}.on"
                    if not 1 <= one.on <= len(laid) or laid[one.on - 1].on:
                        raise_refused(key, "it takes the place of another spell on this fighter that is no Duplicate.")
                    row[place - 1] = msgspec.structs.replace(row[place - 1], doubles=row[one.on - 1].card)
            self.match.update_targetable(fighter)

    def _lying(self, key: str, one: DescribedSpell) -> SpellOnFighter:
        deck = self.match.deck
        card = self._take(key, one.card)
        spell = deck.spell_of[card]
        seat = self._caster(key, one.by)
        self._paid(key, card, one.paid, seat)
        if (spell.enduring == "spell") != bool(one.on):
            raise_refused(key, "a spell that lies on a spell, and no other, needs its place in `on`.")
        if not (spell.is_face_down if one.face_down is None else one.face_down):
            if one.known_to:
                raise_refused(f"{key}.known_to", "a spell that lies face up is known to all players.")
            if spell.is_face_down or (spell.kind == "support" and not one.on):
                raise_refused(key, f"{one.card} does not lie face up on a fighter.")
            return SpellOnFighter(card, seat, True, one.paid)
        lawful, possible = self._could_be(key, card, seat, one.paid)
        knowers = sum(1 << knower for knower in {seat, *self._known_seats(f"{key}.known_to", one.known_to)})
        return SpellOnFighter(card, seat, False, one.paid, knowers, possible, lawful)

    def _could_be(self, key: str, card: int, seat: Seat, paid: bool) -> tuple[int, int]:
        """Returns the kinds that were lawful, and the kinds that were possible, when a card was laid face down. It
        tries the rules that hold now, then those that held earlier in the round."""
        match, deck = self.match, self.match.deck
        kind = deck.kind_of[card]
        unrefusable = [bool(match.unrefusable >> seat & 1), False, self._has_ended("invisibility")]
        hides = [bool(match.hides_directs >> seat & 1), self._has_ended("prismatic_ray")]
        for judge, free, hid in product(self.judges, unrefusable, hides):
            found = possible_hidden_kinds(match, 0 if free else deck.refuses[judge], hid, paid)
            if found[1] >> kind & 1:
                return found
        anything = deck.hiding | deck.directs if any(hides) else deck.hiding
        if paid or not anything >> kind & 1:
            raise_refused(key, f"{deck.name_of[card]} cannot have been laid face down.")
        return anything, anything  # the card was laid under an earlier judge that is not described

    def _has_ended(self, name: str) -> bool:
        """Returns whether the spell of this name may have been in play earlier in this round and been dispelled."""
        deck = self.match.deck
        return bool(deck.spells[deck.number[name]].enduring) and name in self.said.discard

    def _cards(self) -> None:
        """Deals hands and piles: first the described cards, then the hands of which only the size is described, then
        the rest."""
        match, said = self.match, self.said
        sizes: dict[Seat, int] = {}
        for seat in self.seats:
            laid = sum(lying.seat == seat for row in match.rows for lying in row)
            hand = said.hands.get(seat, max(0, match.deck.hands.dealt[match.seats] - laid))
            if isinstance(hand, int):
                sizes[seat] = hand
            else:
                match.hands[seat] = [self._take(f"hands.{seat}", name) for name in hand]
        self._known_seats("hands", said.hands)
        match.discard += [self._take("discard", name) for name in said.discard]
        top = [self._take("spell_pile", name) for name in said.spell_pile]
        rest = self.chance.shuffle("spells", [card for cards in self.left.values() for card in cards])
        for seat, size in sizes.items():
            if size > len(rest):
                raise_refused(f"hands.{seat}", f"only {len(rest)} cards are left.")
            match.hands[seat] = [rest.pop() for _ in range(size)]
        match.hands = [sorted(hand) for hand in match.hands]
        if said.spell_pile_size is not None:
            size = said.spell_pile_size - len(top)
            if not 0 <= size <= len(rest):
                raise_refused("spell_pile_size", f"between {len(top)} and {len(top) + len(rest)} cards are possible.")
            match.discard, rest = rest[size:] + match.discard, rest[:size]
        match.pile = rest + top[::-1]

    def _bets(self) -> None:
        """Places the bets of all seats that have bet before the described turn."""
        match, said = self.match, self.said
        order = clockwise_seats(match, match.starter)
        if said.phase == "bet":
            order = order[: order.index(said.turn or match.starter)]
        for seat in self._known_seats("bets", said.bets):
            if seat not in order:
                raise_refused(
                    f"bets.{seat}", f"seat {seat} has not bet yet; the betting began at seat {match.starter}."
                )
            if moves.Bet(tuple(sorted(said.bets[seat]))) not in match.deck.lawful_bets:
                raise_refused(
                    f"bets.{seat}",
                    f"a bet is on {_SIZES[match.deck.edition.house.bets]} of 1 to {match.deck.in_the_arena}.",
                )
        for seat in order:
            bet = said.bets.get(seat) or self.chance.choice("bet", match.deck.bets).on
            match.bets[seat] = tuple(sorted(bet))

    def _passed(self) -> None:
        match, said = self.match, self.said
        passed = self._known_seats("passed", said.passed)
        if passed and said.phase not in ("cast", "forget"):
            raise_refused("passed", f"in phase {said.phase} it says nothing.")
        if len(set(passed)) == match.seats:
            raise_refused("passed", "when all have passed the round is judged: say phase judged.")
        match.passed = [seat in passed for seat in range(match.seats + 1)]

    def _betting(self) -> None:
        match, said = self.match, self.said
        for key, there in (("spells", any(match.rows)), ("lasting", said.lasting)):
            if there:
                raise_refused(key, "nothing has been cast while bets are placed.")
        match.phase, match.turn = "bet", said.turn or match.starter

    def _casting(self) -> None:
        match = self.match
        order = [seat for seat in clockwise_seats(match, match.starter) if not match.passed[seat] and match.hands[seat]]
        if not order:
            raise_refused("hands", "a player who has not passed must hold a card.")
        if self.said.turn not in (0, *order):
            raise_refused("turn", f"seat {self.said.turn} has passed or holds no card.")
        match.turn = self.said.turn or order[0]

    def _forgetting(self) -> None:
        match, said = self.match, self.said
        order = [seat for seat in clockwise_seats(match, match.starter) if not match.passed[seat]]
        holders = [seat for seat in self.seats if match.hands[seat]]
        if said.turn not in (0, *order):
            raise_refused("turn", f"seat {said.turn} has passed, so it has not just cast Amnesia.")
        if not holders or said.forgetting not in (0, *holders):
            raise_refused("forgetting", "it takes a seat that holds a card.")
        match.phase, match.turn = "forget", said.turn or order[0]
        match.forgetting = said.forgetting or self.chance.choice("forgetting", holders)

    def _judged(self) -> None:
        """Judges the described arena, as a match does after the last pass."""
        match, said = self.match, self.said
        match.passed = [False, *[True] * match.seats]
        match.judge_arena([])
        if match.result is None and not match.disputed:
            raise_refused("phase", "with every fighter ejected the next round begins at once.")
        if match.phase == "over" and said.turn:
            raise_refused("turn", "after the last round it is nobody's.")
        match.turn = said.turn or match.starter

    # Looking up names and seats of the description, with checks

    def _numbers(
        self, said: Mapping[str, Sequence[str]], names: Sequence[str], known: Mapping[str, int] = {}
    ) -> dict[str, int]:
        """Returns the number of each named judge or fighter. A name may appear only once."""
        found = dict(known)
        for key, given in said.items():
            for name in given:
                if name not in names:
                    raise_refused(key, f"there is no {name!r}; there are {', '.join(names)}.")
                if name in found:
                    raise_refused(key, f"{name} is said twice.")
                found[name] = names.index(name)
        return found

    def _take(self, key: str, name: str) -> int:
        cards = self.left.get(name)
        if cards is None:
            raise_refused(key, f"there is no spell {name!r} in this edition.")
        if not cards:
            raise_refused(key, f"no {name} is left; the deck has {self.match.deck.name_of.count(name)}.")
        return cards.pop(0)

    def _caster(self, key: str, seat: int) -> Seat:
        self._known_seats(f"{key}.by", [seat] * bool(seat))
        return seat or self.chance.choice("by", self.seats)

    def _paid(self, key: str, card: int, paid: bool, seat: Seat) -> None:
        if not paid:
            return
        match, deck = self.match, self.match.deck
        if not (match.options.foul_play and self.said.round == deck.rounds):
            raise_refused(f"{key}.paid", f"foul play is for round {deck.rounds}, where the options allow it.")
        judges = self.judges[:1] if deck.spell_of[card].enduring == "judge" else self.judges
        if not any(deck.refuses[judge] >> deck.kind_of[card] & 1 for judge in judges):
            name = deck.name_of[card]
            raise_refused(
                f"{key}.paid", f"no judge of this round, now or by judges_gone, refuses {name}: it cost nothing."
            )
        if not match.can_foul(seat):
            raise_refused(f"{key}.paid", f"seat {seat} has paid for another spell, and may buy one.")
        match.fouls |= 1 << seat

    def _known_seats(self, key: str, seats: Iterable[Seat]) -> list[Seat]:
        found = list(seats)
        for seat in found:
            if seat not in self.seats:
                raise_refused(key, f"there is no seat {seat} among {self.match.seats}.")
        return found
