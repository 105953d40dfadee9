"""A person without a terminal: lines that they type, lines that they read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import trio

from bots.sdk.link import Identity, open_link
from client.screen.screen import InputLine, Screen
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.api import Game, StyledLine
from people.person import Person
from people.render import plain_text
from people.settings import PersonSettings
from protocol import messages as m
from tests.helpers.hall import Hall
from tests.helpers.scissors import Scissors, dial_to
from tests.helpers.toy import TOY


class PaperScreen(Screen):
    """Reads the given lines, and those that are `typed` in reaction to the screen, and then ends, or stays open; keeps
    what is shown."""

    def __init__(self, lines: Sequence[str] = (), *, open_end: bool = False, typed: Sequence[str] = ()) -> None:
        self.shown: list[str] = []
        self._lines, self._open_end, self._typed = lines, open_end, typed

    def render_line(self, line: StyledLine) -> str:
        return plain_text(line)

    def show_lines(self, lines: Iterable[StyledLine]) -> None:
        self.shown += [re.sub(r"\bann-t[0-9]+", "ann", plain_text(line)) for line in lines]

    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        for line in self._lines:
            await typed.send(InputLine(line, patient=True))
        for line in self._typed:
            await typed.send(InputLine(line))
        if self._open_end:
            await trio.sleep_forever()

    def count(self, text: str) -> int:
        return sum(text in line for line in self.shown)


class PatientLink:
    """Keeps what is asked, and who waits for the answer."""

    def __init__(self) -> None:
        self.closed = trio.Event()
        self.asked: dict[type[m.Request], Callable[[m.Reply], None]] = {}

    def post(self, request: m.Request, take: Callable[[m.Reply], None]) -> None:
        self.asked[type(request)] = take


def new_person(name: str = "ann", now: Callable[[], float] = trio.current_time, *games: Game) -> Person:
    known = {game.id: game for game in (TOY, *games)}
    return Person(name, known, PersonSettings(now=now, width=lambda: 80, stand_ins=LocalStandIns(0)))


async def play_toy(
    hall: Hall,
    screen: PaperScreen,
    scissors: Scissors | None = None,
    keep: Callable[[bytes], str] | None = None,
) -> int:
    """One match of a person at that screen against a house bot; returns the exit code."""
    table = hall.lobby.open_table("toy", 2, "", {}, m.ClockRule(), seed=bytes(32))
    name = f"ann-{table.id}"  # each match with a name of its own, as names are owned
    visit = ClientSession(new_person(name), screen)
    visit.ends_with_match, visit.keep = True, keep
    async with open_link(dial_to(hall, scissors), Identity(name), face="json", hearer=visit) as link:
        visit.attach_link(link)
        await visit.request(m.Join, {"table": table.id})
        hall.lobby.add_bot(table, "first")
        hall.lobby.start_match(table)
        return await visit.run()
