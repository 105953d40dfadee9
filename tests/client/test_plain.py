"""Plain lines, byte by byte: each fact once and in order, nothing drawn, nothing for a screen reader to stumble on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
import trio

from bots.sdk.link import Identity, open_link
from client.screen import screen
from client.screen.screen import InputLine, PlainScreen
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.registry import all_games
from people.person import Person
from people.settings import PersonSettings
from protocol import messages as m
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse
from tests.helpers.scissors import dial_to
from tests.helpers.told import told_again

MOST = 60  # decisions that are typed; a house bot plays on


class Pipe(PlainScreen):
    """Plain lines whose input is always the first thing that is legal, and ends some time."""

    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        for _ in range(MOST):
            await typed.send(InputLine("?", patient=True))
            await typed.send(InputLine("1", patient=True))


def facts(told: list[m.Message], visit: ClientSession, game_id: str) -> Iterator[str]:
    """What the events say, one sentence each."""
    table = visit.person.seats.tables["t1"]
    for message in told:
        if isinstance(message, m.Happened):
            text = all_games()[game_id].words.event_sentence(message.event, table.people)
            if text:
                yield f"* {text}"


@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_plain_lines_say_each_fact_once_and_in_order(
    game_id: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "output_columns", lambda: 10_000)  # nothing is folded
    game = all_games()[game_id]
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, house_seconds=0.0), all_games(), FirstHouse("first"))
        table = hall.lobby.open_table(game_id, game.min_seats, "", {}, m.ClockRule(), seed=bytes(32))
        visit = ClientSession(
            Person(
                "ann", all_games(), PersonSettings(now=trio.current_time, width=lambda: 80, stand_ins=LocalStandIns(0))
            ),
            Pipe(),
        )
        visit.ends_with_match = True
        async with open_link(dial_to(hall), Identity("ann"), face="json", hearer=visit) as link:
            visit.attach_link(link)
            await visit.request(m.Join, {"table": table.id})
            for _ in range(game.min_seats - 1):
                hall.lobby.add_bot(table, "first")
            hall.lobby.start_match(table)
            assert await visit.run() == 0
        nursery.cancel_scope.cancel()
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    told = told_again(game, table.require_match().header, table.entries, 1)
    assert [line for line in lines if line.startswith("* ")] == list(facts(told, visit, game_id))
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown) is None
    turns = sum(isinstance(message, m.TurnUpdate) for message in told)
    asked = sum(line.startswith("Your turn: ") for line in lines)
    played = sum(line.startswith("Played for you: ") for line in lines)
    assert asked - (turns > MOST) == turns - played == min(turns, MOST)  # the input ends after the question
    once = Counter(line for line in lines if line.startswith(("The match", "Commitment", "Your bet is", "  1. ")))
    assert set(once.values()) == {1}
    assert lines.index(next(iter(once))) < lines.index("The match is over. " + table.require_match().over.text)  # type: ignore[union-attr]
