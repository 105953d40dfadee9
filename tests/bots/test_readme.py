"""The ten lines of a first bot, as README.md and bots/README.md show them, run."""

from __future__ import annotations

import re
from pathlib import Path

import trio

from bots.sdk.check import check
from bots.sdk.link import Identity, open_link, tcp
from bots.sdk.registry import get_bot
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from client.house import BotHouse
from games.registry import all_games
from server.app import serve
from server.config import Config

ROOT = Path(__file__).parents[2]


def first_bot(page: str) -> str:
    """The first Python block of a page."""
    found = re.search(r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_both_pages_show_the_same_bot_of_about_ten_lines() -> None:
    assert first_bot("README.md") == first_bot("bots/README.md")
    assert len([line for line in first_bot("README.md").splitlines() if line.strip()]) <= 10


async def test_the_bot_on_the_page_passes_the_check_and_plays_a_match(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(first_bot("README.md"), encoding="utf-8")
    kind = get_bot(f"{tmp_path}/my_bot.py:MyBot")
    game = all_games()["ikasamage"]
    assert check("MyBot", kind, {"ikasamage": game}, matches=3).findings == ()
    runner = Runner(kind, all_games(), 1)
    async with trio.open_nursery() as nursery:
        app = await nursery.start(serve, Config(port=0), all_games(), BotHouse())
        async with open_link(tcp("127.0.0.1", app.port), Identity("MyBot", bot=True), hearer=runner) as link:
            await take_seat(link, "ikasamage", seats=3, bots=["greedy", "random"])
            await runner.wait_until_finished(1)
        nursery.cancel_scope.cancel()
    assert runner.finished[0].how == "played"
