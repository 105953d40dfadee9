"""What is imagined is each as likely as the deal makes it: small positions, every deal of them counted out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import TypeVar

import msgspec
import pytest

from games.api import Game, State, options_from
from games.chance import Chance
from games.cheaty_mages.rules import ArenaState
from games.magecraft.moves import Cast
from games.magecraft.position import gems_of_counts
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import PAY
from games.mages_110m.options import RaceOptions
from games.mages_110m.rules import RaceState
from games.registry import all_games
from tests.games.cheaty_mages import given as arena
from tests.games.magecraft import given as craft
from tests.games.mages_110m import given as race
from tests.helpers.chi_square import follows
from tests.helpers.toy import TOY, ToyState

S = TypeVar("S", bound=State)


def imagined(state: S, seat: int, count: int = 2_000) -> Iterator[S]:
    """Worlds that the seat may imagine."""
    chance = Chance.of_number(5)
    return (state.redeal(seat, chance) for _ in range(count))


def counted(places: Callable[[Sequence[int]], Hashable | None], *pools: Sequence[int]) -> Counter[Hashable]:
    """Every order of every pool, by the outcome that `places` makes of it; None where it is not possible."""
    orders = product(*(permutations(pool) for pool in pools))
    found = (places([card for order in each for card in order]) for each in orders)
    return Counter(outcome for outcome in found if outcome is not None)


def test_chi_square_knows_a_loaded_die() -> None:
    fair = Counter[Hashable](range(1, 7))
    chance = Chance.of_number(1)
    assert follows([chance.roll("die") for _ in range(600)], fair)
    assert not follows([min(chance.roll("die"), chance.roll("die")) for _ in range(600)], fair)


@pytest.mark.parametrize("game", [*all_games().values(), TOY], ids=lambda game: game.id)
def test_each_world_has_draws_of_its_own_to_come(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving a state saves them; a game that draws nothing after the deal has none."""
    truth, _told = game.start(game.min_seats, options_from(game, {}), Chance.of_number(1))
    worlds = [truth.redeal(1, Chance.of_number(number)) for number in (2, 3)]
    saved: list[set[bytes]] = []
    save = Chance.save

    def noted(chance: Chance) -> tuple[bytes, dict[str, int]]:
        saved[-1].add(save(chance)[0])
        return save(chance)

    monkeypatch.setattr(Chance, "save", noted)
    for state in (truth, *worlds):
        saved.append(set())
        state.save()
    assert not any(one & other for one, other in combinations(saved, 2))


def test_the_toys_hidden_hands() -> None:
    state = ToyState(2, 2, [[1, 2], [3, 4]], Chance.of_number(1), points=[0, 0], shown=[9, 10, 11, 12])
    ways = counted(lambda order: tuple(sorted(order[:2])), [3, 4, 5, 6, 7, 8])
    assert follows((tuple(sorted(other.hands[1])) for other in imagined(state, 1)), ways)


# Ikasamage and Cheaty Mages!

EDITIONS = ("ikasamage", "cheaty-mages")


def kinds(match: ArenaState, cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(match.deck.kind_of[card] for card in cards))


def small_arena(edition: str) -> ArenaState:
    """Seat 2 holds two cards and seat 3 one, one of seat 2's lies face down, and three make the pile."""
    match = arena.given(edition=edition, hands={1: "cure", 2: "might slow", 3: "shrink"}, on={4: "might@2"})
    names = ["slow", "might", "giant_growth"]
    match.pile = [next(card for card in match.pile if match.deck.name_of[card] == name) for name in names]
    return match


