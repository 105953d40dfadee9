"""The keys of a described position, with all checks for which the cards need not be known."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn, TypeAlias

import msgspec

from games.api import PositionRefused

NonNegative: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class DescribedSpell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A spell on a fighter. `on` is for a Duplicate only: the place of the spell whose power it doubles."""

    card: str
    by: int = 0
    face_down: bool | None = None
    known_to: tuple[int, ...] = ()
    paid: bool = False
    on: int = 0


class DescribedEnduring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Support spell that was cast in this round and still has an effect."""

    card: str
    by: int = 0
    paid: bool = False


class DescribedPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a person describes it. The README explains each key."""

    seats: int = 0
    options: dict[str, Any] = {}
    round: Annotated[int, msgspec.Meta(ge=1)] = 1
    phase: Literal["bet", "cast", "forget", "judged"] = "cast"
    starter: int = 0
    turn: int = 0
    forgetting: int = 0
    judge: str = ""
    judge_pile: tuple[str, ...] = ()
    judges_gone: tuple[str, ...] | None = None
    fighters: tuple[str, ...] = ()
    fighter_pile: tuple[str, ...] = ()
    hands: dict[int, tuple[str, ...] | NonNegative] = {}
    bets: dict[int, tuple[int, ...]] = {}
    money: dict[int, NonNegative] = {}
    passed: tuple[int, ...] = ()
    spells: dict[int, tuple[str | DescribedSpell, ...]] = {}
    lasting: tuple[str | DescribedEnduring, ...] = ()
    discard: tuple[str, ...] = ()
    spell_pile: tuple[str, ...] = ()
    spell_pile_size: NonNegative | None = None


def parse_description(given: str | Mapping[str, Any], rounds: int) -> DescribedPosition:
    """Returns the typed description of a position. Raises PositionRefused if a key or a type is wrong."""
    try:
        plain = tomllib.loads(given) if isinstance(given, str) else dict(given)
        said = msgspec.convert(plain, DescribedPosition, str_keys=True)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise PositionRefused(f"{error}.") from None
    if said.round > rounds:
        raise PositionRefused(f"Expected `int` <= {rounds} - at `$.round`.")
    return said


def seat_count(said: DescribedPosition, least: int) -> int:
    """Returns the number of seats: the described number, or the smallest one, at least `least`, that fits the
    description."""
    named = (said.starter, said.turn, said.forgetting, *said.hands, *said.bets, *said.money, *said.passed)
    return said.seats or max(least, *named)


def raise_refused(key: str, why: str) -> NoReturn:
    """Raises PositionRefused with the key and the reason."""
    raise PositionRefused(f"{key}: {why}")
