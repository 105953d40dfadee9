"""The chairs of a table and who sits on them, without a match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pytest

from matches.fold import SPECTATORS
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from server.player import Player
from server.table.seating import Seating, check_place


@dataclass(eq=False)
class Ear:
    """A listener that only remembers."""

    address: Hashable = None
    heard: list[m.Message] = field(default_factory=list)
    waits_for: int = 0

    def push(self, messages: Sequence[m.Message], *, live: bool = True, kept: bool = False) -> None:
        self.heard += messages

    def wait_for(self, position: int) -> None:
        self.waits_for = position

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        raise AssertionError(reason)


def seating(*names: str, empty: int = 0) -> Seating:
    """With players of these names, who are connected, and so many empty chairs."""
    made = Seating(len(names) + empty, grace=30.0)
    for chair, name in zip(made.chairs, names, strict=False):
        chair.name, chair.player, chair.listener = name, Player(name), Ear()
    return made


def refusal(call: object, *args: object) -> str:
    assert callable(call)
    with pytest.raises(Refusal) as refused:
        call(*args)
    return refused.value.code.name


@pytest.mark.parametrize(
    ("there", "others", "code"),
    [
        (0, 0, ""),
        (127, 0, ""),
        (128, 0, "too_many_spectators"),  # as many places are free for others
        (100, 55, ""),
        (100, 56, "too_many_spectators"),
        (0, 255, ""),
        (0, 256, "too_many_spectators"),
    ],
)
def test_from_one_address_as_many_may_watch_as_places_stay_free_for_others(there: int, others: int, code: str) -> None:
    assert limits.SPECTATORS_A_TABLE == 256
    audience = [Ear("here")] * there + [Ear(None)] * others
    if code:
        assert refusal(check_place, audience, "here", 256) == code
    else:
        check_place(audience, "here", 256)


def test_who_has_to_decide_hears_first_and_nobody_hears_twice() -> None:
    at = seating("ann", "bob", "cleo")
    order: list[str] = []

    class Named(Ear):
        """Notes when it was told."""

        def push(self, messages: Sequence[m.Message], *, live: bool = True, kept: bool = False) -> None:
            order.append(f"{self.address} {len(messages)}{' at once' if live else ''}")

    for chair in at.chairs:
        chair.listener = Named(chair.name)
    at.spectators.add(Named("eve"))
    chat = m.Chat(sender="ann", text="hi")
    at.deliver({1: [chat], 2: [chat, chat], 3: [], SPECTATORS: [chat]}, first=[2, 3], position=0)
    assert order == ["bob 2", "ann 1", "eve 1 at once"]
