"""A truth from what a player or a spectator knows: hands, piles, bets and what lies face down are dealt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from games.api import Game
from games.chance import Chance
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import Match
from games.cheaty_mages.truth import IN_THE_ARENA, Enduring, Lying, nothing_seen
from games.cheaty_mages.views import (
    ArenaKnowledge,
    Doubling,
    FighterView,
    Hidden,
    HiddenSpell,
    OpenSpell,
    SeatView,
    Table,
)

_COMBINATIONS = {size: tuple(combinations(range(1, IN_THE_ARENA + 1), size)) for size in (1, 2, 3)}


def imagine(game: Game, deck: Deck, known: ArenaKnowledge, options: ArenaOptions, chance: Chance) -> Match:
    """A card is only where a card of its pile may be: whoever counts cards knows what each pile held."""
    return _Imagining(game, deck, known, options, chance).match


class _Imagining:
    """Takes numbers for the cards that can be seen, then deals the others, pile by pile."""

    def __init__(self, game: Game, deck: Deck, known: ArenaKnowledge, options: ArenaOptions, chance: Chance) -> None:
        self._deck, self._known, self._chance = deck, known, chance
        self._next = list(deck.first_of)  # by kind: the next card that nobody has taken
        self._drawn = [0] * len(deck.kind_of)
        table, self._you = known.view.table, known.view.you if isinstance(known.view, SeatView) else None
        self.match = match = Match(
            game=game,
            deck=deck,
            options=options,
            seats=len(table.players),
            chance=chance.fork("to come"),
            hands=[[] for _ in range(len(table.players) + 1)],
            drawn=self._drawn,
            renewals=len(known.unseen) - 1,
            pile=[],
            discard=[self._take(deck.number[name]) for name in table.discard],
            money=[0, *[player.money for player in table.players]],
            bets=self._bets(table),
            passed=[False, *[player.passed for player in table.players]],
            judge=deck.judge_at[table.judge.name],
            judge_pile=[],
            judges_gone=[deck.judge_at[name] for name in table.judges_gone],
            fighters=[deck.fighter_at[fighter.name] for fighter in table.fighters],
            fighter_pile=chance.mix("fighters", [deck.fighter_at[name] for name in known.fighter_pile]),
            rows=[],
            open_fighters=sum(1 << fighter for fighter, one in enumerate(table.fighters, 1) if not _is_shut(one)),
            enduring=self._enduring(table),
            unrefusable=sum(1 << player.seat for player in table.players if player.unrefusable),
            hides_directs=sum(1 << player.seat for player in table.players if player.hides_directs),
            no_judgement=table.no_judgement,
            round=table.round,
            result=table.result[0] if table.result else None,
            phase=table.phase,
            starter=table.starter,
            turn=known.turn,
            forgetting=table.to_move[0] if table.phase == "forget" else 0,
            **nothing_seen(len(table.players)),
        )
        gone = {match.judge, *match.judges_gone}
        match.judge_pile = chance.mix("judges", [judge for judge in range(len(deck.judges)) if judge not in gone])
        self._own_hand()
        self._deal(table)

    def _take(self, kind: int) -> int:
        """The next card of that kind."""
        card = self._next[kind]
        self._next[kind] = card + 1
        return card

    def _take_all(self, counts: Sequence[int]) -> list[int]:
        """The next cards, so many of each kind."""
        cards: list[int] = []
        for kind, count in enumerate(counts):
            if count:
                first = self._next[kind]
                self._next[kind] = first + count
                cards += range(first, first + count)
        return cards

    def _enduring(self, table: Table) -> list[Enduring]:
        lists = [iter(table.judge_enduring), *[iter(player.enduring) for player in table.players]]
        spells = [(seat, next(lists[seat])) for seat in self._known.enduring]
        return [Enduring(self._take(self._deck.number[one.card]), seat, one.by, one.marked) for seat, one in spells]

    def _bets(self, table: Table) -> list[tuple[int, ...]]:
        """Any that others may have placed, until they are turned up."""
        shown = table.result[0].bets if table.result else ()
        if shown:
            return [(), *[bet.on for bet in shown]]
        bets: list[tuple[int, ...]] = [()]
        for player in table.players:
            if self._you is not None and player.seat == self._you.seat:
                bets.append(self._you.bet)
            else:
                bets.append(self._chance.choice("bet", _COMBINATIONS[player.bets]) if player.bets else ())
        return bets

    def _own_hand(self) -> None:
        if self._you is not None:
            kinds = [self._deck.number[name] for name in self._you.hand]
            hand = self.match.hands[self._you.seat] = [self._take(kind) for kind in kinds]
            for card, pile in zip(hand, self._known.hands[self._you.seat - 1], strict=True):
                self._drawn[card] = pile

    def _deal(self, table: Table) -> None:
        """Pile by pile: first what lies face down, which may not be every card, then hands; the rest is the pile."""
        known, match = self._known, self.match
        lying = {(one.fighter, one.place): one for one in known.hidden}
        cards: dict[tuple[int, int], int] = {}
        if self._you is not None:
            for one in self._you.knows:
                card = cards[one.fighter, one.place] = self._take(self._deck.number[one.card])
                self._drawn[card] = lying[one.fighter, one.place].pile
        self._take_seen(table, cards)
        unknown = [(place, one) for place, one in lying.items() if place not in cards]
        unknown.sort(key=lambda found: (found[1].possible.bit_count(), found[0]))
        for pile, counts in enumerate(known.unseen):
            pool = self._take_all(counts)
            if pile:
                for card in pool:
                    self._drawn[card] = pile
            of_pile = [(place, one.possible) for place, one in unknown if one.pile == pile]
            chosen = self._chosen(pool, [possible for _, possible in of_pile])
            cards.update(zip([place for place, _ in of_pile], chosen, strict=True))
            if chosen:
                pool = [card for card in pool if card not in chosen]
            rest = self._chance.mix("spells", pool)
            for seat, piles in enumerate(known.hands, 1):
                if self._you is None or seat != self._you.seat:
                    match.hands[seat] += [rest.pop() for _ in range(piles.count(pile))]
            match.pile = rest
        for hand in match.hands:
            hand.sort()
        match.rows = [self._row(number, fighter, lying, cards) for number, fighter in enumerate(table.fighters, 1)]

    def _take_seen(self, table: Table, cards: dict[tuple[int, int], int]) -> None:
        """The cards that lie face up."""
        for number, fighter in enumerate(table.fighters, 1):
            for place, lain in enumerate(fighter.spells, 1):
                if not isinstance(lain, HiddenSpell):
                    cards[number, place] = self._take(self._deck.number[lain.card])

    def _chosen(self, pool: list[int], masks: list[int]) -> list[int]:
        """A card of the pool for each set of kinds; every way to do it is as likely. Small sets come first. Where one
        set overlaps an earlier one in part, a choice that leaves less is tried again the more often."""
        kind_of, chance = self._deck.kind_of, self._chance
        while True:
            left, chosen = list(pool), list[int]()
            for at, mask in enumerate(masks):
                fits = [card for card in left if mask >> kind_of[card] & 1]
                most = len(fits)
                if any(mask & other and other & ~mask for other in masks[:at]):
                    within = sum(not other & ~mask for other in masks[:at])
                    most = sum(mask >> kind_of[card] & 1 for card in pool) - within
                if not fits or (most > len(fits) and chance.below("again", most) >= len(fits)):
                    break
                chosen.append(chance.choice("lying", fits))
                left.remove(chosen[-1])
            else:
                return chosen

    def _row(
        self,
        number: int,
        fighter: FighterView,
        lying: dict[tuple[int, int], Hidden],
        cards: dict[tuple[int, int], int],
    ) -> list[Lying]:
        row = []
        for place, lain in enumerate(fighter.spells, 1):
            card = cards[number, place]
            if isinstance(lain, HiddenSpell):
                one = lying[number, place]
                knowers = sum(1 << seat for seat in one.knowers)
                row.append(Lying(card, lain.by, False, lain.marked, knowers, one.possible, one.lawful))
            else:
                on = cards[number, lain.on] if isinstance(lain, Doubling) else -1
                row.append(Lying(card, lain.by, True, lain.marked, 0, 0, 0, on))
        return row


def _is_shut(fighter: FighterView) -> bool:
    return any(isinstance(lain, OpenSpell) and lain.card == "reflection" for lain in fighter.spells)
