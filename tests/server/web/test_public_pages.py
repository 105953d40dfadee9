"""The pages that need no name: what they show, what they refuse, and what they cost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import trio

from games.registry import all_games
from protocol import messages as m
from protocol.messages.exchanges import EXCHANGES, Permission
from server.config import Config
from server.desk.moderation import ban_name_or_address
from server.web import public_pages, web_requester
from server.web.cup_facts import MATCHES, CupLogReader, Facts
from server.web.metrics import is_monitor
from server.web.web_requester import WebRequester
from tests.helpers.asgi import Response, WebClient
from tests.helpers.hall import Hall
from tests.server.desk.test_cup_requests import finish, opened, play

pytestmark = pytest.mark.usefixtures("no_threads")


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still while a thread would work."""

    async def run_sync(work: Callable[..., Any], *args: Any, **_more: Any) -> Any:
        return work(*args)

    monkeypatch.setattr("trio.to_thread.run_sync", run_sync)


@pytest.fixture
def browser(hall: Hall) -> WebClient:
    return WebClient(hall.app)


async def later(browser: WebClient, path: str, **headers: str) -> Response:
    """A page once what was kept of it is too old."""
    await trio.sleep(2 * public_pages.LIVE_SECONDS)
    return await browser.get(path, **headers)


def text_of(page: Response) -> str:
    """The words of a page."""
    return " ".join(re.sub("<[^>]*>", " ", page.body).split())


async def test_a_cup_s_page_moves_from_its_opening_to_its_end(hall: Hall, browser: WebClient) -> None:
    ann, peers = await opened(hall, "bob", "carl", "dora", seats=2, rounds=2)
    assert "open" in text_of(await browser.get("/cups/friday"))
    await ann.ask("cup_start", cup="friday")
    await trio.sleep(1)
    page = await later(browser, "/cups/friday")
    playing = (await browser.get("/api/cups/friday")).json["playing"]
    assert playing
    for match in playing:
        assert f'href="/watch/{match["table"]}"' in page.body
        assert ", ".join(match["entrants"]) in page.body
    await finish(hall, peers)
    page = await later(browser, "/cups/friday")
    assert "data-over" in page.body
    assert "6 / 6" in text_of(page)
    assert page.body.count("step through") == 6
    facts = (await browser.get("/api/cups/friday")).json
    rows = (await ann.ask("standings", cup="friday"))["rows"]
    assert facts["standings"] == rows
    assert facts["playing"] == []
    names = [row["entrant"] for row in rows]
    assert sorted(names) == ["bob", "carl", "dora"]
    for one, row in enumerate(facts["head_to_head"]):
        for other, share in enumerate(row):
            met = [match for match in facts["matches"] if {names[one], names[other]} == _entrants(match)]
            places = [{seat["entrant"]: seat["place"] for seat in match["seats"]} for match in met]
            ahead = [
                (there[names[one]] < there[names[other]]) + (there[names[one]] == there[names[other]]) / 2
                for there in places
            ]
            assert share == (None if one == other else pytest.approx(sum(ahead) / len(ahead)))


def _entrants(match: dict[str, Any]) -> set[str]:
    return {seat["entrant"] for seat in match["seats"]}


async def test_a_page_that_has_not_changed_is_not_sent_again(hall: Hall, browser: WebClient) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    page = await browser.get("/cups/friday")
    again = await later(browser, "/cups/friday", if_none_match=page.headers["etag"])
    assert (again.status, again.body) == (304, "")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    changed = await later(browser, "/cups/friday", if_none_match=page.headers["etag"])
    assert changed.status == 200
    assert "2 / 2" in text_of(changed)


async def test_the_lobby_shows_what_a_player_without_a_seat_is_told(hall: Hall, browser: WebClient) -> None:
    ann, *_peers = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("open", game="toy", seats=2)
    await ann.ask("cup_open", cup="friday", game="toy", seats=2)
    typist = await hall.typist()
    page = text_of(await browser.get("/lobby"))
    await typist.types("hello zoe")
    for command in ("tables", "cups", "who"):
        for line in (await typist.types(command)).strip().split("\n"):
            for word in " ".join(line.removeprefix("Here are: ").split()).replace("zoe (person)", "").split(", "):
                assert word.strip(" .") in page, word
    assert (await browser.get("/lobby")).body.count("/watch/t1") == 1


