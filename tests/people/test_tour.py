"""The tour: whole matches by a player who reads only the screen, and types only words that stand on it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
import trio

from bots.sdk.link import Identity, open_link
from client.house import BotHouse
from client.screen.screen import InputLine, Screen
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.api import StyledLine
from games.registry import all_games
from languages import speaking
from people.person import Person
from people.render import plain_text, wrap_rows
from people.settings import PersonSettings
from protocol import messages as m
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.peer import Typist
from tests.helpers.scissors import dial_to

MOST = 600  # lines of a match
EXAMPLE = re.compile(r"`([^`]+)`|(?:for example|par exemple)(?: ?:)? (.+?)(?:[.,)?] | \(|[.)?]?$)")
NUMBER = re.compile(r"^ +([0-9]+)  \S")
LIST = re.compile(r"You may do|Voici ce que tu peux faire")
AGAIN = re.compile(r"^(?:rematch plays again|revanche en joue une autre)", re.MULTILINE)


class Reader:
    """Decides what to type by what is on the screen alone: the question's example, or a number of the list."""

    def __init__(self) -> None:
        self.typed: list[str] = []

    def answer(self, screen: list[str], question: str) -> str:
        """The next line; `?`, which stands in the toolbar, where the question has no example that can be typed."""
        heads = [number for number, row in enumerate(screen) if LIST.match(row)]
        numbers = [found[1] for row in screen[max(heads, default=0) :] if (found := NUMBER.match(row))]
        examples = [found[1] or found[2] for found in EXAMPLE.finditer(question)]
        usable = [one for one in examples if not re.search("[A-Z]{2}", one)]
        if numbers and self.typed[-1:] == ["?"]:
            line = numbers[len(self.typed) % len(numbers)]
        elif len(self.typed) % 5 == 4 or not usable or self.typed[-1:] == usable[:1]:
            line = "?"
        else:
            line = usable[0]
        shown = " ".join(" ".join(screen).split())
        assert line in shown, f"{line!r} does not stand on the screen"
        self.typed.append(line)
        return line


class PaperTerminal(Screen):
    """The terminal of a client, drawn on paper: board, log, question and toolbar as they stand on so many rows."""

    interactive = pinned = in_columns = True

    def __init__(self, columns: int, height: int) -> None:
        self.columns, self.height, self.person = columns, height, Person.__new__(Person)
        self.log: list[StyledLine] = []
        self.screens: list[list[str]] = []
        self._reader = Reader()

    def render_line(self, line: StyledLine) -> str:
        return plain_text(line)

    def show_lines(self, lines: Iterable[StyledLine]) -> None:
        self.log += lines

    def drawn(self) -> tuple[list[str], str]:
        """All rows, and the question."""
        frame = self.person.build_frame(self.columns, self.height)
        room = self.height - 3 - len(frame.question) - (0 if frame.board_width else len(frame.board))
        width = self.columns - frame.board_width - 1 if frame.board_width else self.columns
        told = list(wrap_rows(self.log, width))[-room:] if room > 0 else []
        parts = [*frame.board, *told, frame.status, *frame.question, [("", frame.prompt)], [("", frame.toolbar)]]
        screen = [plain_text(line) for line in parts]
        assert all(len(row) <= self.columns for row in screen), [row for row in screen if len(row) > self.columns]
        return screen, " ".join(" ".join(map(plain_text, frame.question)).split())

    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        for _line in range(MOST):
            await trio.sleep(0.5)
            table = self.person.seats.here
            screen, question = self.drawn()
            if table is not None and table.over is not None:
                break
            if table is not None and table.is_asked:
                self.screens.append(screen)
                await typed.send(InputLine(self._reader.answer(screen, question)))
        self.screens.append(self.drawn()[0])


