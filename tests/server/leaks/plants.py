"""How leaks are planted in a server with the toy game, and how the gate looks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

import msgspec
import pytest

from games.api import AddressedEvent, Seat, State, to_seat
from games.chance import Chance
from matches.fold import Match
from protocol import messages as m
from server.desk.context import HANDLERS
from server.table.table import Table
from tests.helpers.chance import known_secrets
from tests.helpers.toy import Dealt, ToyState
from tests.server.leaks.forked import ForkedState
from tests.server.leaks.two_worlds import Case, compare
from tests.server.leaks.watched import in_order, logs_recorded

Said = TypeVar("Said", bound=msgspec.Struct)
Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def retell(state: State) -> list[AddressedEvent]:
    assert isinstance(state, ToyState)
    return [to_seat(seat, Dealt(tuple(state.hands[seat - 1]))) for seat in range(1, state.seats + 1)]


async def pass_gate(cases: Iterable[Case], monkeypatch: pytest.MonkeyPatch) -> int:
    """Compares them all; raises Leak at the first difference, or if a secret stands in the log."""
    compared = 0
    with logs_recorded(), in_order():
        for case in cases:
            known_secrets(monkeypatch, case.number)
            compared += await compare(case)
    return compared


def truth(table: Table | Match) -> ToyState:
    match = table.require_match() if isinstance(table, Table) else table
    assert isinstance(match.state, ForkedState)
    assert isinstance(match.state.inner, ToyState)
    return match.state.inner


def replaced(message: Said, **fields: Any) -> Said:
    return msgspec.structs.replace(message, **fields)


def others_hold(state: ToyState, seat: int) -> str:
    """A fact that no other seat knows."""
    return " ".join(str(card) for card in state.hands[seat % state.seats])


def wrap(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Replaces a method by `change(original, self, ...)`."""
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda self, *args, **more: change(original, self, *args, **more))


def answer_anew(monkeypatch: pytest.MonkeyPatch, kind: type[m.Request], change: Callable[..., Any]) -> None:
    """Replaces what answers a request by `change(original, here, request, ...)`."""
    original = HANDLERS[kind]
    monkeypatch.setitem(HANDLERS, kind, lambda here, *asked: change(original, here, *asked))


def lowest_cards_stay(state: State, observer: Seat | None, chance: Chance) -> State:
    """What the house and a late seat play is the same in both worlds, so that a round may end by them."""
    assert isinstance(state, ToyState)
    stay = {hand[0] for hand in state.hands} | set(state.hands[observer - 1] if observer else ())
    loose = [card for card in range(1, 13) if card not in stay]
    for tries in range(2_000):
        rest = chance.shuffle("rest", loose)
        other = state.clone()
        assert isinstance(other, ToyState)
        for seat, hand in enumerate(other.hands, 1):
            if seat != observer:
                hand[1:] = sorted(rest.pop() for _ in hand[1:])
        changed = [mine != theirs for mine, theirs in zip(state.hands, other.hands, strict=True)]
        enough = len(changed) - (observer is not None) if tries < 1_000 else 1  # every other hand, if that can be
        if sum(changed) >= enough and all(hand == sorted(hand) for hand in other.hands):
            return other
    raise AssertionError("this deal cannot be dealt so")
