"""The ten lines of a first bot and the tests of it, as README.md and bots/README.md show them, run."""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from pathlib import Path

import pytest
import trio

from bots.sdk.local import play
from client.house import BotHouse
from games.chance import Chance
from magehall import Identity, Runner, all_games, check, get_bot, messages, open_link, options_from, tcp
from server.app import serve
from server.config import Config
from tests.bots.coin import COIN, Either

ROOT = Path(__file__).parents[2]


def python_of(page: str) -> list[str]:
    """The Python blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.fixture
def my_bot(tmp_path: Path) -> Path:
    """The file of the first bot."""
    file = tmp_path / "my_bot.py"
    file.write_text(python_of("README.md")[0], encoding="utf-8")
    return file


def test_both_pages_show_the_same_bot_of_about_ten_lines() -> None:
    first = python_of("README.md")[0]
    assert first == python_of("bots/README.md")[0]
    assert len([line for line in first.splitlines() if line.strip()]) <= 10


async def test_the_bot_on_the_page_passes_the_check_and_plays_a_match(my_bot: Path) -> None:
    kind = get_bot(f"{my_bot}:MyBot")
    assert check(kind, "ikasamage", matches=3).findings == ()
    runner = Runner(kind, all_games(), 1)
    async with trio.open_nursery() as nursery:
        app = await nursery.start(serve, Config(port=0), all_games(), BotHouse())
        async with open_link(tcp("127.0.0.1", app.port), Identity("MyBot", bot=True), hearer=runner) as link:
            opened = await link.ask(messages.Open(id=1, game="ikasamage", seats=3), messages.TableReply)
            for name in ("greedy", "random"):
                await link.ask(messages.Add(id=1, table=opened.info.table, bot=name), messages.TableReply)
            await runner.wait_until_finished(1)
        nursery.cancel_scope.cancel()
    assert runner.finished[0].how == "played"


def test_the_bot_that_thinks_ahead_finds_what_wins(tmp_path: Path) -> None:
    file = tmp_path / "thinker.py"
    file.write_text(python_of("bots/README.md")[1], encoding="utf-8")
    thinker = get_bot(f"{file}:Thinker")
    for number in range(10):
        outcome = play(COIN, [thinker(number), Either(number)], options_from(COIN, {}), Chance.of_number(number))
        assert outcome.places == (1, 2)


def test_the_numbers_on_the_page_are_those_of_the_game(tmp_path: Path) -> None:
    (page,) = (one for one in python_of("bots/README.md") if "import NumericEncoding" in one)
    (tmp_path / "numbers_of_magecraft.py").write_text(page, encoding="utf-8")
    found = runpy.run_path(str(tmp_path / "numbers_of_magecraft.py"))
    assert list(found["life"]) == [3, 3, 3, 3, 0]
    assert found["numbers"].actions[found["ids"][0]] == found["state"].legal_actions(found["seat"])[0]


def test_the_tests_on_the_page_pass(my_bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "my_bot", sys.modules[get_bot(f"{my_bot}:MyBot").__module__])
    file = my_bot.with_name("test_my_bot.py")
    count = 0
    for page in (one for one in python_of("bots/README.md") if "def test_" in one):
        file.write_text(page, encoding="utf-8")
        tests = [value for name, value in runpy.run_path(str(file)).items() if name.startswith("test_")]
        for test in tests:
            test(*([tmp_path] if "tmp_path" in inspect.signature(test).parameters else []))
        count += len(tests)
    assert count == 5
