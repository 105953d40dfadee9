"""One typed language: a telnet line and the terminal client's line mean the same, and both come from one table."""

from __future__ import annotations

import msgspec
import pytest

from people.context import NOT_HERE
from people.person import Person
from people.text.arguments import Arguments
from people.text.commands import COMMANDS, Command
from people.text.lookup import NOT_BY_TELNET, available_commands
from people.typed import handle_line
from people.vocabulary import completions
from protocol import messages as m
from server.desk.context import Answer
from server.desk.desk import Desk
from server.page.files import render_blocks
from tests.helpers.hall import Hall
from tests.helpers.paper import new_person
from tests.helpers.peer import Typist

LINES = {
    "help": ["help", "h", "? bet", "HELP join"],
    "lang": ["lang fr", "langue fr", "LANG en"],
    "games": ["games", "g", "jeux"],
    "rules": ["rules", "rules toy", "rules 4.2", "rules toy mana"],
    "cards": ["cards", "cards toy 3", "cards card 1"],
    "who": ["who", "w", "/who"],
    "stats": ["stats", "stats bob"],
    "tables": ["tables", "tab", "tables finished", "tables after t1", "tables t1", "tables finished after t1"],
    "open": ["open toy 3 rounds=2 fast=on word=some", "open toy", "open toy delay=3m", "open toy 3 --delay 3m"],
    "join": ["join", "join t1 2"],
    "bots": ["bots", "bots toy"],
    "add": ["add first", "add first 3"],
    "start": ["start"],
    "watch": ["watch", "wat t1"],
    "hand": ["hand"],
    "hands": ["hands"],
    "look": ["look", "l", "look t2"],
    "legal": ["legal", "?"],
    "why": ["why play 99"],
    "hint": [],  # each face asks a bot of its own
    "aim": ["aim"],
    "clock": ["clock", "k"],
    "log": ["log", "log 2"],
    "replay": ["replay", "replay t1 100"],
    "say": ["say hello  there", "s hi", "'hi", "' hi"],
    "tell": ["tell bob be quick", "t bob hi"],
    "reply": ["reply so do I", "/r so do I"],
    "ignore": ["ignore", "ignore bob", "ignorer bob"],
    "unignore": ["unignore bob"],
    "lobby": ["lobby", "lobby off", "LOBBY on", "salon auto"],
    "kick": ["kick bob", "kick bob t2", "kick bob all be kind", "kick bob you swear"],
    "mute": ["mute bob", "mute bob t2", "mute bob all"],
    "unmute": ["unmute bob"],
    "close": ["close", "close t2"],
    "password": ["password correct-horse", "password off", "password OFF"],
    "ban": ["ban bob", "ban bob 2h", "ban 10.0.0.1 he swears", "ban bob 2h spam"],
    "unban": ["unban bob"],
    "announce": ["announce hello there"],
    "operator": ["operator word"],
    "cups": ["cups"],
    "cup show": ["cup show friday", "cup sh friday"],
    "cup open": ["cup open friday toy 3 rounds=4 format=swiss deals=fresh clock=60+5 o=1", "cup create friday toy"],
    "cup invite": ["cup invite friday bob"],
    "cup start": ["cup start friday", "CUP START friday"],
    "cup pause": ["cup pause friday"],
    "cup stop": ["cup stop friday"],
    "cup replace": ["cup replace friday ann bob"],
    "cup add": ["cup add friday greedy"],
    "cup kick": ["cup kick friday ann"],
    "cup clock": ["cup clock friday ann 5+1", "cup clock friday ann"],
    "enter": ["enter friday", "enter friday 3", "enter friday tables=3"],
    "cup drop": ["cup drop friday"],
    "agree": ["agree cups", "agree off"],
    "standings": ["standings friday"],
    "follow": ["follow friday"],
    "unfollow": ["unfollow friday"],
    "brief": ["brief on", "brief off"],
    "confirm": ["confirm off"],
    "quiet": ["quiet", "quiet on", "quiet off", "silence non"],
    "pace": ["pace 1.5", "pace 0", "rythme 0,5"],
    "auto": ["auto", "auto off"],
    "yes": ["yes"],
    "no": ["no"],
    "undo": ["undo"],
    "rematch": ["rematch"],
    "review": ["review"],
    "lessons": ["lessons toy", "lessons"],
    "next": ["next"],
    "width": [],  # the client knows its terminal
    "resign": ["resign", "resign"],
    "pause": ["pause"],
    "resume": ["resume"],
    "leave": ["leave"],
    "ping": ["ping"],
    "quit": ["quit", "q", "exit", "bye"],
}
ACTIONS = ["play 99", "p 99", "play 98 99"]
REFUSED = [
    *("xyzzy", "b", "4", "play", "play x", "1\u0662", "add", "say", "tell", "tell bob", "log x", "join t1 x", "open"),
    *(
        "cup",
        "cup s friday",
        "cup open friday",
        "cup replace friday ann",
        "cup kick friday",
        "cup clock friday",
        "cup clock friday ann soon",
        "enter",
        "enter friday x",
        "follow",
    ),
    *(
        "why fly",
        "say " + "x" * 301,
        "cards toy " + "x" * 65,
        "open toy " + "o=" * 600,
        "re",
        "\u00b2",
        "rules " + "x" * 65,
    ),
]
ANSWERED_BY_THE_CLIENT = (m.Help, m.Legal, m.Cards)


