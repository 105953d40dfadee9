"""Each draw of each game: it comes from its own label and no other, it is flat, the next one is another, and it does
not follow from what is public."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import pytest

from games.api import AddressedEvent, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.cheaty_mages.casting import draw_judge
from games.cheaty_mages.rules import ArenaState
from games.magecraft.rules import MagecraftState
from games.mages_110m import events as race_events
from games.mages_110m import moves as race_moves
from games.mages_110m.drawing import shuffle_into_pile
from games.mages_110m.rules import RaceState
from games.registry import get_game
from tests.games.cheaty_mages.given import given as arena_given
from tests.games.magecraft import given as craft
from tests.games.mages_110m import given as race
from tests.helpers.chi_square import follows

MANY = 400


class Changed(Chance):
    """The draws of a number, but for those of the labels that `changes`, which are those of another number."""

    def __init__(self, number: int, other: int, changes: Callable[[str], bool]) -> None:
        super().__init__(deal_key(numbered_seed(number)))
        self._other, self._changes = Chance.of_number(other), changes

    def _block(self, label: str, use: int, block: int) -> bytes:
        return self._other._block(label, use, block) if self._changes(label) else super()._block(label, use, block)


@dataclass
class Draw:
    """One draw: what came of it, as a value that is flat over `ways`."""

    name: str
    label: str
    drawn: Callable[[Chance], Hashable]
    ways: Counter[Hashable]
    again: bool = False  # `drawn` may be called twice with one chance


def dealt(name: str, seats: int, chance: Chance) -> ArenaState | MagecraftState | RaceState:
    game = get_game(name)
    state, _told = game.start(seats, options_from(game, {}), chance)
    assert isinstance(state, ArenaState | MagecraftState | RaceState)
    return state


def arena(chance: Chance) -> ArenaState:
    match = dealt("ikasamage", 3, chance)
    assert isinstance(match, ArenaState)
    return match


def magic(chance: Chance) -> MagecraftState:
    state = dealt("magecraft", 2, chance)
    assert isinstance(state, MagecraftState)
    return state


def running(chance: Chance) -> RaceState:
    state = dealt("mages-110m", 3, chance)
    assert isinstance(state, RaceState)
    return state


def next_round(chance: Chance) -> ArenaState:
    match = arena_given(hands={1: "cure"}, money={2: 5})
    match.chance = chance
    match._begin_round(2, [])
    return match


def renewed_spells(chance: Chance) -> int:
    """The first card of a pile that was made anew of twelve, which lay open in a known order."""
    match = arena_given(hands={1: "cure"})
    match.chance, match.pile, match.discard = chance, [], list(range(30, 42))
    card = match.draw_top_spell([])
    assert card is not None
    return card


def renewed_judges(chance: Chance) -> int:
    match = arena_given(hands={1: "cure"})
    match.chance, match.judge_pile, match.judges_gone = chance, [], [2, 3, 4, 5]
    draw_judge(match, [])
    return match.judge


def renewed_bag(chance: Chance) -> int:
    state = craft.position(2)
    mage = state.mages[0]
    mage.bag, mage.discard = [], craft.gems("FFWWEELL")
    told: list[AddressedEvent] = []
    mage.draw_gems(1, chance, told)
    return next(at for at, count in enumerate(mage.hand) if count)


def on_offer(chance: Chance) -> bool:
    """Whether one of the nineteen academy spells is among the nine on offer."""
    state = magic(chance)
    return state.cards.by_name["golem"] in state.academy.spells


def first_mage(chance: Chance) -> int:
    game = get_game("mages-110m")
    _state, told = game.start(3, options_from(game, {}), chance)
    return next(one.event.first for one in told if isinstance(one.event, race_events.Started))


def pile_of(state: RaceState) -> list[int]:
    return state.race.pile


def renewed_pile(chance: Chance) -> int:
    state = race.given("hop")
    state.race.chance, state.race.discard = chance, list(range(4))
    state.race.reshuffle_pile()
    return state.race.pile[-1]


def put_back(chance: Chance) -> int:
    """Where a card that was set aside lies in the pile afterwards."""
    state = race.given("hop")
    state.race.chance, state.race.pile = chance, [race.INDEX["hop"]] * 5
    shuffle_into_pile(state.race, [race.INDEX["leap"]])
    return state.race.pile.index(race.INDEX["leap"])


def rolled(chance: Chance) -> int:
    state = race.given("leap leap")
    state.race.chance = chance
    told = state.apply(1, race_moves.Cast("leap"))
    return next(one.event.die for one in told if isinstance(one.event, race_events.Rolled))


def flat(*values: Hashable) -> Counter[Hashable]:
    return Counter(values)


DRAWS = [
    Draw("the deal of the spells", "spells", lambda chance: arena(chance).pile[-1] // 9, flat(*range(8))),
    Draw("the first judge", "judges", lambda chance: arena(chance).judge, flat(*range(8))),
    Draw("who begins", "starter", lambda chance: arena(chance).starter, flat(1, 2, 3)),
    Draw("the first fighter", "fighters", lambda chance: arena(chance).fighters[0], flat(*range(10))),
    Draw("the last fighter", "fighters", lambda chance: arena(chance).fighters[4], flat(*range(10))),
    Draw("fighters of a round", "fighters", lambda chance: next_round(chance).fighters[0], flat(*range(10)), True),
    Draw("the renewed spell pile", "spells", renewed_spells, flat(*range(30, 42)), True),
    Draw("the renewed judge pile", "judges", renewed_judges, flat(2, 3, 4, 5), True),
    Draw("the first mage", "first player", lambda chance: magic(chance).first, flat(1, 2)),
    Draw("a board", "characters", lambda chance: magic(chance).mages[1].character, flat(*range(4))),
    Draw("the Academy", "academy", on_offer, Counter({True: 9, False: 10})),
    Draw("a first bag", "bag 1", lambda chance: magic(chance).mages[0].bag[0], flat(*range(4))),
    Draw("another first bag", "bag 2", lambda chance: magic(chance).mages[1].bag[0], flat(*range(4))),
    Draw("a bag that is filled again", "bag 1", renewed_bag, flat(*range(4)), True),
    Draw("who runs first", "first", first_mage, flat(1, 2, 3)),
    Draw("the renewed pile of the race", "pile", renewed_pile, flat(*range(4)), True),
    Draw("cards that go back", "back", put_back, flat(*range(6)), True),
    Draw("a die", "die", rolled, flat(*range(1, 7)), True),
]
EACH = pytest.mark.parametrize("draw", DRAWS, ids=lambda draw: draw.name)


@EACH
def test_a_draw_is_flat(draw: Draw) -> None:
    assert follows([draw.drawn(Chance.of_number(number)) for number in range(MANY)], draw.ways)


@EACH
def test_another_label_gives_another_order(draw: Draw) -> None:
    """The same public facts and every other draw as before: what comes is not what came."""

    def other(number: int) -> Hashable:
        return draw.drawn(Changed(1, number, lambda label: label == draw.label))

    assert len({other(number) for number in range(2, 40)}) > 1


@EACH
def test_a_draw_does_not_depend_on_other_labels(draw: Draw) -> None:
    for number in range(2, 12):
        chance = Changed(1, number, lambda label: label != draw.label)
        assert draw.drawn(chance) == draw.drawn(Chance.of_number(1))


@pytest.mark.parametrize("draw", [draw for draw in DRAWS if draw.again], ids=lambda draw: draw.name)
def test_the_next_draw_of_a_label_is_another_one(draw: Draw) -> None:
    pairs = []
    for number in range(40):
        chance = Chance.of_number(number)
        pairs.append((draw.drawn(chance), draw.drawn(chance)))
    assert any(one != other for one, other in pairs), "every draw is the same"
    assert len({other for _, other in pairs}) > 1


def test_a_pile_of_the_race_is_dealt_flat() -> None:
    """The card at the bottom, which no draw of the first turn reaches: any of the file's, each copy as likely."""
    deck = running(Chance.of_number(1)).race.deck
    ways: Counter[Hashable] = Counter(card // 8 for card in deck.piles["3"])
    drawn = [pile_of(running(Chance.of_number(number)))[0] // 8 for number in range(MANY)]
    assert follows(drawn, ways)


def test_the_lot_takes_any_limb_and_any_card_of_a_hand() -> None:
    limbs: Counter[str] = Counter()
    mislaid: Counter[str] = Counter()
    for number in range(200):
        game = get_game("mages-110m")
        position = {
            "turn_of": 1,
            "mage": [
                {"hand": ["limb_lottery", "fire_drill"], "power": 0, "reserve": 6},
                {"hand": ["humming", "lullaby", "headwind"]},
            ],
        }
        for card, seen in (("limb_lottery", limbs), ("fire_drill", mislaid)):
            state = game.build_position(position, Chance.of_number(number))
            told = state.apply(1, next(one for one in state.legal_actions(1) if getattr(one, "card", "") == card))
            while state.to_move() and not any(isinstance(one.event, race_events.Passed) for one in told):
                seat = min(state.to_move())
                if not any(type(one).__name__ in ("LetBe", "Pay") for one in state.legal_actions(seat)):
                    break
                told += state.apply(
                    seat, next(one for one in state.legal_actions(seat) if type(one).__name__ in ("LetBe", "Pay"))
                )
            for one in told:
                if isinstance(one.event, race_events.LimbLot) and one.event.seat == 2:
                    seen[one.event.limb] += 1
                if isinstance(one.event, race_events.Mislaid):
                    seen[one.event.cards[0]] += 1
    assert set(limbs) == {"arm", "leg"}
    assert min(limbs.values()) > 60
    assert set(mislaid) == {"humming", "lullaby", "headwind"}
    assert min(mislaid.values()) > 40
