"""Builds a state from a described position. It checks the description, and deals at random what is not described."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from games.api import Game, PositionRefused, options_from
from games.chance import Chance
from games.mages_110m.cards import Deck, copies_key
from games.mages_110m.options import RaceOptions
from games.mages_110m.truth import ACTION, MageState, RaceTruth

MOST = 999  # the largest described value of a figure that the rules do not limit


class DescribedSpell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lasting spell in front of a mage."""

    card: str
    counters: int
    asleep: bool = False


class DescribedMage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of one mage. Figures that are left out have their values at the start."""

    square: int | None = None
    hurdles: tuple[int, ...] | None = None
    arms: int | None = None
    legs: int | None = None
    endurance: int | None = None
    power: int | None = None
    reserve: int | None = None
    hand: tuple[str, ...] | int | None = None
    cvs: tuple[str, ...] = ()
    lasting: tuple[DescribedSpell, ...] = ()
    traded: bool = False
    dazed: bool = False


class DescribedPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a person describes it. The README explains each key."""

    seats: int | None = None
    turn: int = 1
    turn_of: int | None = None
    phase: Literal["action", "begin"] = "action"
    counts: int = 0
    pile: int | None = None
    top: tuple[str, ...] = ()
    discard: tuple[str, ...] | None = None
    options: dict[str, Any] = {}
    mage: tuple[DescribedMage, ...] = ()


def build_position(game: Game, deck: Deck, text: str | Mapping[str, Any], chance: Chance) -> RaceTruth:
    """Returns a race that stands at the described position; in the phase `begin`, before the draw of the turn. Raises
    PositionRefused."""
    given = _read(text)
    seats = max(game.min_seats, len(given.mage)) if given.seats is None else given.seats
    _within("seats", seats, max(game.min_seats, len(given.mage)), game.max_seats)
    try:
        options = options_from(game, given.options)
    except ValueError as error:
        raise PositionRefused(f"options: {error}.") from None
    assert isinstance(options, RaceOptions)
    dealing = chance.fork("position")
    race = RaceTruth(game, deck, options, seats, chance)
    race.pile = chance.shuffle("pile", deck.cards_for(race.seats, race.options))
    race.turn_of = race.actor = dealing.below("turn_of", seats) + 1 if given.turn_of is None else given.turn_of
    _within("turn_of", race.turn_of, 1, seats)
    _within("turn", given.turn, 1, MOST)
    _within("counts", given.counts, 0, deck.mages.counts - 1)
    race.turn, race.counts = given.turn, given.counts
    for runner, mage in zip(race.mages, given.mage, strict=False):
        _set_figures(runner, mage, deck)
        _lay(race, runner, mage, deck, given.phase)
    _deal(race, given, dealing)
    if given.phase == "begin":
        race.turn -= 1
        return race
    race.phase = ACTION
    if not race.mages[race.turn_of - 1].hand:
        raise PositionRefused(f"phase: mage {race.turn_of} has no card in its hand, so it has no action.")
    return race