class Both:
    """Ann by telnet and Ann at the terminal client, at the same table with the same cards; nothing is carried out."""

    def __init__(self, typist: Typist, person: Person, asked: list[m.Request]) -> None:
        self._typist, self._person, self._asked = typist, person, asked

    async def telnet(self, line: str) -> m.Request | str:
        """The request that a telnet line leads to, or what is shown instead."""
        self._asked.clear()
        shown = await self._typist.types(line)
        asked = [one for one in self._asked if line.startswith("tab") or not isinstance(one, m.Tables)]
        return msgspec.structs.replace(asked[-1], id=1) if asked else shown

    def client(self, line: str) -> m.Request | str:
        """The same for a line of the terminal client."""
        place = self._person.seats.here
        assert place is not None
        self._person.seats.is_fresh = True
        turn, shown = place.turn, handle_line(self._person, line)
        place.turn = turn
        if shown.asks:
            return shown.asks[0].kind(id=1, **shown.asks[0].fields)
        return "".join(f"{''.join(text for _style, text in row)}\n" for row in shown.lines)


@pytest.fixture
async def both(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Both:
    hall.lobby.open_table("toy", 2, "", {}, m.ClockRule())  # t1 is open, t2 is played
    typist, bob = await hall.typist(), await hall.player("bob")
    await typist.types("hello ann", "open toy 2", "add first", "start")
    await bob.ask("tell", to="ann", text="I like it here.")
    assert "bob (to you): I like it here.\n" in await typist.heard()
    person = new_person()
    told = hall.lobby.tables["t2"].message_log(1, 0)
    assert told.advance()
    for message in told.told:
        person.on_message(message)
    person.ask_for_decisions()
    person.on_message(m.TableList(tables=tuple(table.table_info() for table in hall.lobby.tables.values())))
    person.on_message(m.Chat(sender="bob", text="I like it here.", private=True))
    asked: list[m.Request] = []
    answer = Desk.answer

    def note(desk: Desk, request: m.Request) -> Answer:
        asked.append(request)
        return answer(desk, request) if isinstance(request, m.Tables) else m.Pong(re=request.id)

    monkeypatch.setattr(Desk, "answer", note)
    return Both(typist, person, asked)


def test_every_command_is_tried() -> None:
    assert list(LINES) == list(available_commands(NOT_BY_TELNET | NOT_HERE))


@pytest.mark.parametrize("word", LINES)
async def test_a_line_means_the_same_by_telnet_and_in_the_client(both: Both, word: str) -> None:
    for line in LINES[word]:
        by_telnet, here = await both.telnet(line), both.client(line)
        if isinstance(by_telnet, str):
            assert by_telnet == here, line
            assert COMMANDS[word].request is None or COMMANDS[word].asks_once
            continue
        assert type(by_telnet) is COMMANDS[word].request, line
        assert msgspec.convert(msgspec.to_builtins(by_telnet), type(by_telnet)) == by_telnet, f"{line}: as on the wire"
        if isinstance(here, str):
            assert here, line
            assert isinstance(by_telnet, ANSWERED_BY_THE_CLIENT), line
        else:
            assert by_telnet == here, line


@pytest.mark.parametrize("line", ACTIONS)
async def test_an_action_means_the_same_by_telnet_and_in_the_client(both: Both, line: str) -> None:
    by_telnet, here = await both.telnet(line), both.client(line)
    assert isinstance(by_telnet, m.Act)
    assert by_telnet == here


async def test_a_number_means_the_same_by_telnet_and_in_the_client_once_its_list_was_shown(both: Both) -> None:
    asks = await both.telnet("1")
    assert asks == both.client("1")
    assert str(asks).startswith("1 is: play ")
    for line in ("legal", "1"):
        by_telnet, here = await both.telnet(line), both.client(line)
    assert isinstance(by_telnet, m.Act)
    assert by_telnet == here


@pytest.mark.parametrize("line", REFUSED)
async def test_a_mistake_is_explained_alike_by_telnet_and_in_the_client(both: Both, line: str) -> None:
    by_telnet = await both.telnet(line)
    assert by_telnet == both.client(line)
    assert str(by_telnet).startswith("! ")


async def test_help_on_a_command_or_a_word_of_the_game_is_the_same_text(hall: Hall) -> None:
    ann, person = await hall.typist(), new_person()
    await ann.types("hello ann")
    for topic in (*available_commands(NOT_BY_TELNET | NOT_HERE), "play", "LOOK", "wat"):
        rows = handle_line(person, f"help {topic}").lines
        assert await ann.types(f"help {topic}") == "".join(f"{text}\n" for row in rows for _style, text in row)


@pytest.fixture
def dance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        COMMANDS, "dance", Command("[TABLE]", "dance there", m.Clock, Arguments.table_field, short=("d",))
    )


@pytest.mark.usefixtures("dance")
async def test_a_new_command_is_one_entry_in_the_table(both: Both) -> None:
    for line in ("dance", "d", "da", "DANCE"):
        assert await both.telnet(line) == m.Clock(id=1, table="t2") == both.client(line)


async def test_the_help_page_says_what_a_question_mark_shows(hall: Hall) -> None:
    page = await (await hall.typist()).types("help")
    assert "? shows what you may do when it is your turn" in " ".join(page.split())


@pytest.mark.usefixtures("dance")
async def test_the_new_command_stands_in_every_help_and_list(hall: Hall) -> None:
    ann = await hall.typist()
    page = await ann.types("help all")
    assert "  dance [TABLE]          dance there\n" in page
    assert "d=dance" in page
    helped = "dance [TABLE]\n  dance there\n  For a player. Short: d.\n"
    assert await ann.types("help dance") == helped
    person = new_person()
    rows = ["".join(text for _style, text in row) for row in handle_line(person, "help all").lines]
    assert "  d, dance [TABLE]: dance there" in rows
    assert "".join(f"{text}\n" for row in handle_line(person, "help dance").lines for _style, text in row) == helped
    assert list(completions(person, "da")) == ["dance"]
    assert "| `dance [TABLE]` | dance there |\n" in render_blocks()["commands"]
