"""The pages that need no name, over real sockets and in a real browser."""

from __future__ import annotations

import os
import re
import time
from functools import partial

import pytest
import trio

from games.registry import all_games
from server.app import App
from server.config import Config
from server.web.site import HEADERS
from tests.helpers.browser import CHROMIUM, Browser, Tab, open_browser
from tests.helpers.hall import open_hall, tcp_player
from tests.helpers.pages import fetch
from tests.helpers.toy import TOY

CONFIG = Config(port=0, web_port=0, web_hosts=("cards.example",), house_seconds=0.0)
PATHS = ("/lobby", "/cups", "/cups/friday", "/rules/toy", "/cards/toy", "/replays/t1", "/nothing")
needs_a_browser = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason="chromium is not installed"
)
MOVES_WITHIN = 5.0  # seconds, on a busy machine; usually 2
PHONE, DESKTOP = (360, 740), (1280, 800)


async def cup_of_bots(
    nursery: trio.Nursery, *, game: str = TOY.id, pace: float = 0.0, rounds: int = 2
) -> tuple[App, int]:
    """A server with a cup of house bots that has begun, and the port of its pages."""
    games = {TOY.id: TOY} if game == TOY.id else all_games()
    app = await open_hall(nursery, Config(port=0, web_port=0, web_hosts=("cards.example",), house_seconds=pace), games)
    assert app.web_port is not None
    ann = await tcp_player(app.port, "ann")
    await ann.ask("cup_open", cup="friday", game=game, seats=3, rounds=rounds)
    for bot in ("greedy", "random", "greedy", "random"):
        await ann.ask("cup_add", cup="friday", bot=bot)
    assert (await ann.ask("cup_start", cup="friday"))["type"] == "cup_info"
    await trio.aclose_forcefully(ann.stream)
    return app, app.web_port


async def ends(app: App) -> None:
    """The cup is over."""
    with trio.fail_after(30):
        while not app.lobby.cups.get("friday").cup.is_over:  # noqa: ASYNC110
            await trio.sleep(0.05)


async def test_every_public_page_is_strict_about_resources_and_scripts(nursery: trio.Nursery) -> None:
    app, port = await cup_of_bots(nursery)
    await ends(app)
    for path in PATHS:
        status, headers, body = await fetch(port, path)
        assert status == (404 if path == "/nothing" else 200), path
        assert {name: headers[name] for name in HEADERS} == {name: value.lower() for name, value in HEADERS.items()}
        assert "set-cookie" not in headers
        for link in re.findall(r'(?:src|href)="([^"]+)"', body):
            assert re.match("[/#][a-z]|/$", link), link
            if link.startswith("/static/"):
                assert (await fetch(port, link))[0] == 200
        assert not re.search(r"<script(?![^>]*src=)|<style|<form|\son\w+=|style=", body)


async def test_g24_a_public_page_is_refused_under_another_host_name(nursery: trio.Nursery) -> None:
    _app, port = await cup_of_bots(nursery)
    for path in (*PATHS, "/api/cups/friday", "/metrics"):
        assert (await fetch(port, path, host="evil.example"))[0] == 421, path


async def test_the_facts_of_a_cup_are_json_for_programs(nursery: trio.Nursery) -> None:
    app, port = await cup_of_bots(nursery)
    await ends(app)
    status, headers, body = await fetch(port, "/api/cups/friday")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert '"state":"finished"' in body
    assert (await fetch(port, "/api/cups/nope"))[0] == 404


async def test_g27_metrics_are_read_on_this_machine_by_its_own_name_alone(nursery: trio.Nursery) -> None:
    _app, port = await cup_of_bots(nursery)
    status, _headers, body = await fetch(port, "/metrics")
    assert status == 200
    assert "magehall_tables" in body
    assert (await fetch(port, "/metrics", host="cards.example"))[0] == 403
    assert (await fetch(port, "/metrics", x_forwarded_for="10.0.0.9"))[0] == 403


def watches_the_cup(browser: Browser, port: int, size: tuple[int, int]) -> None:
    tab = browser.open(f"http://127.0.0.1:{port}/cups/friday", *size)
    for _time in range(2):
        before, began = tab.text("main"), time.monotonic()
        tab.wait(f"document.querySelector('main').innerText !== {before!r}")
        assert time.monotonic() - began < MOVES_WITHIN
    assert tab.run("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    assert tab.run("document.querySelectorAll('main a[href^=\"/watch/t\"]').length") > 0
    assert tab.complaints() == []


def steps_through(tab: Tab) -> None:
    tab.tap("[...document.querySelectorAll('main a')].find((one) => one.pathname.startsWith('/replays/'))")
    tab.wait("document.querySelector('#steps input')?.hidden === false")
    seen = [tab.text("#moment")]
    tab.tap("document.querySelector('[data-step=\"1\"]')")
    seen.append(tab.text("#moment"))
    tab.ask("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
    seen.append(tab.text("#moment"))
    assert len(set(seen)) == 3
    tab.wait("location.search.includes('at=3')")
    assert tab.complaints() == []


@needs_a_browser
async def test_a_cup_s_page_moves_in_a_browser_and_leads_to_its_matches(nursery: trio.Nursery) -> None:
    app, port = await cup_of_bots(nursery, game="ikasamage", pace=0.05, rounds=40)
    with open_browser() as browser:
        await trio.to_thread.run_sync(partial(watches_the_cup, browser, port, PHONE))
        while not app.lobby.cups.get("friday").cup.results:  # noqa: ASYNC110
            await trio.sleep(0.1)
        tab = await trio.to_thread.run_sync(partial(browser.open, f"http://127.0.0.1:{port}/cups/friday", *DESKTOP))
        await trio.to_thread.run_sync(steps_through, tab)