def _read(text: str | Mapping[str, Any]) -> DescribedPosition:
    try:
        return msgspec.convert(tomllib.loads(text) if isinstance(text, str) else text, DescribedPosition)
    except tomllib.TOMLDecodeError as error:
        raise PositionRefused(f"This is not TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise PositionRefused(f"{error}.") from None


def _within(key: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise PositionRefused(f"{key} is {least} to {most}, not {number}.")


def _set_figures(runner: MageState, mage: DescribedMage, deck: Deck) -> None:
    where, most = f"mage {runner.seat}", deck.mages
    bounds = {
        "square": (1, deck.track.squares),
        "arms": (0, most.arms),
        "legs": (0, most.legs),
        "endurance": (0, most.endurance),
        "power": (0, MOST),
        "reserve": (0, MOST),
    }
    for figure, (least, highest) in bounds.items():
        said = getattr(mage, figure)
        if said is not None:
            _within(f"{where}, {figure}", said, least, highest)
            setattr(runner, figure, said)
    if mage.hurdles is not None:
        if len(set(mage.hurdles)) < len(mage.hurdles) or not set(mage.hurdles) <= set(deck.track.hurdles):
            raise PositionRefused(f"{where}, hurdles: a hurdle stands behind some of {list(deck.track.hurdles)}, once.")
        runner.hurdles = sum(1 << square for square in mage.hurdles)
    runner.traded, runner.dazed = mage.traded, mage.dazed


def _lay(race: RaceTruth, runner: MageState, mage: DescribedMage, deck: Deck, phase: str) -> None:
    """Places the described CVs and lasting spells in front of a mage."""
    where = f"mage {runner.seat}"
    runner.cvs = _cards(deck, f"{where}, cvs", mage.cvs)
    if not all(deck.kinds[card].is_cv for card in runner.cvs):
        raise PositionRefused(f"{where}, cvs: only CVs lie there.")
    for lying in mage.lasting:
        key = f"{where}, lasting {lying.card}"
        (card,) = _cards(deck, f"{where}, lasting", (lying.card,))
        kind = deck.kinds[card]
        if not kind.counters:
            raise PositionRefused(f"{key}: this card does not last.")
        _within(f"{key}, counters", lying.counters, 0, kind.counters)
        if lying.asleep and not (kind.shield and (phase == "begin" or runner.seat == race.turn_of)):
            raise PositionRefused(f"{key}, asleep: only a protection sleeps, until an opponent's turn begins.")
        runner.lasting.append((card, lying.counters, lying.asleep))
        race.asleep |= lying.asleep


def _cards(deck: Deck, key: str, names: Iterable[str]) -> list[int]:
    found = []
    for name in names:
        if name not in deck.index:
            raise PositionRefused(f"{key}: there is no card {name[:32]!r}.")
        found.append(deck.index[name])
    return found


def _deal(race: RaceTruth, given: DescribedPosition, dealing: Chance) -> None:
    """Deals the hands, the discard pile and the pile: first the described cards, then random ones."""
    deck, kinds = race.deck, race.deck.kinds
    said = [mage.hand for mage in given.mage] + [None] * (race.seats - len(given.mage))
    for runner, hand in zip(race.mages, said, strict=True):
        if isinstance(hand, tuple):
            runner.hand = sorted(_cards(deck, f"mage {runner.seat}, hand", hand))
            if not all(kinds[card].in_hand for card in runner.hand):
                raise PositionRefused(f"mage {runner.seat}, hand: a CV or the king is never in a hand.")
    top = _cards(deck, "top", given.top)
    race.discard = _cards(deck, "discard", given.discard or ())
    if any(kinds[card].is_cv for card in race.discard):
        raise PositionRefused("discard: a CV is never discarded.")
    left = Counter(deck.cards_for(race.seats, race.options))
    left.subtract(card for runner in race.mages for card in (*runner.hand, *runner.cvs))
    left.subtract(card for runner in race.mages for card, _, _ in runner.lasting)
    left.subtract(top + race.discard)
    for card, count in left.items():
        if count < 0:
            copies = kinds[card].copies[copies_key(race.seats, race.options)]
            raise PositionRefused(f"{deck.names[card]}: there are only {copies} of this card.")
    rest = dealing.shuffle("cards", sorted(left.elements()))
    spare = sum(deck.in_hand[card] for card in rest) - sum(hand for hand in said if isinstance(hand, int))
    unsaid = said.count(None)
    for runner, hand in zip(race.mages, said, strict=True):
        if not isinstance(hand, tuple):
            size = hand
            if size is None:  # with a small deck, fewer cards may be left for each hand
                size = min(dealing.below("hand", deck.mages.hand) + 1, max(0, spare) // unsaid)
                spare, unsaid = spare - size, unsaid - 1
            hand_dealt, rest = _taken(rest, f"mage {runner.seat}, hand", size, deck.in_hand)
            runner.hand = sorted(hand_dealt)
    if given.pile is not None:
        more = len(rest) + len(top) - given.pile
        if more and given.discard is not None:
            total = len(rest) + len(top)
            raise PositionRefused(f"pile: {total} cards are left for it beside that discard pile, not {given.pile}.")
        if given.pile < (least := len(top) + sum(kinds[card].is_cv for card in rest)):
            raise PositionRefused(
                f"pile: it has {least} cards at least, as what lies on top and a CV are not discarded."
            )
        race.discard, rest = _taken(rest, "pile", more, [not kind.is_cv for kind in kinds])
    race.pile = rest + top[::-1]
    if not race.pile and race.discard:
        raise PositionRefused("pile: an empty one would have been made anew from the discard pile.")


def _taken(cards: list[int], key: str, count: int, fits: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Returns the first `count` cards that fit, and the other cards. Raises PositionRefused if too few cards fit."""
    places = [place for place, card in enumerate(cards) if fits[card]][: max(0, count)]
    if len(places) != count:
        raise PositionRefused(f"{key}: there are not as many cards for it as it says.")
    picked = set(places)
    return [cards[place] for place in places], [card for place, card in enumerate(cards) if place not in picked]
