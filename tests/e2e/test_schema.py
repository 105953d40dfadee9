"""The JSON Schema that is checked in fits real matches of every game, in both encodings, and refuses what is wrong."""

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec
import pytest

from games.api import Game
from games.chance import Chance, numbered_seed
from games.registry import all_games
from matches.fold import Match, MatchHeader, Outgoing
from protocol.connection import ServerConnection
from protocol.entries import ActionTaken
from protocol.messages import ClockRule, Message, SeatInfo
from tests.e2e.schemas import faults

ACTIONS = 24
GAMES = all_games().values()


def match_of(game: Game, told: Outgoing) -> Iterator[Match]:
    """A match by chance; yields after each step, with what everybody was told in `told`."""
    seats = tuple(SeatInfo(seat, f"p{seat}", "person") for seat in range(1, game.max_seats + 1))
    seed, nonces = numbered_seed(5), ("",) * len(seats)
    match = Match(game, MatchHeader("t1", game.id, {}, seats, ClockRule(), seed, bytes(16), nonces, 120.0))
    chance = Chance.of_number(5)
    match.wants = [("view", "legal", "knowledge")] * (1 + len(seats))
    match.begin(told)
    yield match
    for _ in range(ACTIONS):
        seat = min(match.asked)
        match.apply(ActionTaken(0.0, seat, chance.choice("action", match.state.legal_actions(seat))), told)
        yield match


def as_received(face: str, message: Message) -> Any:
    """The message as a client in any language reads it."""
    connection = ServerConnection()
    connection.receive_data(b"{" if face == "json" else b"\0")
    connection.next_event()
    data = connection.send(message)
    return json.loads(data) if face == "json" else msgpack.unpackb(data[4:])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_match_fits_the_schema(game: Game) -> None:
    kinds = set()
    told: Outgoing = {hearer: [] for hearer in range(game.max_seats + 1)}
    for match in match_of(game, told):
        assert faults(game.id, "view", json.loads(msgspec.json.encode(match.state.view(None)))) == []
        for messages in told.values():
            for message in messages:
                received = as_received("json", message)
                assert repr(as_received("msgpack", message)) == repr(received)  # so it is enough to look at one of them
                kinds.add(received["type"])
                assert faults("messages", received["type"], received) == []
                if "event" in received:
                    assert faults(game.id, "event", received["event"]) == []
                if received["type"] == "turn":
                    assert faults(game.id, "knowledge", received["knowledge"]) == []
                if "view" in received:
                    assert faults(game.id, "view", received["view"]) == []
                    assert not any(faults(game.id, "action", action) for action in received["legal"])
                if "options" in received:
                    assert faults(game.id, "options", received["options"]) == []
            messages.clear()
    assert kinds >= {"started", "event", "turn"}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_card_fits_the_schema(game: Game) -> None:
    for card in game.cards():
        assert faults(game.id, "card", json.loads(msgspec.json.encode(card))) == []


def test_requests_allow_no_further_field_and_messages_do() -> None:
    assert faults("messages", "request", {"type": "ping", "id": 1}) == []
    assert faults("messages", "request", {"type": "ping", "id": 1, "mood": "good"})
    assert faults("messages", "message", {"type": "pong", "re": 1, "mood": "good"}) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("ping", {"type": "ping"}),
        ("ping", {"type": "pong", "id": 1}),
        ("hello", {"type": "hello", "id": 0, "name": "Ada"}),
        ("hello", {"type": "hello", "id": 1, "name": 7}),
        ("open", {"type": "open", "id": 1, "game": "ikasamage", "clock": {"main": -1}}),
        ("your_turn", {"type": "your_turn", "re": 1, "turn": {"type": "turn"}}),
        ("story", {"type": "story", "re": 1, "table": "t1", "messages": [{"type": "ping", "id": 1}]}),
    ],
)
def test_what_is_wrong_does_not_fit(name: str, wrong: dict[str, Any]) -> None:
    assert faults("messages", name, wrong)


def test_an_action_of_another_game_does_not_fit() -> None:
    assert faults("ikasamage", "action", {"do": "bet", "on": [1]}) == []
    assert faults("magecraft", "action", {"do": "bet", "on": [1]})
    assert faults("ikasamage", "action", {"do": "bet", "on": [1], "loud": True})
