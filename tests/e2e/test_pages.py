"""Pages over real sockets: who may open them, a match on a page, and pages that misbehave."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
import trio

from server.app import App
from server.config import Config
from server.web import pages
from server.web.site import HEADERS
from tests.helpers.hall import open_hall, tcp_player
from tests.helpers.pages import closed_at_the_end, fetch, open_page
from tests.helpers.peer import Peer
from tests.helpers.toy import TOY

CONFIG = Config(port=0, web_port=0, web_hosts=("cards.example",), house_seconds=0.0)


async def open_pages(nursery: trio.Nursery, config: Config = CONFIG) -> tuple[App, int]:
    """A server with the toy game, and the port of its pages."""
    app = await open_hall(nursery, config, {TOY.id: TOY})
    assert app.web_port is not None
    return app, app.web_port


async def player(nursery: trio.Nursery, port: int, name: str) -> Peer:
    """A program whose socket is closed with the nursery."""
    peer = await tcp_player(port, name)
    nursery.start_soon(closed_at_the_end, peer.stream)
    return peer


async def ended(app: App) -> None:
    """No session is left."""
    with trio.fail_after(10):
        while app.sessions:  # noqa: ASYNC110 (a server has no event for a test's sake)
            await trio.sleep(0.01)


async def test_the_page_names_no_foreign_resource_and_has_no_inline_script(nursery: trio.Nursery) -> None:
    _app, port = await open_pages(nursery)
    status, headers, body = await fetch(port)
    assert status == 200
    assert {name: headers[name] for name in HEADERS} == {name: value.lower() for name, value in HEADERS.items()}
    links = re.findall(r'(?:src|href)="([^"]+)"', body)
    assert links
    for link in links:
        assert re.match("/[a-z]", link)
        assert (await fetch(port, link))[0] == 200
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=", body)


async def test_the_page_is_in_the_language_of_the_browser(nursery: trio.Nursery) -> None:
    _app, port = await open_pages(nursery)
    body = (await fetch(port, accept_language="fr-CH, fr;q=0.9, en;q=0.8"))[2]
    assert '<html lang="fr">' in body
    assert "Ton nom" in body
    assert '<html lang="en">' in (await fetch(port, accept_language="xx"))[2]


async def test_health_is_asked_by_a_monitor(nursery: trio.Nursery) -> None:
    _app, port = await open_pages(nursery)
    assert (await fetch(port, "/healthz"))[::2] == (200, "ok\n")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "cards.example.evil"]
)
async def test_g24_another_host_name_gets_no_page(nursery: trio.Nursery, host: str) -> None:
    _app, port = await open_pages(nursery)
    assert (await fetch(port, host=host))[0] in (400, 421)


@pytest.mark.parametrize("host", ["localhost:7180", "cards.example", "CARDS.example:80", "[::1]:7180", "192.168.1.7"])
async def test_the_names_of_this_server_get_its_page(nursery: trio.Nursery, host: str) -> None:
    _app, port = await open_pages(nursery)
    assert (await fetch(port, host=host))[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_g24_a_page_of_another_site_opens_no_connection(nursery: trio.Nursery, origin: str) -> None:
    app, port = await open_pages(nursery)
    page = await open_page(nursery, port, origin=origin)
    assert page.ended == 403
    assert not app.sessions


async def test_a_match_between_a_page_and_a_program(nursery: trio.Nursery) -> None:
    app, port = await open_pages(nursery)
    page, bob = await open_page(nursery, port), await player(nursery, app.port, "bob")
    await page.enters("ann")
    assert page.parts["welcome"] == "ann"
    await page.types("open toy 2", "You have seat 1.")
    await bob.ask("join", table="t1")
    await page.types("start", "data-line")
    async with trio.open_nursery() as beside:
        beside.start_soon(bob.play_on)
        for _decision in range(20):
            await page.until(lambda: 'data-line="play' in page.parts["choices"] or "rematch" in page.parts["choices"])
            if "rematch" in page.parts["choices"]:
                break
            line = re.search(r'data-line="(play \d+)"', page.parts["choices"])
            assert line
            before = page.parts["choices"]
            await page.sends(line[1])
            await page.until(lambda before=before: page.parts["choices"] != before)
    assert "Type: rematch" in page.parts["question"]
    assert '<div class="rows"><div>' in page.parts["board"]  # as the game has no template


async def test_a_closed_tab_comes_back_to_its_seat_by_its_proof(nursery: trio.Nursery) -> None:
    app, port = await open_pages(nursery)
    page = await open_page(nursery, port)
    await page.enters("ann")
    await page.types("open toy 2", "You have seat 1.")
    await page.types("add greedy", "Every seat is taken")
    await page.types("start", "data-line")
    await trio.aclose_forcefully(page.stream)
    await ended(app)
    back = await open_page(nursery, port)
    await back.enters("ann", again=True)
    await back.until(lambda: 'data-line="play' in back.parts.get("choices", ""))
    assert "You are back at t1, seat 1." in back.log
    stranger = await open_page(nursery, port)
    await stranger.enters("ann", "another token", again=True)
    assert stranger.parts["error"]["code"] == "bad_proof"


async def test_c31_what_players_write_is_text_on_a_page(nursery: trio.Nursery) -> None:
    app, port = await open_pages(nursery)
    page, bob = await open_page(nursery, port), await player(nursery, app.port, "bob")
    await page.enters("ann")
    await bob.ask("tell", to="ann", text='<img src=x onerror="alert(1)"> & \' "')
    await page.until(lambda: "onerror" in page.log)
    assert "<img" not in page.log
    assert "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;" in page.log


NONSENSE = [
    "{",
    '{"type":7}',
    '{"type":"nope","id":3}',
    '{"columns":"wide"}',
    "{}",
    "\x1b[31mred",
    "7" * 4_000,
]


async def test_a24_a_page_that_sends_nonsense_is_answered_and_then_cut_off(nursery: trio.Nursery) -> None:
    app, port = await open_pages(nursery)
    page = await open_page(nursery, port)
    await page.enters("ann")
    for text in NONSENSE:
        page.parts.pop("error", None)
        page.log = ""
        await page.sends(text)
        await page.until(lambda: "!" in page.log)
        assert page.ended is None, text
    await page.types("who", "ann")
    await page.sends("x" * (pages.MESSAGE_BYTES + 1))
    await page.until(lambda: False)
    assert page.ended == 1009
    await trio.aclose_forcefully(page.stream)
    await ended(app)


async def test_b26_a_page_that_reads_nothing_is_cut_and_its_connection_closed(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, port = await open_pages(nursery)
    page = await open_page(nursery, port)
    await page.enters("ann")
    player = app.lobby.people.find_player("ann")
    assert player is not None
    with trio.fail_after(20):
        while app.sessions:
            for session in list(app.sessions):
                session.send_text("x" * 200_000 + "\n")
            await trio.sleep(0.01)
    await page.until(lambda: False)
    assert page.ended == 1006


async def test_b27_a_connection_that_asks_for_no_page_ends_after_a_while(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PAGE_SECONDS", 0.2)
    _app, port = await open_pages(nursery)
    with trio.fail_after(10):
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        await stream.send_all(b"GET / HTTP/1.1\r\nhost: 127.0")
        with suppress(trio.BrokenResourceError):  # a reset
            assert await stream.receive_some(100) == b""
        await stream.aclose()


async def test_b27_one_address_has_a_limited_number_of_browser_connections(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "AN_ADDRESS", 3)
    _app, port = await open_pages(nursery)
    kept = [await open_page(nursery, port) for _one in range(3)]
    assert [page.ended for page in kept] == [None] * 3
    assert (await open_page(nursery, port)).ended == 1006


async def test_the_server_starts_without_pages_if_their_usual_port_is_taken(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    _app, port = await open_pages(nursery)
    other = await open_hall(nursery, Config(port=0, web_port=port, web_required=False), {TOY.id: TOY})
    assert other.web_port is None
    assert "browsers cannot join" in caplog.text


async def test_a_page_for_a_projector_names_its_table(nursery: trio.Nursery) -> None:
    _app, port = await open_pages(nursery)
    status, headers, body = await fetch(port, "/watch/t12")
    assert status == 200
    assert headers["content-security-policy"] == HEADERS["content-security-policy"].lower()
    assert 'data-watch="t12"' in body
    assert "data-watch" not in (await fetch(port))[2]


@pytest.mark.parametrize("table", ["t1%0Aresign", "t1%20x", "T1", "t1%22%3E", "..%2Fplay", "t" * 17])
async def test_g24_a_link_to_watch_makes_a_visitor_type_nothing_else(nursery: trio.Nursery, table: str) -> None:
    _app, port = await open_pages(nursery)
    assert (await fetch(port, f"/watch/{table}"))[0] == 404


async def test_style_sheets_of_games_are_served_once_for_each_folder(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery, CONFIG)
    assert app.web_port is not None
    status, headers, body = await fetch(app.web_port, "/boards.css")
    assert (status, headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert body.count(".arena .judge {") == 1
    assert ".race .lane {" in body
    assert ".magecraft .gem {" in body


async def test_a_board_of_cards_and_its_choices_have_the_same_words(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery, CONFIG)
    assert app.web_port is not None
    page = await open_page(nursery, app.web_port)
    await page.enters("ann")
    await page.types("open ikasamage 3", "You have seat 1.")
    await page.types("add greedy", "Waiting for 1 more")
    await page.types("add greedy", "Every seat is taken")
    await page.types("start", 'class="arena"')
    await page.until(lambda: "do=bet" in page.parts["choices"])
    assert 'data-for="fighter=1 on=1' in page.parts["board"]
    assert 'data-of="do=bet on=1 on=2"' in page.parts["choices"]
