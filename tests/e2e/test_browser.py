"""People in a real browser: Debian's chromium without a window, by tapping alone. Skipped where it is not installed."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import trio

from games.registry import all_games
from server.config import Config
from tests.helpers.browser import CHROMIUM, Browser, Tab, open_browser
from tests.helpers.hall import open_hall

pytestmark = pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="chromium is not installed")

PHONE, DESKTOP = (360, 740), (1280, 800)
MOST_DECISIONS = 600
SETTLED = 0.3  # seconds; the page ignores taps on what has just changed
SHOTS = Path(os.environ["MAGEHALL_SHOTS"]) if "MAGEHALL_SHOTS" in os.environ else None


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as one:
        yield one


async def pages_at(nursery: trio.Nursery) -> int:
    """The port of the pages of a server with every game."""
    app = await open_hall(nursery, Config(port=0, web_port=0, house_seconds=0.0))
    assert app.web_port is not None
    return app.web_port


def button(begins: str) -> str:
    """The first button whose line begins so, in the language of the page's script."""
    return f"[...document.querySelectorAll('#choices button')].find((one) => one.dataset.line.startsWith('{begins}'))"


def enter(tab: Tab, name: str) -> None:
    """Takes a name."""
    tab.wait("!document.getElementById('enter').hidden")
    tab.tap("document.getElementById('name')")
    tab.type(name)
    tab.tap("document.querySelector('#enter button')")
    tab.wait_for(f"Welcome, {name}.")


def press(tab: Tab, begins: str) -> None:
    """Taps a button once it has stood there for long enough to be tapped on purpose."""
    tab.wait(button(begins))
    time.sleep(SETTLED)
    tab.tap(button(begins))


def sit_down(tab: Tab, game: str) -> None:
    """Opens a table, fills it with bots and starts, by tapping."""
    press(tab, f"open {game}")
    tab.wait(button("add"))
    while tab.run(f"!{button('start')}"):
        shown = tab.text("#log")
        press(tab, "add")
        tab.wait(f"document.getElementById('log').innerText !== {shown!r} && ({button('add')} || {button('start')})")
    press(tab, "start")


DECIDE = """(place => {
  const all = [...document.querySelectorAll('#choices [data-why="1"]')];
  if (!document.body.classList.contains('awaited') || !all.length) return false;
  const seen = ['board', 'question', 'choices'].map(part => document.getElementById(part).innerHTML).join();
  if (seen === window.seen) return false;  // nothing has come of the last click yet
  if (place === null) return true;
  window.seen = seen;
  all[Math.floor(all.length * place)].click();
  return true;
})"""
IS_ASKED = f"{DECIDE}(null)"


def decide(tab: Tab, chance: random.Random) -> bool:
    """Clicks one of the choices, in one step, so that they cannot change meanwhile. Returns False once the match is
    over."""
    place = chance.random()
    tab.wait(f"{button('rematch')} || {DECIDE}({place})")
    return not tab.run(f"Boolean({button('rematch')})")


def plays_to_the_end(browser: Browser, port: int, game: str, size: tuple[int, int], *, reload_at: int = -1) -> None:
    tab = browser.open(f"http://127.0.0.1:{port}/", *size)
    enter(tab, "eva")
    sit_down(tab, game)
    chance = random.Random(f"{game} {size}")
    for number in range(MOST_DECISIONS):
        if number == reload_at:
            tab.wait(IS_ASKED)
            asked = tab.text("#question")
            tab.go(f"http://127.0.0.1:{port}/?again")
            tab.wait_for("You are back at t1, seat 1.")
            tab.wait(IS_ASKED)
            assert tab.text("#question") == asked
        if SHOTS is not None and number in (0, 4, 12):
            tab.screenshot(SHOTS / f"{game}-{size[0]}-{number}.png")
        if not decide(tab, chance):
            break
    shown = tab.text("#question")
    assert "rematch" in shown
    assert tab.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    assert tab.complaints() == []
    if SHOTS is not None:
        tab.screenshot(SHOTS / f"{game}-{size[0]}-end.png")


async def test_a_match_is_played_on_a_phone_by_tapping_and_survives_a_reload(
    nursery: trio.Nursery, browser: Browser
) -> None:
    port = await pages_at(nursery)
    await trio.to_thread.run_sync(partial(plays_to_the_end, browser, port, "ikasamage", PHONE, reload_at=3))


@pytest.mark.soak
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("game", sorted(all_games()))
async def test_every_game_is_played_in_a_browser(
    nursery: trio.Nursery, browser: Browser, game: str, size: tuple[int, int]
) -> None:
    port = await pages_at(nursery)
    await trio.to_thread.run_sync(plays_to_the_end, browser, port, game, size)


def visible_lines(tab: Tab) -> list[str]:
    """The lines of the choices that can be seen."""
    lines: list[str] = tab.run("choiceButtons().filter((one) => one.offsetParent).map((one) => one.dataset.line)")
    return lines


def picks_cards(browser: Browser, port: int) -> None:
    tab = browser.open(f"http://127.0.0.1:{port}/", *PHONE)
    enter(tab, "eva")
    sit_down(tab, "ikasamage")
    tab.wait(IS_ASKED)
    all_lines = visible_lines(tab)
    fighter = "[...document.querySelectorAll('.fighter')]"
    time.sleep(SETTLED)
    tab.tap(f"{fighter}[1]")
    assert visible_lines(tab) == [line for line in all_lines if "2" in line]
    assert tab.run(f"{fighter}[1].querySelector('.pick').getAttribute('aria-pressed')") == "true"
    tab.tap(f"{fighter}[3]")
    assert visible_lines(tab) == [line for line in all_lines if "2" in line and "4" in line]
    tab.tap(f"{fighter}[1]")
    tab.tap(f"{fighter}[3]")
    assert visible_lines(tab) == all_lines
    screen = browser.open(f"http://127.0.0.1:{port}/watch/t1", 1920, 1080)
    screen.wait("document.querySelector('.arena .fighter')")
    assert not screen.run("Boolean(document.querySelector('.hand'))")
    assert screen.text(".fighter") == tab.text(".fighter")
    press(tab, "bet 2 4")
    screen.wait_for("eva places 2 betting cards")
    tab.wait("document.querySelector('.hand .pick')")
    tab.wait(IS_ASKED)
    time.sleep(SETTLED)
    card = str(tab.run("document.querySelector('.hand .pick').dataset.for"))
    tab.tap("document.querySelector('.hand .card:has(.pick)')")
    assert visible_lines(tab)
    shown = tab.run("choiceButtons().filter((one) => one.offsetParent).map((one) => one.dataset.of.split(' '))")
    assert all(card in facts for facts in shown)
    assert tab.complaints() == screen.complaints() == []


async def test_tapped_cards_leave_their_choices_and_a_projector_shows_the_table(
    nursery: trio.Nursery, browser: Browser
) -> None:
    port = await pages_at(nursery)
    await trio.to_thread.run_sync(partial(picks_cards, browser, port))
