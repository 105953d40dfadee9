"""Deals random full states from what a player or a spectator knows: hands, piles, bets and face-down spells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.api import Game
from games.chance import Chance, FastChance
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.truth import Enduring, SpellOnFighter, empty_view_caches
from games.cheaty_mages.views import (
    ArenaKnowledge,
    Doubling,
    FighterView,
    Hidden,
    HiddenSpell,
    Lain,
    OpenSpell,
    SeatView,
    TableView,
    You,
)

_NOBODY_YET = -1  # stands for a face-down card that is not dealt yet
_NO_DRAWS = Chance(b"")


def determinize(game: Game, deck: Deck, known: ArenaKnowledge, options: ArenaOptions, chance: Chance) -> ArenaState:
    """Returns a random full state that fits the knowledge. A card is dealt only to a place that a card of its spell
    pile can have reached."""
    return _seen(game, deck, known, options).deal_state(chance.quick("imagined"))


@lru_cache(maxsize=4)  # callers mostly imagine many states from the same knowledge
def _seen(game: Game, deck: Deck, known: ArenaKnowledge, options: ArenaOptions) -> _KnownCards:
    return _KnownCards(game, deck, known, options)


class _Pile(NamedTuple):
    """The unseen cards that came from one spell pile, and the places to deal them to. The rest of the last pile becomes
    the spell pile."""

    cards: list[int]
    places: list[tuple[int, int]]  # the places of unknown face-down spells: row and place in the row, both from 0
    choices: list[tuple[list[int], int | None]]  # for each of these places, the result of `_choice`
    hands: list[tuple[int, int]]  # for each hand that is not seen: its seat, and the number of cards from this pile


class _KnownCards:
    """A match in which only the cards are placed that the seat can see. Seen cards have the lowest card numbers of
    their kind."""

    def __init__(self, game: Game, deck: Deck, known: ArenaKnowledge, options: ArenaOptions) -> None:
        self._deck = deck
        self._next = list(deck.first_of)  # for each kind of spell: the lowest card number that no card has taken yet
        self._drawn = [0] * len(deck.kind_of)
        table = known.view.table
        you = known.view.you if isinstance(known.view, SeatView) else None
        self._match = match = ArenaState(
            game=game,
            deck=deck,
            options=options,
            seats=len(table.players),
            chance=_NO_DRAWS,
            hands=[[] for _ in range(len(table.players) + 1)],
            drawn=self._drawn,
            renewals=len(known.unseen) - 1,
            pile=[],
            discard=[self._take(name) for name in table.discard],
            money=[0, *[player.money for player in table.players]],
            bets=[()] * (len(table.players) + 1),
            passed=[False, *[player.passed for player in table.players]],
            judge=deck.judge_at[table.judge.name],
            judge_pile=[],
            judges_gone=[deck.judge_at[name] for name in table.judges_gone],
            fighters=[deck.fighter_at[fighter.name] for fighter in table.fighters],
            fighter_pile=[],
            rows=[],
            open_fighters=sum(1 << fighter for fighter, one in enumerate(table.fighters, 1) if not _is_shut(one)),
            enduring=self._enduring(table, known.enduring),
            unrefusable=sum(1 << player.seat for player in table.players if player.unrefusable),
            hides_directs=sum(1 << player.seat for player in table.players if player.hides_directs),
            no_judgement=table.no_judgement,
            round=table.round,
            result=table.result[0] if table.result else None,
            phase=table.phase,
            starter=table.starter,
            turn=known.turn,
            forgetting=table.to_move[0] if table.phase == "forget" else 0,
            fouls=sum(1 << player.seat for player in table.players if player.fouled),
            disputed=[],
            **empty_view_caches(len(table.players), deck.in_the_arena),
        )
        gone = {match.judge, *match.judges_gone}
        self._judges = [judge for judge in range(len(deck.judges)) if judge not in gone]
        self._fighters = [deck.fighter_at[name] for name in known.fighter_pile]
        self._bets = self._place_bets(table, you)
        if you is not None:
            hand = match.hands[you.seat] = [self._take(name) for name in you.hand]
            self._are_of(hand, known.hands[you.seat - 1])
        self._lay(table, known.hidden, you)
        match.disputed = [match.rows[one.fighter - 1][one.place - 1].card for one in table.disputed]
        self._piles = [self._pile(pile, known, you) for pile in range(len(known.unseen))]

    def deal_state(self, draws: FastChance) -> ArenaState:
        """Deals one random state. From each pile it deals the face-down spells first, because they have constraints,
        and then the hands. The rest of the last pile becomes the spell pile."""
        match = self._match.clone()
        match.chance = draws.derive_chance()
        match.judge_pile, match.fighter_pile = draws.shuffled(self._judges), draws.shuffled(self._fighters)
        for seat, count in self._bets:
            match.bets[seat] = draws.choice(self._deck.bets_of[count])
        for cards, places, choices, hands in self._piles:
            rest = cards
            if places:
                chosen = _chosen(choices, draws)
                rest = [card for card in cards if card not in chosen]
                for (row, place), card in zip(places, chosen, strict=True):
                    lying = match.rows[row][place]
                    match.rows[row][place] = SpellOnFighter(
                        card, lying.seat, False, lying.marked, lying.knowers, lying.possible, lying.lawful
                    )
            rest = draws.shuffled(rest)
            for seat, count in hands:
                match.hands[seat] += rest[len(rest) - count :]
                del rest[len(rest) - count :]
            match.pile = rest
        for hand in match.hands:
            hand.sort()
        for row, place, on in self._doublings:
            lying, doubled = match.rows[row][place], match.rows[row][on].card
            match.rows[row][place] = SpellOnFighter(lying.card, lying.seat, True, lying.marked, doubles=doubled)
        return match

    # Placing the cards that the seat can see

    def _take(self, name: str) -> int:
        """Returns the lowest unused card number for the spell of that name."""
        kind = self._deck.number[name]
        card = self._next[kind]
        self._next[kind] = card + 1
        return card

    def _are_of(self, cards: Sequence[int], piles: Sequence[int]) -> None:
        for card, pile in zip(cards, piles, strict=True):
            self._drawn[card] = pile

    def _enduring(self, table: TableView, seats: Sequence[int]) -> list[Enduring]:
        if not seats:
            return []
        lists = [iter(table.judge_enduring), *[iter(player.enduring) for player in table.players]]
        spells = [(seat, next(lists[seat])) for seat in seats]
        return [Enduring(self._take(one.card), seat, one.by, one.marked) for seat, one in spells]

    def _place_bets(self, table: TableView, you: You | None) -> list[tuple[int, int]]:
        """Places the bets that the seat knows. Returns seat and number of betting cards for the other bets."""
        shown = table.result[0].bets if table.result else ()
        for seat, bet in enumerate(shown, 1):
            self._match.bets[seat] = bet.on
        if you is not None:
            self._match.bets[you.seat] = you.bet
        return [
            (player.seat, player.bets)
            for player in table.players
            if player.bets and not shown and (you is None or player.seat != you.seat)
        ]

    def _lay(self, table: TableView, hidden: Sequence[Hidden], you: You | None) -> None:
        """Builds the rows of spells on fighters, with a placeholder for each card that the seat does not know."""
        found = {(one.fighter, one.place): one for one in hidden}
        known = {(one.fighter, one.place): one.card for one in you.knows} if you is not None else {}
        self._unknown: list[tuple[int, int, Hidden]] = []
        self._doublings: list[tuple[int, int, int]] = []
        for number, fighter in enumerate(table.fighters, 1):
            row: list[SpellOnFighter] = []
            for place, lain in enumerate(fighter.spells, 1):
                at = number, place
                row.append(self._lain(lain, found.get(at), known.get(at)))
                if row[-1].card == _NOBODY_YET:
                    self._unknown.append((number - 1, place - 1, found[at]))
                if isinstance(lain, Doubling):
                    self._doublings.append((number - 1, place - 1, lain.on - 1))
            self._match.rows.append(row)
        self._unknown.sort(key=lambda one: one[2].possible.bit_count())

    def _lain(self, lain: Lain, one: Hidden | None, name: str | None) -> SpellOnFighter:
        if not isinstance(lain, HiddenSpell):
            return SpellOnFighter(self._take(lain.card), lain.by, True, lain.marked)
        assert one is not None
        card = _NOBODY_YET if name is None else self._take(name)
        if name is not None:
            self._drawn[card] = one.pile
        knowers = sum(1 << seat for seat in one.knowers)
        return SpellOnFighter(card, lain.by, False, lain.marked, knowers, one.possible, one.lawful)

    def _pile(self, pile: int, known: ArenaKnowledge, you: You | None) -> _Pile:
        cards: list[int] = []
        for kind, count in enumerate(known.unseen[pile]):
            if count:
                first = self._next[kind]
                self._next[kind] = first + count
                cards += range(first, first + count)
        if pile:
            self._are_of(cards, [pile] * len(cards))
        lying = [(row, place, one) for row, place, one in self._unknown if one.pile == pile]
        possible = [one.possible for _, _, one in lying]
        return _Pile(
            cards,
            [(row, place) for row, place, _ in lying],
            [_choice(self._deck, cards, mask, possible[:at]) for at, mask in enumerate(possible)],
            [(seat, piles.count(pile)) for seat, piles in enumerate(known.hands, 1) if you is None or seat != you.seat],
        )


def _choice(deck: Deck, cards: list[int], mask: int, earlier: list[int]) -> tuple[list[int], int | None]:
    """Returns the cards of the kinds in `mask`, and a bound for rejection sampling.

    The bound is the largest number of these cards that the earlier choices can leave. It is None if this number does
    not depend on the earlier choices, which holds unless their sets of kinds overlap in part.
    """
    fits = [card for card in cards if mask >> deck.kind_of[card] & 1]
    if not any(mask & other and other & ~mask for other in earlier):
        return fits, None
    return fits, len(fits) - sum(not other & ~mask for other in earlier)


def _chosen(choices: Sequence[tuple[list[int], int | None]], draws: FastChance) -> list[int]:
    """Returns one card for each choice, so that all combinations are equally likely.

    Small sets come first. If a set partly overlaps an earlier one, earlier choices that leave fewer cards for it are
    rejected more often.
    """
    while True:
        chosen: list[int] = []
        for cards, most in choices:
            fits = [card for card in cards if card not in chosen] if chosen else cards
            if not fits or (most and most > len(fits) and draws.choice(range(most)) >= len(fits)):
                break
            chosen.append(draws.choice(fits))
        else:
            return chosen


def _is_shut(fighter: FighterView) -> bool:
    return any(isinstance(lain, OpenSpell) and lain.card == "reflection" for lain in fighter.spells)