@pytest.mark.parametrize(
    ("query", "header", "word"),
    [
        ("", "fr-FR, en", "Coupes"),
        ("?lang=fr", "en", "Coupes"),
        ("?lang=en", "fr", "Cups"),
        ("", "xx", "Cups"),
        ("?lang=xx", "", "Cups"),
    ],
)
async def test_the_address_of_a_page_or_the_browser_says_its_language(
    browser: WebClient, query: str, header: str, word: str
) -> None:
    page = await browser.get(f"/cups{query}", accept_language=header)
    assert f"<h1>{word}</h1>" in page.body
    assert ("?lang=" in re.findall(r'href="(/lobby[^"]*)"', page.body)[0]) == (query in ("?lang=fr", "?lang=en"))


async def test_a_finished_match_is_stepped_through_moment_by_moment(hall: Hall, browser: WebClient) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    running = await browser.get("/replays/t1")
    assert running.status == 403
    assert "The match is not over" in running.body
    assert (await browser.get("/api/replays/t1")).json["error"]["code"] == "not_over"
    async with trio.open_nursery() as nursery:
        for peer in (ann, bob):
            nursery.start_soon(peer.play_on)
    match = (await later(browser, "/api/replays/t1")).json
    assert match["people"] == ["ann", "bob"]
    assert len(match["moments"]) == 7
    for number, moment in enumerate(match["moments"], 1):
        page = await browser.get(f"/replays/t1?at={number}")
        shown = re.search(r"<pre[^>]*>(.*)</pre>", page.body, re.DOTALL)
        assert shown
        assert shown[1].replace("&gt;", ">").replace("&#39;", "'") == "\n".join(match["lines"][one] for one in moment)
    assert (await browser.get("/replays/t1?at=99")).body.count("The end") == 1
    french = await browser.get("/replays/t1?lang=fr&at=7")
    assert "La fin" in french.body
    assert 'href="/replays/t1?lang=fr&amp;at=6"' in french.body.replace("&at", "&amp;at")


async def test_a_deal_that_is_played_again_in_its_cup_is_not_shown(hall: Hall, browser: WebClient) -> None:
    names = ("bob", "carl", "dora", "ed")
    ann, peers = await opened(hall, *names, seats=2, rounds=1, deals="duplicate")
    await ann.ask("cup_start", cup="friday")
    await trio.sleep(1)
    seated = hall.lobby.tables["t1"].seating.names()
    async with trio.open_nursery() as nursery:
        for name, peer in zip(names, peers, strict=True):
            if name in seated:
                nursery.start_soon(play, peer)
        await trio.sleep(10)
        nursery.cancel_scope.cancel()
    assert (await browser.get("/api/cups/friday")).json["matches"][0]["table"] == "t1"
    refused = await later(browser, "/replays/t1")
    assert refused.status == 403
    assert "The same deal will be played again in its cup." in refused.body
    assert "You hold" not in refused.body


