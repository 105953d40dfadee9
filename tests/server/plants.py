"""How leaks are planted in a server with the toy game, and how the gate looks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

import msgspec
import pytest

from games.api import State, Told, tell
from matches.fold import Match
from protocol import messages as m
from server.desk import desk
from server.table.table import Table
from tests.helpers.chance import known_secrets
from tests.helpers.toy import Dealt, ToyState
from tests.server.forked import ForkedState
from tests.server.two_worlds import Case, compare
from tests.server.watched import logs_recorded

Said = TypeVar("Said", bound=msgspec.Struct)
Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def retell(state: State) -> list[Told]:
    assert isinstance(state, ToyState)
    return [tell(seat, Dealt(tuple(state.hands[seat - 1]))) for seat in range(1, state.seats + 1)]


async def pass_gate(cases: Iterable[Case], monkeypatch: pytest.MonkeyPatch) -> int:
    """Compares them all; raises Leak at the first difference, or if a secret stands in the log."""
    compared = 0
    with logs_recorded():
        for case in cases:
            known_secrets(monkeypatch, case.number)
            compared += await compare(case)
    return compared


def truth(table: Table | Match) -> ToyState:
    match = table.running() if isinstance(table, Table) else table
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
    original = desk._HANDLERS[kind]
    monkeypatch.setitem(desk._HANDLERS, kind, lambda here, *asked: change(original, here, *asked))
