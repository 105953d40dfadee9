"""Positions built by hand, from the small deck beside this file: given, do, expect."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from games.api import AddressedEvent, Event, IllegalAction, Seat
from games.chance import Chance
from games.mages_110m import GAMES, turns
from games.mages_110m.game import Mages110m
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import BEGIN, MageState
from games.mages_110m.views import SeatRace

DECK = Path(__file__).with_name("deck.toml").read_text(encoding="utf-8")
GAME: Mages110m = GAMES[0].with_cards(DECK)
INDEX = GAME.deck.index
HOPS = GAME.deck.kinds[INDEX["hop"]].count


def given(
    *hands: str,
    pile: str = "",
    discard: str = "",
    dice: str = "",
    figures: Mapping[str, int] | None = None,
    **more: int,
) -> RaceState:
    """It is the action of seat 1, whose hand is the first one; there are at least two seats.

    The last word of the pile is its top; under it lie all the hops that nobody holds. Figures are of seat 1,
    by name or in a map: `square=3`, `power=5`.
    """
    seats = max(2, len(hands))
    first, *others = (*hands, "", "")[:seats]
    mages: list[dict[str, Any]] = [{"hand": hand.split()} for hand in (first or "hop", *others)]
    mages[0] |= {**(figures or {}), **more}
    if "hurdles" in mages[0]:
        mages[0]["hurdles"] = [square for square in range(16) if mages[0]["hurdles"] >> square & 1]
    hops = HOPS - " ".join((first or "hop", *others, pile, discard)).split().count("hop")
    top = [*reversed(pile.split()), *["hop"] * hops]
    state = at({"turn_of": 1, "mage": mages, "top": top, "discard": discard.split()}, dice)
    if not first:  # who has no cards is not asked: a test that says so lets a turn begin
        state.race.pile.insert(0, mage(state).hand.pop())
    return state


def at(position: Mapping[str, Any], dice: str = "") -> RaceState:
    """The race at a described position."""
    state = GAME.build_position(position, rolling(dice))
    assert isinstance(state, RaceState)
    return state


def pile_is(state: RaceState, pile: str) -> None:
    """The whole pile; the last word is its top."""
    state.race.pile = cards(pile)


def cards(names: str) -> list[int]:
    return [INDEX[name] for name in names.split()]


def rolling(dice: str) -> Chance:
    """The first chance whose dice fall like this: `36` is a three and then a six."""
    for number in count(1):
        chance = Chance.of_number(number)
        if all(chance.roll("die") == int(die) for die in dice):
            return Chance.of_number(number)
    raise AssertionError


def mage(state: RaceState, seat: Seat = 1) -> MageState:
    return state.race.mages[seat - 1]


def seen(state: RaceState, seat: Seat) -> SeatRace:
    """What a seat sees."""
    view = state.view(seat)
    assert isinstance(view, SeatRace)
    return view


def hand(state: RaceState, seat: Seat = 1) -> str:
    return named(mage(state, seat).hand)


def named(some: list[int]) -> str:
    return " ".join(GAME.deck.names[card] for card in some)


def lying(state: RaceState, seat: Seat = 1) -> list[tuple[str, int]]:
    """The lasting spells in front of a mage, with their counters."""
    return [(GAME.deck.names[card], counters) for card, counters, _ in mage(state, seat).lasting]


def lay(state: RaceState, seat: Seat, card: str, counters: int, *, asleep: bool = False) -> None:
    mage(state, seat).lasting.append((INDEX[card], counters, asleep))


def do(state: RaceState, seat: Seat, line: str) -> list[AddressedEvent]:
    """Does what is typed, each action of it."""
    told: list[AddressedEvent] = []
    for action in GAME.words.parse_actions(line, state.view(seat), state.legal_actions(seat)):
        assert action in state.legal_actions(seat) or state.refusal_reason(seat, action) is not None
        told += state.apply(seat, action)
    fresh = state.game.load(state.save(), state.options)
    assert state.view(seat) == fresh.view(seat), "what was looked at before is out of date"
    return told


def let_be(state: RaceState) -> list[AddressedEvent]:
    """Everybody who is asked lets the spell be."""
    told: list[AddressedEvent] = []
    while state.race.phase == "answer":
        told += do(state, min(state.to_move()), "let")
    return told


def cast(state: RaceState, line: str) -> list[AddressedEvent]:
    """Seat 1 casts, and nobody answers."""
    return do(state, 1, f"cast {line}") + let_be(state)


def begin_turn(state: RaceState, seat: Seat = 1) -> list[AddressedEvent]:
    """The turn of that seat begins."""
    race = state.race
    race.phase, race.turn_of = BEGIN, seat
    turns.play_to_decision(race)
    told, race.told = race.told, []
    return told


def why_not(state: RaceState, seat: Seat, line: str) -> str:
    """The code of the refusal; the state is as before."""
    before = state.clone()
    action = GAME.words.parse_actions(line, state.view(seat), state.legal_actions(seat))[0]
    assert action not in state.legal_actions(seat)
    try:
        state.apply(seat, action)
    except IllegalAction as refused:
        assert state == before
        return refused.code
    raise AssertionError(f"{line!r} was done")


def may(state: RaceState, seat: Seat = 1) -> list[str]:
    return [GAME.words.format_action(action) for action in state.legal_actions(seat)]


def heard(told: list[AddressedEvent], kind: type[Event], seat: Seat | None = None) -> list[dict[str, Any]]:
    """The events of a kind that a seat (or a spectator) hears, as plain maps without their tag."""
    found = []
    for one in told:
        if one.is_for(seat) and isinstance(one.event, kind):
            plain = msgspec.json.decode(msgspec.json.encode(one.event))
            del plain["what"]
            found.append(plain)
    return found
