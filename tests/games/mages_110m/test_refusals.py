"""110 Metres Mages: what is answered to an action that is not allowed, wherever it is tried."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.api import Action
from games.mages_110m.moves import Aim, Cast, Counter, Drop, Fizzle, Gamble, LetBe, Pass, Pay, Trade
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import do, given, mage

NO_ROLL = "There is no roll to pay for now."
NO_SPELL = "There is no spell to answer now."
OWN_TURN = "You can cast a spell only as the action of your turn."
DEED = "You can take a discard action only as the action of your turn."
OTHERS = "Aim at the seat of an opponent."
NO_LIMB = "You do not have the limb that this spell needs."
DROP = "There is no card to discard now."


def at_action() -> RaceState:
    """Seat 1 has one leg too few to kick, and no hurdle before it."""
    return given("kick trip no", "hop", "", legs=0, hurdles=0)


def at_answer() -> RaceState:
    """Seat 2 answers a spell that is aimed at nobody, and has no arm."""
    state = given("hop hop", "no huh kick", "no")
    mage(state, 2).arms = 0
    do(state, 1, "cast hop")
    return state


def at_aim() -> RaceState:
    state = given("hop hop hop hop", "", "", pile="trip")
    do(state, 1, "gamble")
    return state


def at_reserve() -> RaceState:
    state = given("leap hop", dice="2", reserve=3)
    do(state, 1, "cast leap")
    return state


def at_price() -> RaceState:
    state = given("hop kick wave", "hop")
    do(state, 1, "trade clear")
    return state


def before_king() -> RaceState:
    """Seat 2 plays, who has no arm to wave with."""
    state = given("study", "hop wave", pile="glow king")
    mage(state, 2).arms = 0
    do(state, 1, "cast study")
    do(state, 2, "let")
    do(state, 1, "cast glow")
    return state


@pytest.mark.parametrize(
    ("moment", "seat", "action", "code", "text"),
    [
        (at_action, 1, Cast("hop"), "not_in_hand", "You do not have the card 'hop'."),
        (at_action, 1, Cast("none"), "not_in_hand", "You do not have the card 'none'."),
        (at_action, 1, Cast("no"), "is_counter", "A counter-spell only answers a spell of an opponent."),
        (at_action, 1, Cast("kick"), "missing_limb", NO_LIMB),
        (at_action, 1, Cast("trip"), "bad_target", OTHERS),
        (at_action, 1, Cast("trip", 1), "bad_target", OTHERS),
        (at_action, 1, Cast("trip", 4), "bad_target", OTHERS),
        (
            at_action,
            1,
            Trade("clear"),
            "useless_deed",
            "That deed would have no effect now, or it would cross the line.",
        ),
        (at_action, 1, Gamble(), "few_cards", "That takes at least 4 cards in your hand."),
        (at_action, 1, Drop("trip"), "wrong_moment", DROP),
        (at_action, 1, Counter("no"), "wrong_moment", NO_SPELL),
        (at_action, 1, LetBe(), "wrong_moment", NO_SPELL),
        (at_action, 1, Aim(2), "wrong_moment", "There is no spell to aim now."),
        (at_action, 1, Pay(), "wrong_moment", NO_ROLL),
        (at_action, 1, Fizzle(), "wrong_moment", NO_ROLL),
        (at_action, 2, Pass(), "not_your_turn", "It is not your turn to decide."),
        (at_answer, 1, LetBe(), "not_your_turn", "It is not your turn to decide."),
        (at_answer, 2, Cast("kick"), "wrong_moment", OWN_TURN),
        (at_answer, 2, Counter("hop"), "not_in_hand", "You do not have the card 'hop'."),
        (at_answer, 2, Counter("kick"), "no_counter", "This card is not a counter-spell."),
        (at_answer, 2, Counter("huh"), "missing_limb", NO_LIMB),
        (at_answer, 2, Pass(), "wrong_moment", "You can pass only when it is time for your action."),
        (at_aim, 1, Aim(1), "bad_target", OTHERS),
        (at_aim, 1, Aim(0), "bad_target", OTHERS),
        (at_aim, 1, Aim(4), "bad_target", OTHERS),
        (at_aim, 1, Gamble(), "wrong_moment", DEED),
        (at_reserve, 1, Pass(), "wrong_moment", "You can pass only when it is time for your action."),
        (at_reserve, 1, Cast("hop"), "wrong_moment", OWN_TURN),
        (at_price, 1, Drop("dash"), "not_in_hand", "You do not have the card 'dash'."),
        (at_price, 1, Trade("clear"), "wrong_moment", DEED),
        (before_king, 2, Drop("hop"), "must_cast", "In front of the king you must cast what you can cast."),
        (before_king, 2, Cast("wave"), "missing_limb", NO_LIMB),
        (before_king, 2, Cast("hop", 1), "no_target", "This spell has no target."),
        (before_king, 1, Pass(), "not_your_turn", "It is not your turn to decide."),
    ],
)
def test_what_is_not_allowed_is_answered_with_the_first_reason_and_changes_nothing(
    moment: Callable[[], RaceState], seat: int, action: Action, code: str, text: str
) -> None:
    race = moment()
    before = race.clone()
    refusal = race.refusal_reason(seat, action)
    assert refusal is not None
    assert (refusal.code, refusal.text) == (code, text)
    assert race == before


@pytest.mark.parametrize(
    ("moment", "seat", "action"),
    [
        (at_action, 1, Cast("trip", 2)),
        (at_action, 1, Cast("trip", 3)),
        (at_action, 1, Trade("reserve")),
        (at_action, 1, Pass()),
        (at_answer, 2, Counter("no")),
        (at_answer, 3, LetBe()),
        (at_aim, 1, Aim(3)),
        (at_reserve, 1, Pay()),
        (at_reserve, 1, Fizzle()),
        (at_price, 1, Drop("wave")),
        (before_king, 2, Drop("wave")),
        (before_king, 2, Cast("hop")),
    ],
)
def test_what_is_allowed_is_not_refused(moment: Callable[[], RaceState], seat: int, action: Action) -> None:
    assert moment().refusal_reason(seat, action) is None
