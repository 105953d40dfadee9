"""The guide of the search in Magecraft: a rule of thumb that plays a state on, and an evaluation of the state after
that.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import cast

from bots.sdk import Turn, best_of
from bots.thinker.readings import Book, Hand, ReadingValues
from bots.thinker.search import Guide
from games.api import Action, State
from games.magecraft import moves as do
from games.magecraft.cards import CardSet
from games.magecraft.gems import KINDS, least_wanted_gem, wanted_gems
from games.magecraft.mage import Mage
from games.magecraft.moves import COLOURS, GEM_AT
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import BOARDS, ICON, OVER, PAY, REVISE, SPELLS

AHEAD = 4  # how many turns a sampled state is played on before it is evaluated
# The expected number of rounds of a match, and how much a spell's value in one later turn counts, compared to now.
LENGTH, PATIENCE = 14, 0.3
DECISIVE = 50.0
LEARNS = 6  # how many of the spells that can be learned are tried, the best ones
# Terms of the logarithm of a mage's weight to win: each gem of life, of score, of shield, each unit of the
# books' value, each gem of darkness, and being on turn.
LIFE, SCORE, GEM_IN_SHIELD, YIELD, DARK, ON_TURN = 0.22, 0.31, 0.5, 1.0, -0.12, 0.6


class MagicGuide(Guide):
    """Plays a sampled state on for AHEAD turns by a rule of thumb, and evaluates the position after them."""

    def candidate_actions(self, turn: Turn) -> Sequence[Action]:
        state = cast(MagecraftState, turn.determinize(random.Random(0)))
        thumb = rule_of_thumb_for(state.cards)
        phase = state.turn.phase
        if phase == ICON:
            return thumb.icons_to_try(state, state.mages[turn.seat - 1], turn.legal)
        if phase == SPELLS:
            return thumb.spells_to_try(state, state.mages[turn.seat - 1], turn.legal)
        if phase == REVISE:
            return [action for action in turn.legal if not isinstance(action, do.Lift)] or turn.legal
        return turn.legal

    def refine_sampled_state(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Does nothing: other players choose neither their bags nor their hands, so their actions do not make some
        sampled bags or hands likelier than others."""

    def rollout_value(self, world: State, turn: Turn, rng: random.Random) -> float:
        state = cast(MagecraftState, world)
        thumb = rule_of_thumb_for(state.cards)
        seat, turns = state.turn.seat, 0
        while state.turn.phase != OVER:
            if state.turn.seat != seat:
                seat, turns = state.turn.seat, turns + 1
                if turns == AHEAD:
                    return thumb.expected_share(state, turn.seat)
            state.apply(seat, thumb.choose_action(state, seat, rng))
        outcome = state.outcome()
        assert outcome is not None
        return outcome.shares[turn.seat - 1]


def _books(mage: Mage) -> tuple[Book, ...]:
    return tuple([tuple(book) for book in mage.books])


