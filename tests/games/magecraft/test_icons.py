"""Icons: order, choice, and each of the six."""

import pytest

from games.api import Action, Seat
from games.magecraft import icons
from games.magecraft.events import Attacked, Drew, Healed, Refilled, Vanished
from games.magecraft.moves import Attack, Cast, Darken, Draw, Heal, Shield, Vanish
from games.magecraft.turn import ICON
from games.magecraft.views import Icons
from tests.games.magecraft.given import act, book, gems, legal, position, refused


def test_icons_are_used_in_any_order() -> None:
    """Rule 4.1."""
    for first, second in (("attack 2 fire", "heal water"), ("heal water", "attack 2 fire")):
        state = position(hand="EF")
        book(state.mages[0], state, 1, "absorb")
        act(state, "cast 1", first, second)
        assert sum(state.mages[0].score) == 2  # life was full, so that the healed gem went to the score


def test_what_leaves_no_choice_is_done_by_itself() -> None:
    """Rule 4.1."""
    state = position(hand="W")
    told = act(state, "cast 1")
    assert Drew(1, 1) in told
    assert state.mages[0].hand == gems("FW")
    state = position(hand="F")
    state.mages[1].life = gems("LL")
    told = act(state, "innate")
    assert Attacked(1, 2, "light", "life") in told