async def sits_down(hall: Hall, screen: PaperTerminal, game: str, seats: int) -> None:
    """Plays a match against house bots at that screen to its end."""
    settings = PersonSettings(
        now=trio.current_time, width=lambda: screen.columns, stand_ins=LocalStandIns(0), pinned=True, in_columns=True
    )
    screen.person = Person("Ann", all_games(), settings)
    visit = ClientSession(screen.person, screen)
    table = hall.lobby.open_table(game, seats, "Ann", {}, m.ClockRule(300.0, 30.0), seed=bytes(31) + b"\x07")
    async with open_link(dial_to(hall), Identity("Ann"), face="json", hearer=visit) as link:
        visit.attach_link(link)
        await visit.request(m.Join, {"table": table.id})
        for _seat in range(seats - 1):
            hall.lobby.add_bot(table, all_games()[game].house_bot)
        hall.lobby.start_match(table)
        await visit.run()


@pytest.mark.parametrize(("columns", "height", "language"), [(80, 24, "en"), (45, 30, "fr"), (200, 60, "en")])
@pytest.mark.parametrize("game", all_games())
async def test_a_reader_of_the_screen_plays_a_match_to_its_end(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, game: str, columns: int, height: int, language: str
) -> None:
    hall = Hall(nursery, Config(port=0, house_seconds=0.0), all_games(), BotHouse())
    screen = PaperTerminal(columns, height)
    with speaking(language):
        await sits_down(hall, screen, game, max(2, all_games()[game].min_seats))
    last = " ".join(" ".join(screen.screens[-1]).split())
    assert screen.person.seats.here is not None
    assert screen.person.seats.here.over is not None, last
    assert not [line for line in screen.log if plain_text(line).startswith("! ")]
    assert re.search(r"1\. \S+ [0-9]+ (?:gold|gems?|metres?|pièces? d'or|gemmes?|mètres?), ", last), last
    assert re.search(r"(?:Type: rematch, review|Tape : revanche, revue) \(F2\)", last), last


class Telnet:
    """Somebody at a telnet line who types only words that were printed before."""

    def __init__(self, typist: Typist) -> None:
        self._typist, self._reader, self._shown = typist, Reader(), ""

    async def reads(self, seconds: float = 0.0) -> str:
        """What is printed within that time."""
        await trio.sleep(seconds)
        shown = await self._typist.heard()
        self._shown += shown
        return shown

    async def types(self, line: str) -> str:
        """Types a line and returns what is printed then."""
        printed = {word.rstrip(".") for word in re.findall(r"[^\s`;:,()]+", self._shown)}
        assert all(word in printed or word.isdigit() for word in line.split()), line
        await self._typist.send(line)
        return await self.reads(1.0)

    async def plays(self, shown: str) -> str:
        """Plays the match on to its end; returns what is printed last."""
        for _line in range(MOST):
            if AGAIN.search(shown):
                return shown
            printed = shown.split("\n")
            asks = [number for number, row in enumerate(printed) if row.startswith("> ")]
            if asks or LIST.search(shown):
                question = " ".join(" ".join(printed[asks[-1] :]).split()) if asks else ""
                shown = await self.types(self._reader.answer([*printed, "?"], question))
            else:
                shown = await self.reads(1.0)
        raise AssertionError(shown)


@pytest.mark.parametrize("game", all_games())
async def test_a_reader_of_a_telnet_line_plays_in_french_looks_back_and_plays_again(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, game: str
) -> None:
    hall = Hall(nursery, Config(port=0, house_seconds=0.0), all_games(), BotHouse())
    ann = Telnet(Typist(hall.dial(), "text", patience=100_000.0))
    await ann.reads()
    await ann.types("help")
    await ann.types("hello ann")
    await ann.types("help all")
    await ann.types("lang fr")
    await ann.types("aide")
    seats = max(2, all_games()[game].min_seats)
    await ann.types(f"ouvrir {game} {seats}")
    await ann.types("ajouter")
    await ann.types("robots")
    for _seat in range(seats - 1):
        await ann.types(f"ajouter {all_games()[game].house_bot}")
    last = await ann.plays(await ann.types("commencer"))
    assert re.search(r"^  1\. .*: .* (?:pièces? d'or|gemmes?|mètres?)$", last, re.MULTILINE), last
    assert "Avant la décision 1 sur" in await ann.types("revue")
    assert "Avant la décision 2 sur" in await ann.types("n")
    await ann.types("revanche")
    last = await ann.plays(await ann.types("commencer"))
    assert "Après 2 parties" in last
    assert "Au revoir" in await ann.types("quitter")