def lying_hands_pile(match: ArenaState) -> tuple[object, ...]:
    return (
        *(match.deck.kind_of[one.card] for row in match.rows for one in row),
        kinds(match, match.hands[2]),
        kinds(match, match.hands[3]),
        match.deck.kind_of[match.pile[-1]] if match.pile else -1,
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_card_that_lies_face_down_hands_and_the_top_of_the_pile(edition: str) -> None:
    match = small_arena(edition)
    kind_of, (hidden,) = match.deck.kind_of, match.rows[3]

    def places(order: Sequence[int]) -> Hashable | None:
        if not hidden.possible >> kind_of[order[0]] & 1:
            return None
        return kind_of[order[0]], kinds(match, order[1:3]), kinds(match, order[3:4]), kind_of[order[4]]

    unseen = [hidden.card, *match.hands[2], *match.hands[3], *match.pile]
    worlds = imagined(match, 1, 3_000)
    assert follows(map(lying_hands_pile, worlds), counted(places, unseen))


@pytest.mark.parametrize("edition", EDITIONS)
def test_cards_that_lie_face_down_under_judges_who_refuse_different_things(edition: str) -> None:
    match = small_arena(edition)
    number = match.deck.number
    masks = [
        1 << number["might"] | 1 << number["slow"] | 1 << number["shrink"],
        1 << number["slow"] | 1 << number["giant_growth"] | 1 << number["shrink"],
    ]
    (first,) = match.rows[3]
    other = next(card for card in match.pile if match.deck.name_of[card] == "slow")
    match.pile.remove(other)
    match.rows[3] = [msgspec.structs.replace(first, possible=masks[0])]
    match.rows[4] = [msgspec.structs.replace(first, card=other, possible=masks[1])]
    match.invalidate_all()
    kind_of = match.deck.kind_of

    def places(order: Sequence[int]) -> Hashable | None:
        if not all(mask >> kind_of[card] & 1 for mask, card in zip(masks, order, strict=False)):
            return None
        return kind_of[order[0]], kind_of[order[1]], kinds(match, order[2:4]), kinds(match, order[4:5])

    unseen = [first.card, other, *match.hands[2], *match.hands[3], *match.pile]
    worlds = (lying_hands_pile(world)[:4] for world in imagined(match, 1, 3_000))
    assert follows(worlds, counted(places, unseen))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hand_that_is_half_older_than_the_pile(edition: str) -> None:
    match = small_arena(edition)
    match.rows[3].clear()
    match.update_targetable(4)
    match.renewals = 1
    new = match.hands[2][-1]
    for card in (new, *match.pile):
        match.drawn[card] = 1
    older = [match.hands[2][0], *match.hands[3]]

    def places(order: Sequence[int]) -> Hashable:
        return kinds(match, [order[0], order[2]]), kinds(match, order[1:2]), match.deck.kind_of[order[3]]

    worlds = map(lying_hands_pile, imagined(match, 1, 3_000))
    assert follows(worlds, counted(places, older, [new, *match.pile]))


# Magecraft


def test_hidden_gems_of_a_mage() -> None:
    state = craft.position(hand="F")
    mage = state.mages[1]
    mage.hand, mage.known, mage.bag = craft.gems("FFW"), craft.gems("F"), [0, 1, 2]
    mage.invalidate_views()
    ways = counted(lambda order: (tuple(sorted(order[:2])), order[2]), [0, 1, 0, 1, 2])
    worlds = imagined(state, 1, 2_500)
    assert follows(((hidden(world), world.mages[1].bag[-1]) for world in worlds), ways)


def hidden(state: MagecraftState) -> tuple[int, ...]:
    mage = state.mages[1]
    counts = [held - known for held, known in zip(mage.hand, mage.known, strict=True)]
    return tuple(gem for gem, count in enumerate(counts) for _ in range(count))


@pytest.mark.parametrize("hand", ["FFFF", "FFFW", "FFWW"])
def test_what_is_imagined_of_a_hand_is_what_it_may_have_been_when_the_spell_was_cast(hand: str) -> None:
    """Whether a mage was asked for a gem says nothing: no world is more or less likely for it."""
    state = craft.position(hand="F")
    mage, turn = state.mages[1], state.turn
    mage.hand, mage.bag = craft.gems(hand), [0, 0, 1, 2]
    mage.invalidate_views()
    turn.seat = 2
    state.invalidate_legal_actions()

    def cast(world: MagecraftState) -> MagecraftState:
        world.apply(2, Cast(1))  # one wild symbol
        return world

    before = (cast(world) for world in imagined(state, 1, 2_500))
    held = counted(lambda order: tuple(sorted(order[:4])), gems_of_counts(mage.hand) + mage.bag)
    assert {world.turn.phase for world in before} == {PAY}
    assert follows(map(hidden, imagined(cast(state), 1, 2_500)), held)


# 110 Metres Mages


def small_race(hands: Sequence[str], pile: str) -> RaceState:
    """All cards but those are on the discard pile."""
    state = race.given("hop", *hands, pile=pile)
    cut = len(state.race.pile) - len(pile.split())
    state.race.discard += state.race.pile[:cut]
    del state.race.pile[:cut]
    left = Counter(race.GAME.deck.cards_for(2, RaceOptions()))
    left.subtract([*state.race.pile, *state.race.discard, *(card for mage in state.race.mages for card in mage.hand)])
    state.race.discard += left.elements()
    state.race.invalidate_discard()
    return state


def hands_and_top(state: RaceState) -> tuple[object, ...]:
    runners = state.race.mages[1:]
    return (*(tuple(runner.hand) for runner in runners), state.race.pile[-1])


def is_counter(card: int) -> bool:
    return race.GAME.deck.kinds[card].is_counter


def test_hands_hold_no_cv_and_those_before_the_king_no_counter_spell() -> None:
    state = small_race(["hop kick", "no"], "picnic king no")
    truth = state.race
    truth.king_reigns, truth.bared, truth.king_queue = True, 0b100, [2]
    truth.king_card, truth.pile[1] = truth.pile[1], truth.deck.index["kick"]
    truth.discard.remove(truth.deck.index["kick"])
    unseen = [*truth.mages[1].hand, *truth.mages[2].hand, *truth.pile]

    def places(order: Sequence[int]) -> Hashable | None:
        if not all(truth.deck.in_hand[card] for card in order[:3]) or any(map(is_counter, order[:2])):
            return None
        return tuple(sorted(order[:2])), tuple(order[2:3]), order[3]

    assert follows(map(hands_and_top, imagined(state, 1, 3_000)), counted(places, unseen))


def test_a_race_hand_that_is_half_older_than_the_pile() -> None:
    state = small_race(["hop kick", "no"], "picnic glow kick")
    truth = state.race
    second, third = truth.mages[1], truth.mages[2]
    second.kept, third.kept = second.hand[:1], third.hand[:]
    older, newer = [*second.kept, *third.kept], [*second.hand[1:], *truth.pile]

    def places(order: Sequence[int]) -> Hashable:
        return tuple(sorted([order[0], order[2]])), tuple(order[1:2]), order[3]

    assert follows(map(hands_and_top, imagined(state, 1, 3_000)), counted(places, older, newer))