async def test_a_kept_text_of_a_replay_is_shown_only_if_the_server_still_gives_the_replay(
    hall: Hall, browser: WebClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with trio.open_nursery() as nursery:
        for peer in await hall.table_of("ann", "bob"):
            nursery.start_soon(peer.play_on)
    assert (await later(browser, "/replays/t1")).status == 200
    monkeypatch.setattr(hall.lobby.cups, "hides_replay", lambda _table, _word: True)
    assert (await later(browser, "/replays/t1")).status == 403


async def test_rules_and_cards_are_pages_in_both_languages() -> None:
    async with trio.open_nursery() as nursery:
        browser = WebClient(Hall(nursery, Config(port=0), all_games()).app)
        for game in all_games():
            for language, word in (("en", "Rules"), ("fr", "Règles")):
                rules = await browser.get(f"/rules/{game}?lang={language}")
                assert f"<h1>{word}" in rules.body
                assert rules.body.count("<h2") > 6
                assert not re.search(r"\*\*|^#|\]\(", text_of(rules)), "Markdown"
                cards = await browser.get(f"/cards/{game}?lang={language}")
                assert cards.body.count("<dt>") > 20
        assert "boule de feu" in (await browser.get("/cards/ikasamage?lang=fr")).body.casefold()
        nursery.cancel_scope.cancel()


async def test_a25_an_address_that_names_nothing_is_not_found(hall: Hall, browser: WebClient) -> None:
    await hall.table_of("ann", "bob")
    names = [
        "nope",
        "t0",
        "t1x",
        "name:ann",
        "lobby",
        "x" * 5_000,
        "..%2F..%2Fetc%2Fpasswd",
        "%00",
        "%C3%28",
        "é",
        "'",
        "friday%0a",
    ]
    for name in names:
        for folder in ("cups", "api/cups", "replays", "api/replays", "rules", "cards"):
            answer = await browser.get(f"/{folder}/{name.replace('é', '%C3%A9')}")
            assert answer.status in (403, 404) if name == "t1x" else answer.status == 404, (folder, name)
    for at in ("0", "-1", "x", "9" * 50, "٣", "1e3"):
        assert (await browser.get(f"/replays/t1?at={at.replace('٣', '%D9%A3')}")).status == 403


async def test_c31_markup_in_an_operator_s_reason_is_text_on_a_page(hall: Hall, browser: WebClient) -> None:
    ban_name_or_address(hall.lobby, browser.address, 60, "the operator", "<script>alert(1)</script>")
    page = await browser.get("/lobby")
    assert page.status == 403
    assert "&lt;script&gt;alert(1)" in page.body


async def test_c13_a_banned_address_gets_no_page(hall: Hall, browser: WebClient) -> None:
    ban_name_or_address(hall.lobby, browser.address, 60, "the operator", "")
    for path in ("/lobby", "/cups", "/api/cups", "/rules/toy"):
        assert (await browser.get(path)).status == 403
    assert (await WebClient(hall.app, "10.0.0.10").get("/lobby")).status == 200


async def test_a_server_that_admits_no_newcomers_shows_them_nothing(hall: Hall, browser: WebClient) -> None:
    assert (await browser.get("/lobby")).status == 200
    hall.lobby.service.set_admission(False)
    assert (await later(browser, "/lobby")).status == 503
    assert (await browser.get("/api/cups")).json["error"]["code"] == "shutting_down"


@pytest.mark.parametrize("config", [{"only_play": True}], indirect=True)
async def test_a_server_that_only_plays_shows_no_tables_and_cups(browser: WebClient) -> None:
    assert (await browser.get("/lobby")).status == 403
    assert (await browser.get("/api/cups/friday")).status == 403
    assert (await browser.get("/rules/toy")).status == 200


async def test_g26_a_page_asks_nothing_that_changes_something_or_needs_a_right(hall: Hall) -> None:
    for request in web_requester.READ_ONLY:
        exchange = EXCHANGES[request]
        assert exchange.question
        assert exchange.asker in (Permission.ANYBODY, Permission.PLAYER)
    requester = WebRequester(hall.lobby, "10.0.0.9", "en")
    with pytest.raises(AssertionError):
        await requester.ask(m.Open(id=1, game="toy"), m.TableReply)
    before = hall.lobby.people.name_count
    await requester.ask(m.Who(id=1), m.Players)
    assert hall.lobby.people.name_count == before, "a page takes no name"


async def test_b28_a_page_is_made_once_for_all_who_ask_at_the_same_time(
    hall: Hall, browser: WebClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(hall, "bob", seats=2)
    made: list[object] = []
    original = public_pages._cup_content

    def content(facts: Facts) -> dict[str, Any]:
        made.append(facts)
        return original(facts)

    monkeypatch.setattr(public_pages, "_cup_content", content)
    async with trio.open_nursery() as nursery:
        for _one in range(30):
            nursery.start_soon(browser.get, "/cups/friday")
    assert len(made) == 1


async def test_b28_who_asks_for_page_after_page_waits_and_is_then_refused(hall: Hall, browser: WebClient) -> None:
    hall.limit(requests_a_second=1.0, requests_at_once=2, requests_an_address=1, at_once_an_address=1)
    answers = []
    for number in range(10):
        answers.append(await browser.get(f"/rules/toy?at={number}&lang=fr"))
        if answers[-1].status == 429:
            break
    assert answers[-1].status == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    assert (await WebClient(hall.app, "10.0.0.10").get("/rules/toy")).status == 200
    await trio.sleep(60)
    assert (await browser.get("/rules/toy")).status == 200


async def test_each_line_of_a_cup_s_log_is_read_once(
    hall: Hall, browser: WebClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    original = CupLogReader._read_line

    def read_line(reader: CupLogReader, line: str) -> None:
        read.append(line)
        original(reader, line)

    monkeypatch.setattr(CupLogReader, "_read_line", read_line)
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=3)
    await ann.ask("cup_start", cup="friday")
    for _time in range(3):
        await later(browser, "/cups/friday")
    await finish(hall, peers)
    async with trio.open_nursery() as nursery:
        for address in range(5):
            nursery.start_soon(later, WebClient(hall.app, f"10.0.1.{address}"), "/nothing")
            nursery.start_soon(later, browser, "/api/cups/friday")
    assert len(read) == len(set(read)) == 1 + len(hall.lobby.cups.get("friday").cup.entries)


@pytest.mark.parametrize("config", [{"cups": 1}], indirect=True)
async def test_a_later_cup_of_the_same_name_has_a_page_of_its_own(hall: Hall, browser: WebClient) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    assert len((await browser.get("/api/cups/friday")).json["matches"]) == 2
    assert (await ann.ask("cup_open", cup="monday", game="toy", seats=2))["type"] == "cup_info"
    assert (await later(browser, "/api/cups/friday")).status == 404
    await ann.ask("cup_stop", cup="monday")
    assert (await ann.ask("cup_open", cup="friday", game="toy", seats=2))["type"] == "cup_info"
    facts = (await later(browser, "/api/cups/friday")).json
    assert (facts["cup"]["state"], facts["matches"], facts["standings"]) == ("open", [], [])


async def test_a_cup_s_page_shows_the_latest_matches_alone(
    hall: Hall, browser: WebClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=52)
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    page = await browser.get("/cups/friday")
    assert page.body.count("step through") == MATCHES
    assert "The latest 100 of 104 matches." in page.body
    assert (await browser.get("/api/cups/friday")).json["matches"][0]["match"] == 104


PEERS = [
    ("127.0.0.1", {"host": "127.0.0.1:7180"}, True),
    ("::1", {"host": "[::1]:7180"}, True),
    ("127.0.0.1", {"host": "localhost"}, True),
    ("10.0.0.9", {"host": "127.0.0.1:7180"}, False),
    ("127.0.0.1", {"host": "cards.example"}, False),
    ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "10.0.0.9"}, False),
    ("127.0.0.1", {"host": "localhost", "forwarded": "for=10.0.0.9"}, False),
    ("127.0.0.1", {}, False),
]


@pytest.mark.parametrize(("peer", "headers", "is_own"), PEERS)
def test_g27_metrics_are_for_programs_on_this_machine(peer: str, headers: dict[str, str], is_own: bool) -> None:
    assert is_monitor(peer, headers) is is_own


async def test_g27_metrics_have_no_name_and_no_address(hall: Hall, browser: WebClient) -> None:
    await hall.table_of("annabel", "robert")
    assert (await browser.get("/metrics", host="localhost")).status == 403
    answer = await WebClient(hall.app, "127.0.0.1").get("/metrics", host="localhost:7180")
    assert answer.status == 200
    assert 'magehall_tables{state="playing"} 1\n' in answer.body
    assert 'magehall_online{kind="person"} 2\n' in answer.body
    assert "annabel" not in answer.body
    for line in answer.body.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) magehall_\w+ .*|magehall_\w+(\{\w+="[\w.]+"\})? [\d.e+-]+', line), line