class RuleOfThumb:
    """The rule of thumb by which mages act while a state is played on, with the caches that make it fast."""

    def __init__(self, readings: ReadingValues) -> None:
        self.readings = readings
        self.learnable = lru_cache(20_000)(self._learnable)
        self._plan = lru_cache(200_000)(self._planned)

    # -- the value of a position ---------------------------------------------------------------------------------------

    def expected_share(self, state: MagecraftState, seat: int) -> float:
        """Returns the share of the win that a seat can expect from the position, at the beginning of a turn."""
        leads = [self._standing(mage) if mage.alive else -99.0 for mage in state.mages]
        leads[state.turn.seat - 1] += ON_TURN
        best = max(leads)
        likely = [exp(lead - best) for lead in leads]
        return likely[seat - 1] / sum(likely)

    def _standing(self, mage: Mage) -> float:
        dark = mage.hand[COLOURS] + mage.discard[COLOURS] + mage.bag.count(COLOURS)
        worth = LIFE * sum(mage.life) + SCORE * sum(mage.score) + GEM_IN_SHIELD * min(sum(mage.shield), 5)
        return worth + DARK * dark + YIELD * self.readings.board(_books(mage))

    # -- the action of the rule of thumb -------------------------------------------------------------------------------

    def choose_action(self, state: MagecraftState, seat: int, rng: random.Random) -> Action:
        """Returns the seat's action by the rule of thumb."""
        mage, phase = state.mages[seat - 1], state.turn.phase
        if phase == SPELLS:
            return self._plan(*self._situation(state, mage))[1]
        legal = state.legal_actions(seat)
        if phase == ICON:
            return best_of(legal, lambda action: self._liking(state, mage, action), rng)
        if phase == REVISE:
            return self._revision(mage, legal)
        if phase == BOARDS:
            return rng.choice(legal)
        need = [0] * KINDS
        if phase == PAY and state.turn.book:
            need = wanted_gems(self.readings.cards, mage.books[state.turn.book - 1], state.turn.place)
        ways: Sequence[Action] = do.PAYS if phase == PAY else do.DISCARDS
        return ways[least_wanted_gem(mage.hand, need)]

    def _situation(
        self, state: MagecraftState, mage: Mage
    ) -> tuple[tuple[Book, ...], Hand, int, int, int, int, tuple[int, ...], int, int, int, bool]:
        turn, academy = state.turn, state.academy
        offer = tuple([spell.index for spell, left in zip(academy.spells, academy.left, strict=True) if left])
        weakest = min(
            [sum(other.life) + sum(other.shield) for other in state.mages if other.alive and other is not mage],
            default=9,
        )
        innate = -1 if turn.innate_used else mage.character
        to_win = min(state.cards.mages.score - sum(mage.score), 9)
        place = turn.place if turn.book else 0
        full = sum(mage.life) >= state.cards.mages.full_life
        return (
            _books(mage), tuple(mage.hand), turn.book, place, turn.gold, innate, offer, min(state.round, LENGTH),
            min(weakest, 9), to_win, full,
        )  # fmt: skip

    def _planned(
        self,
        books: tuple[Book, ...],
        hand: Hand,
        open_book: int,
        place: int,
        gold: int,
        innate: int,
        offer: tuple[int, ...],
        round: int,
        weakest: int,
        to_win: int,
        full: bool,
    ) -> tuple[float, Action]:
        """Returns the value of the best way to continue the turn in this situation, and its first action."""
        learnable = self.learnable(books, offer, round)
        cards = self.readings.cards

        def rest(left: Hand, attacks: int, points: int) -> tuple[float, Action]:
            bonus = DECISIVE if attacks >= weakest or attacks + points >= to_win else 0.0
            gain, action = self._learning(learnable, left)
            if innate >= 0:
                spell = cards.characters[innate].innate
                colour = spell.cost[0]
                if left[colour]:
                    after = list(left)
                    after[colour] -= 1
                    after[COLOURS] += spell.icons[0]
                    both = 0.2 * spell.icons[0] + 1.25 * spell.icons[1] + 0.8 * spell.icons[2] + 0.85 * spell.icons[4]
                    both += 0.25 * spell.icons[5] + self._learning(learnable, tuple(after))[0]
                    if both > gain:
                        return both + bonus, do.INNATE
            return gain + bonus, action

        best, action = rest(hand, 0, 0)
        for at, book in enumerate(books):
            if open_book and open_book != at + 1:
                continue
            for got, left, attacks, points in self.readings.steps(book, place, hand, gold):
                value = got + rest(left, attacks, points)[0]
                if value > best:
                    best, action = value, do.CASTS[at]
        if best < 1.6 and not open_book and sum(hand) >= 4:
            gain = self._mastering(books)[0] * max(0, LENGTH - round) * PATIENCE
            if gain > best:
                return gain, do.REVISE
        return best, action

    def _learnable(self, books: tuple[Book, ...], offer: tuple[int, ...], round: int) -> list[tuple[float, int, int]]:
        """Returns (gain, index of the spell, book from 0) of each spell on offer that is worth learning, the best
        first."""
        ahead = max(0, LENGTH - round) * PATIENCE
        board, now = self.readings.board, self.readings.board(books)
        found = []
        for spell in offer:
            for at in range(3):
                gain = (board((*books[:at], (spell * 2, *books[at]), *books[at + 1 :])) - now) * ahead
                if gain > 0:
                    found.append((gain, spell, at))
        return sorted(found, reverse=True)

    def _learning(self, learnable: list[tuple[float, int, int]], hand: Hand) -> tuple[float, Action]:
        total = sum(hand)
        fire, water, earth, light, _dark = hand
        for gain, index, at in learnable:
            spell = self.readings.cards.spells[index]
            needs = spell.needs
            if (
                total >= len(spell.cost)
                and fire >= needs[0]
                and water >= needs[1]
                and earth >= needs[2]
                and light >= needs[3]
            ):
                return gain, spell.learns[at]
        return 0.0, do.END

    def _mastering(self, books: tuple[Book, ...]) -> tuple[float, Action]:
        """Returns the gain of the mastery that improves the books most, and its action; (0, DONE) if none improves
        them."""
        now = self.readings.board(books)
        best: tuple[float, Action] = (0.0, do.DONE)
        for at, book in enumerate(books):
            for place, copy in enumerate(book[:-1]):
                if not copy & 1:
                    turned = (*book[:place], copy | 1, *book[place + 1 :])
                    gain = self.readings.board((*books[:at], turned, *books[at + 1 :])) - now
                    if gain > best[0]:
                        best = (gain, do.Master(at + 1, place + 1))
        return best

    def _revision(self, mage: Mage, legal: Sequence[Action]) -> Action:
        action = self._mastering(_books(mage))[1]
        if action in legal:
            return action
        return do.DONE if do.DONE in legal else legal[0]

    def _liking(self, state: MagecraftState, mage: Mage, action: Action) -> float:
        """Returns how much the mage wants to resolve this icon of a spell next. Draws of gems that allow further spells
        come first, then attacks, then the rest."""
        match action:
            case do.Draw():
                return 50.0
            case do.Attack(seat, gem):
                victim = state.mages[seat - 1]
                left = sum(victim.life) + sum(victim.shield)
                return 30.0 - left / 10 + 0.01 * (gem == "darkness")
            case do.Darken():
                return 29.0
            case do.Heal(gem):
                return 20.0 + state.academy.gems[GEM_AT[gem]] / 100
            case do.Shield(gem, source):
                return 10.0 + (2.0 if gem == "darkness" else 1.0 if source == "academy" else 0.0)
            case do.Vanish(gem, source):
                if source == "life":
                    return 15.0 - (
                        9.0 if sum(mage.life) < 4 else 0.5 + 0.15 * (state.cards.mages.full_life - sum(mage.life))
                    )
                return 15.0 - (0.0 if gem == "darkness" else 0.9 - 0.2 * mage.hand[GEM_AT[gem]])
        return 0.0

    # -- the actions that the search tries -----------------------------------------------------------------------------

    def icons_to_try(self, state: MagecraftState, mage: Mage, legal: Sequence[Action]) -> list[Action]:
        """Returns the icons to try: those that the rule of thumb likes best. Of icons that vanish gems, returns all; of
        attacks and darkening, the best one against each opponent."""
        likings = {action: self._liking(state, mage, action) for action in legal}
        most = max(likings.values())
        liked = [action for action in legal if likings[action] == most]
        same = [action for action in legal if type(action) is type(liked[0])]
        if isinstance(liked[0], do.Vanish):
            return same
        if isinstance(liked[0], do.Attack | do.Darken):
            best_at: dict[int, Action] = {}
            for action in sorted(same, key=lambda action: likings[action]):
                assert isinstance(action, do.Attack | do.Darken)
                best_at[action.seat] = action
            return [*best_at.values()]
        return liked

    def spells_to_try(self, state: MagecraftState, mage: Mage, legal: Sequence[Action]) -> list[Action]:
        """Returns the actions to try: all except those that give up shields, and of the spells to learn only the LEARNS
        best ones."""
        offer = self._situation(state, mage)[6]
        gains = self.learnable(_books(mage), offer, 1)
        rank = {self.readings.cards.spells[index].learns[at]: place for place, (_, index, at) in enumerate(gains)}
        learns = sorted([action for action in legal if action in rank], key=lambda action: rank[action])
        rest = [action for action in legal if not isinstance(action, do.Unshield | do.Learn)]
        return [*rest, *learns[:LEARNS]]


@lru_cache(maxsize=2)
def rule_of_thumb_for(cards: CardSet) -> RuleOfThumb:
    """Returns the rule of thumb for a card set. Its caches are kept from match to match."""
    return RuleOfThumb(ReadingValues(cards))
