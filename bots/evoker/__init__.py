"""evoker and scholar: two bots for Magecraft that compare casting spells with learning new ones at each turn."""

from __future__ import annotations

import random

from bots.evoker.plans import Planner, gem_total
from bots.evoker.worth import BookEvaluator, MagePreferences
from bots.sdk import Bot, Turn, best_of
from bots.sdk.levels import beginner
from games.api import Action
from games.magecraft.cards import CardSet, Spell
from games.magecraft.game import Magecraft
from games.magecraft.moves import (
    GEM_AT,
    REVISE,
    Attack,
    Darken,
    Discard,
    Draw,
    Heal,
    Pay,
    Shield,
    Vanish,
)
from games.magecraft.options import MagecraftOptions


class Evoker(Bot):
    """Wants the others' life: attacks first, learns what attacks."""

    games = ("magecraft",)
    mind = MagePreferences(
        draw=0.2, attack=1.3, heal=0.75, shield=0.95, vanish=0.8, darkness=0.25, length=14, patience=0.3
    )

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        # the seed of random factors, by which this bot prefers some spells a little
        self._mood = self.rng.getrandbits(48)
        self._moods: dict[int, float] = {}
        self._learnable: tuple[object, list[tuple[float, Spell, int]]] = ((), [])

    def choose(self, turn: Turn) -> Action:
        if len(turn.legal) == 1:
            return turn.legal[0]
        if turn.view.progress.phase == "boards":
            return self.rng.choice(turn.legal)
        assert isinstance(turn.game, Magecraft)
        planner = self._planner(turn, turn.game.card_set)
        match turn.view.progress.phase:
            case "spells":
                value, action = best_of(planner.rated_turns(planner.hand), lambda one: one[0], self.rng)
                return REVISE if planner.is_revision_better(value) else action
            case "icons":
                return best_of(turn.legal, lambda action: icon_preference(action, planner), self.rng)
            case "revise":
                return best_of(planner.rated_revisions(), lambda one: one[0], self.rng)[1]
            case _:
                return best_of(turn.legal, lambda action: remaining_value(action, planner), self.rng)

    def _planner(self, turn: Turn, cards: CardSet) -> Planner:
        if not self._moods:
            moods = random.Random(self._mood)  # seeded, so that a bot has the same factors after a restart
            self._moods = {spell.index: moods.uniform(0.8, 1.2) for spell in cards.spells}
        view = turn.view
        planner = Planner(view, cards, self.mind, _worth(cards, self.mind), _options(turn))
        same = (view.you.books, view.academy.stacks, view.progress.round)
        if self._learnable[0] != same:
            planner.compute_learnable(self._moods)
            self._learnable = (same, planner.learnable)
        else:
            planner.learnable = self._learnable[1]
        return planner


class Scholar(Evoker):
    """Wants a full score: vanishes, heals beyond full life, and learns for longer."""

    mind = MagePreferences(
        draw=0.2, attack=1.15, heal=0.9, shield=0.95, vanish=0.85, darkness=0.2, length=14, patience=0.3
    )


_KNOWN: dict[MagePreferences, tuple[CardSet, BookEvaluator]] = {}


def _worth(cards: CardSet, mind: MagePreferences) -> BookEvaluator:
    """Returns the evaluation of books for these cards and preferences. It is kept from match to match."""
    known = _KNOWN.get(mind)
    if known is None or known[0] is not cards:
        known = _KNOWN[mind] = (cards, BookEvaluator(cards, mind))
    return known[1]


def _options(turn: Turn) -> MagecraftOptions:
    return turn.options if isinstance(turn.options, MagecraftOptions) else MagecraftOptions()


def remaining_value(action: Action, planner: Planner) -> float:
    """Returns the value of the best turn with the gems that remain in hand after the action, a payment or a discard."""
    assert isinstance(action, Discard | Pay)
    return _without(planner, GEM_AT[action.gem])


def _without(planner: Planner, gem: int) -> float:
    hand = list(planner.hand)
    hand[gem] -= 1
    return planner.best_value(hand) + (0.01 if gem == 4 else 0.0)


def icon_preference(action: Action, planner: Planner) -> float:
    """Returns how much the planner wants to resolve this icon of a spell next. The order is: icons that win the match,
    draws of gems that allow further spells, then the rest."""
    point = 100.0 if planner.score + 1 >= planner.winning else 0.0
    match action:
        case Draw():
            return 50.0
        case Attack():
            return 30.0 + _attack(action, planner, point)
        case Darken():
            return 29.0
        case Heal():
            return 20.0 + (point if planner.life == planner.full else 0.0)
        case Shield():
            dark = action.gem == "darkness"
            return 10.0 + (2.0 if dark else 1.0 if action.source == "academy" else 0.0)
        case Vanish():
            if action.source == "hand":
                loss = planner.best_value(planner.hand) - _without(planner, GEM_AT[action.gem])
            else:
                loss = 0.5 + 0.15 * (planner.full - planner.life) + (90.0 if planner.life == 1 else 0.0)
            return 15.0 - loss + point
    return 0.0


def _attack(action: Attack, planner: Planner, point: float) -> float:
    board = next(board for board in planner.rivals if board.seat == action.seat)
    shield, life = gem_total(board.shield), gem_total(board.life)
    hunt = planner.hunt
    if shield:
        return hunt * (planner.full - life - shield) / 10 + (0.01 if action.gem == "darkness" else 0.0)
    threat = gem_total(board.score) / planner.winning
    blow = 0.0 if life > 1 else 80.0 if hunt > 0 else -80.0
    return hunt * (planner.full - life) / 10 + threat + point + blow


BOTS = {"evoker": Evoker, "evoker:easy": beginner(Evoker), "scholar": Scholar}