def test_a_choice_that_was_found_while_acting_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule 4.1: most of a match is icons."""
    state = position(hand="FW")
    book(state.mages[0], state, 1, "storm")
    state.apply(1, Cast(1))
    monkeypatch.setattr(icons, "legal_icon_uses", lambda *_: pytest.fail("looked for again"))
    assert len(state.legal_actions(1)) == 4


def test_icons_that_can_do_nothing_are_skipped() -> None:
    """Rule 4.1."""
    state = position(hand="W")
    book(state.mages[0], state, 1, "cure")
    state.academy.gems = [0] * 5
    act(state, "cast 1")
    assert "end" in legal(state)
    assert sum(state.mages[0].life) == 12
    progress = state.view(1).progress
    assert (progress.phase, progress.icons) == ("spells", Icons())


def test_draw_takes_the_next_gem_of_the_bag() -> None:
    """Rule 4.2."""
    state = position(hand="L")
    act(state, "cast 1")
    assert state.mages[0].hand == gems("FW")
    assert state.mages[0].bag == [3, 2]


def test_with_bag_and_discard_empty_there_is_nothing_to_draw() -> None:
    """Rules 4.1, 4.2."""
    state = position()
    state.mages[0].bag = []
    state.turn.phase, state.turn.icons = ICON, [1, 1, 0, 0, 0, 0]
    assert "draw" not in legal(state)
    assert refused(state, Draw()) == "no_gem"
    act(state, "attack 2 fire")
    assert "end" in legal(state)


def test_an_attack_takes_the_shield_first_then_life() -> None:
    """Rule 4.3."""
    state = position(hand="FW")
    state.mages[1].shield = gems("E")
    book(state.mages[0], state, 1, "storm")
    told = act(state, "cast 1")
    assert Attacked(1, 2, "earth", "shield") in told
    assert state.mages[1].discard == gems("E")
    assert refused(state, Attack(2, "darkness")) == "no_gem"
    act(state, "attack 2 light")
    assert state.mages[1].life == [3, 3, 3, 2, 0]
    assert state.mages[0].score == gems("L")


def test_each_attack_icon_chooses_its_own_opponent() -> None:
    """Rule 4.3."""
    state = position(3, hand="FW")
    book(state.mages[0], state, 1, "storm")
    act(state, "cast 1", "attack 2 fire", "attack 3 water")
    assert [sum(mage.life) for mage in state.mages] == [12, 11, 11]


def test_nobody_attacks_oneself_or_the_eliminated() -> None:
    """Rule 4.3."""
    state = position(3, hand="F")
    state.mages[2].alive = False
    act(state, "innate")
    for seat in (0, 1, 3, 9):
        assert refused(state, Attack(Seat(seat), "fire")) == "no_opponent"
    assert refused(state, Heal("fire")) == "no_icon"


def test_heal_fills_life_and_then_the_score() -> None:
    """Rule 4.4."""
    state = position(hand="WW")
    book(state.mages[0], state, 1, "cure cure")
    state.mages[0].life = [3, 3, 3, 2, 0]
    assert Healed(1, "fire", "life") in act(state, "cast 1", "heal fire")
    assert Healed(1, "fire", "score") in act(state, "cast 1", "heal fire")
    assert state.mages[0].life == [4, 3, 3, 2, 0]
    assert state.mages[0].score == gems("F")
    assert state.academy.gems[0] == 6


def test_darkness_does_not_heal() -> None:
    """Rule 4.4."""
    state = position(hand="W")
    book(state.mages[0], state, 1, "cure")
    act(state, "cast 1")
    assert refused(state, Heal("darkness")) == "no_gem"


def test_a_shield_gem_comes_from_the_academy_or_the_own_discard() -> None:
    """Rule 4.5."""
    state = position(hand="EE")
    state.mages[0].discard = gems("D")
    book(state.mages[0], state, 1, "ward ward")
    act(state, "cast 1")
    assert "shield darkness discard" in legal(state)
    assert "shield darkness academy" not in legal(state)
    assert refused(state, Shield("darkness", "academy")) == "no_gem"
    act(state, "shield darkness discard", "cast 1", "shield water academy")
    assert state.mages[0].shield == gems("DW")
    assert state.academy.gems[:4] == [8, 7, 8, 8]
    assert state.mages[0].discard == gems("EE")


def test_a_gem_vanishes_from_hand_or_life_into_the_score() -> None:
    """Rule 4.6."""
    state = position(hand="LLW")
    book(state.mages[0], state, 1, "fade fade")
    assert Vanished(1, "water", "hand") in act(state, "cast 1", "vanish water hand")
    act(state, "cast 1")
    assert refused(state, Vanish("water", "hand")) == "no_gem"
    act(state, "vanish fire life")
    assert state.mages[0].score == gems("WF")
    assert sum(state.mages[0].life) == 11


def test_darkness_goes_to_the_discard_of_an_opponent() -> None:
    """Rule 4.7."""
    state = position(3, hand="W")
    book(state.mages[0], state, 1, "dusk")
    act(state, "cast 1")
    assert refused(state, Darken(1)) == "no_opponent"
    assert legal(state) == ["darken 2", "darken 3"]
    act(state, "darken 3")
    assert state.mages[2].discard == gems("D")
    assert state.academy.gems[4] == 7


def test_darkness_goes_to_nobody_who_is_out() -> None:
    """Rules 4.7, 7.2."""
    state = position(4, hand="W")
    state.mages[1].alive = False
    book(state.mages[0], state, 1, "dusk")
    act(state, "cast 1")
    assert legal(state) == ["darken 3", "darken 4"]
    assert refused(state, Darken(2)) == "no_opponent"


def test_without_darkness_gems_the_icon_is_skipped() -> None:
    """Rule 4.7."""
    state = position(hand="W", darkness=False)
    book(state.mages[0], state, 1, "dusk")
    act(state, "cast 1")
    assert "end" in legal(state)
    assert state.mages[1].discard == gems("")


def test_an_empty_bag_is_filled_from_the_discard_in_the_middle_of_a_spell() -> None:
    """Rules 4.2, 6.2."""
    state = position(hand="L")
    state.mages[0].bag = [1]
    state.mages[0].discard = gems("E")
    told = act(state, "cast 1")
    assert Refilled(1) in told
    assert sum(state.mages[0].hand) == 2
    assert state.mages[0].hand[1] == 1
    assert len(state.mages[0].bag) == 1


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Attack(2, "water"), "There is no water gem in that shield, and attacks hit the shield first."),
        (Attack(3, "water"), "There is no water gem in that life."),
        (Attack(4, "water"), "Seat 4 is not your opponent."),
        (Attack(1, "water"), "Seat 1 is not your opponent."),
        (Heal("darkness"), "Darkness gems do not heal."),
        (Heal("water"), "There is no water gem in the Academy."),
        (Shield("water", "academy"), "There is no water gem in the Academy."),
        (Shield("darkness", "academy"), "Darkness gems from beside the Academy cannot be a shield."),
        (Shield("water", "discard"), "There is no water gem in your discard."),
        (Vanish("water", "hand"), "There is no water gem in your hand."),
        (Vanish("water", "life"), "There is no water gem in your life."),
        (Darken(2), "There is no darkness gem beside the Academy."),
        (Draw(), "There is no gem left to draw."),
    ],
)
def test_an_icon_that_cannot_be_used_so_is_refused_with_the_reason(action: Action, said: str) -> None:
    """Rules 4.1 to 4.7."""
    state = position(3, hand="FF")
    state.turn.phase, state.turn.icons = ICON, [1] * 6
    state.academy.gems = [9, 0, 9, 9, 0]
    for mage in state.mages:
        mage.life = gems("FFF")
    mage, state.mages[1].shield = state.mages[0], gems("F")
    mage.bag, mage.discard = [], gems("")
    why = state.refusal_reason(1, action)
    assert why is not None
    assert why.args[1] == said
    state.turn.icons = [0] * 6
    assert action not in state.legal_actions(1)
