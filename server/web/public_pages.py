"""The pages for browsers without a name: the lobby, cups, replays, rules and cards; and the figures for a monitor.

They show what `tables`, `who`, `cups`, `cup`, `standings`, `cup_log`, `replay`, `rules` and `cards` show to a player
without a seat. All of them are read-only, and need neither a cookie nor a script.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.templating import Jinja2Templates

from languages import ENGLISH, NAMES, language_code, speaking
from people.text.listings import cup_line, player_line, sort_tables, table_line
from people.text.rules import rule_sections
from people.text.sentences import card_heading, translate_word
from people.text.standings import mark_legend, opponents_table, percent_interval_text, standings_cells
from protocol import messages as m
from protocol.errors import Refusal
from protocol.printable import escape_text
from server.address import group_address
from server.language import _
from server.web.cup_facts import CupFacts, Facts
from server.web.metrics import is_monitor, metrics_text
from server.web.page_cache import PageCache, entity_tag
from server.web.replay_facts import ReplayFacts, ReplayTexts
from server.web.web_requester import TooManyRequests, WebRequester

if TYPE_CHECKING:
    from server.app import App

HERE = Path(__file__).parent
LIVE_SECONDS = 0.5  # how old a page that changes may be
PAGE_WORK = 5.0  # work that the HTML of a page is charged as, in plain requests; it takes up to 5 ms
LONGEST_ID = 64  # characters of a table, cup or game in an address
STATUS = {"banned": 403, "not_operator": 403, "not_over": 403, "not_started": 403}  # of HTTP, by code of a refusal
STATUS |= {"shutting_down": 503, "storage": 503, "server_full": 503, "internal": 500, "slow_down": 429}
Make = Callable[[WebRequester], Awaitable[bytes]]


class PublicPages:
    """The pages of one server that need no name."""

    def __init__(self, app: App) -> None:
        self._app, self._lobby = app, app.lobby
        self._templates = Jinja2Templates(HERE / "templates")
        self._live = PageCache[bytes](LIVE_SECONDS)
        self._facts = PageCache[Facts](LIVE_SECONDS)
        self._cups = CupFacts(app.config.cups)
        self._replays = ReplayTexts(self._lobby.games)

    def routes(self) -> Sequence[BaseRoute]:
        """Returns the routes of these pages."""
        return [
            Route("/lobby", self._lobby_page),
            Route("/cups", self._cups_page),
            Route("/cups/{cup}", self._cup_page),
            Route("/api/cups", self._cups_json),
            Route("/api/cups/{cup}", self._cup_json),
            Route("/replays/{table}", self._replay_page),
            Route("/api/replays/{table}", self._replay_json),
            Route("/rules/{game}", self._rules_page),
            Route("/cards/{game}", self._cards_page),
            Route("/metrics", self._metrics),
        ]

    # -- pages ---------------------------------------------------------------------------------------------------------

    async def _lobby_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            tables = await requester.ask(m.Tables(id=1, which="current"), m.TableList)
            ended = await requester.ask(m.Tables(id=2, which="finished"), m.TableList)
            players = await requester.ask(m.Who(id=3), m.Players)
            cups = await requester.ask(m.Cups(id=4), m.CupList)
            games = await requester.ask(m.Games(id=5), m.GameList)
            content = {
                "tables": [(info, escape_text(table_line(info))) for info in sort_tables(tables.tables)],
                "ended": [(info, escape_text(table_line(info))) for info in reversed(ended.tables)],
                "players": [escape_text(player_line(info)) for info in players.players],
                "cups": [(info.cup, escape_text(cup_line(info))) for info in cups.cups],
                "games": games.games,
                "more_tables": tables.more,
                "more_players": players.more,
            }
            return await self._render(requester, request, "lobby.html", _("The lobby"), content)

        return await self._page(request, make)

    async def _cups_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            cups = (await requester.ask(m.Cups(id=1), m.CupList)).cups
            lines = [(info.cup, escape_text(cup_line(info))) for info in cups]
            return await self._render(requester, request, "cups.html", _("Cups"), {"cups": lines})

        return await self._page(request, make)

    async def _cup_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            facts = await self._cup_facts(request, requester)
            return await self._render(requester, request, "cup.html", facts["cup"]["cup"], _cup_content(facts))

        return await self._page(request, make)

    async def _replay_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            replay = await self._replay_facts(request, requester)
            last = len(replay.moments)
            number = min(_moment_in(request), last)
            title = _("Match {table}: {game}", table=replay.table, game=replay.game)
            content = {"replay": replay, "number": number, "last": last, "shown": "\n".join(replay.moment(number))}
            return await self._render(requester, request, "replay.html", title, content)

        return await self._page(request, make)

    async def _rules_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            game = _id_in(request, "game", "no_such_game")
            page = await requester.ask(m.Rules(id=1, game=game), m.Page)
            sections = rule_sections(page.text)
            title = _("Rules: {game}", game=page.title)
            return await self._render(
                requester, request, "rules_page.html", title, {"game": game, "sections": sections}
            )

        return await self._page(request, make)

    async def _cards_page(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            game = _id_in(request, "game", "no_such_game")
            found = await requester.ask(m.Cards(id=1, game=game), m.CardList)
            games = (await requester.ask(m.Games(id=2), m.GameList)).games
            title = next((info.title for info in games if info.game == found.game), found.game)
            cards = [(card["title"], card["name"], card_heading(card), card["text"]) for card in found.cards]
            return await self._render(
                requester, request, "card_list.html", _("Cards: {game}", game=title), {"game": game, "cards": cards}
            )

        return await self._page(request, make)

    # -- JSON ----------------------------------------------------------------------------------------------------------

    async def _cups_json(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            cups = (await requester.ask(m.Cups(id=1), m.CupList)).cups
            return msgspec.json.encode({"cups": cups})

        return await self._json(request, make)

    async def _cup_json(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            return msgspec.json.encode(await self._cup_facts(request, requester))

        return await self._json(request, make)

    async def _replay_json(self, request: Request) -> Response:
        async def make(requester: WebRequester) -> bytes:
            return msgspec.json.encode(await self._replay_facts(request, requester))

        return await self._json(request, make)

    async def _metrics(self, request: Request) -> Response:
        client = request.client
        if client is None or not is_monitor(client.host, request.headers):
            return PlainTextResponse("Only programs on the server's machine may read this.\n", 403)
        status = self._lobby.health.current_status()
        return PlainTextResponse(metrics_text(status), media_type="text/plain; version=0.0.4")

    # -- contents ------------------------------------------------------------------------------------------------------

    async def _cup_facts(self, request: Request, requester: WebRequester) -> Facts:
        cup = _id_in(request, "cup", "no_such_cup")
        return await self._facts.get(cup, lambda: self._cups.of(requester, cup))

    async def _replay_facts(self, request: Request, requester: WebRequester) -> ReplayFacts:
        return await self._replays.of(requester, _id_in(request, "table", "no_such_table"))

    async def _render(self, requester: WebRequester, *content: Any) -> bytes:
        return await requester.work(partial(self._html, *content), PAGE_WORK)

    def _html(self, request: Request, template: str, title: str, content: dict[str, Any]) -> bytes:
        with speaking(language_of(request)):
            frame = {"title": title, "lang": language_of(request), "languages": _other_languages(request)}
            page = self._templates.get_template(template).render(
                **frame, _=_, query=_query(request), path=request.url.path, **content
            )
        return page.encode()

    # -- answers -------------------------------------------------------------------------------------------------------

    async def _page(self, request: Request, make: Make) -> Response:
        try:
            return await self._answer(request, make, "text/html; charset=utf-8")
        except Refusal as refusal:
            content = self._html(request, "refused.html", "magehall", {"text": escape_text(refusal.text)})
            return Response(content, _status(refusal), _retry(refusal), "text/html; charset=utf-8")

    async def _json(self, request: Request, make: Make) -> Response:
        try:
            return await self._answer(request, make, "application/json")
        except Refusal as refusal:
            content = msgspec.json.encode({"error": {"code": refusal.code.name, "text": refusal.text}})
            return Response(content, _status(refusal), _retry(refusal), "application/json")

    async def _answer(self, request: Request, make: Make, kind: str) -> Response:
        """Returns the answer to a browser: the content, or only that it is still what the browser has. Raises
        Refusal."""
        address = group_address(request.client.host) if request.client is not None else None
        requester = WebRequester(self._lobby, address, language_of(request))
        try:
            await requester.enter()
            key = (request.url.path, requester.language, _query(request), _moment_in(request))
            with speaking(requester.language):
                content = await self._live.get(key, lambda: make(requester))
        except Refusal as refusal:
            self._lobby.refusals.count_refusal(refusal.code.name, address)
            raise
        tag = entity_tag(content)
        headers = {"etag": tag, "vary": "accept-language"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=kind)


def language_of(request: Request) -> str:
    """Returns the language of a page: the one in its address (`?lang=fr`), otherwise the first of the browser's
    preferred languages in which the server has texts."""
    if spoken := language_code(request.query_params.get("lang", "")[:32]):
        return spoken
    for part in request.headers.get("accept-language", "").split(","):
        if spoken := language_code(part.partition(";")[0].strip().partition("-")[0]):
            return spoken
    return ENGLISH


def _query(request: Request) -> str:
    """Returns the query with which a page's links keep the language that its address names; "" if it names none."""
    spoken = language_code(request.query_params.get("lang", "")[:32])
    return f"?lang={spoken}" if spoken else ""


def _other_languages(request: Request) -> list[tuple[str, str]]:
    return [(code, name) for code, name in NAMES.items() if code != language_of(request)]


def _id_in(request: Request, name: str, missing: str) -> str:
    """Returns the id of a table, cup or game from the address of a page. Raises Refusal with the code `missing` if it
    is too long for one."""
    given: str = request.path_params[name]
    if len(given) > LONGEST_ID:
        raise Refusal(missing)
    return given


def _moment_in(request: Request) -> int:
    """Returns the number of the moment that the address of a replay's page names (`?at=7`); 1 if it names none."""
    at = request.query_params.get("at", "")
    return max(int(at), 1) if at.isascii() and at.isdigit() and len(at) < 6 else 1


def _status(refusal: Refusal) -> int:
    return 404 if refusal.code.name.startswith("no_such_") else STATUS.get(refusal.code.name, 400)


def _retry(refusal: Refusal) -> dict[str, str]:
    return {"retry-after": f"{refusal.wait:.0f}"} if isinstance(refusal, TooManyRequests) else {}


def _cup_content(facts: Facts) -> dict[str, Any]:
    """Returns what the template of a cup's page shows."""
    info = msgspec.convert(facts["cup"], m.CupInfo)
    rows = msgspec.convert(facts["standings"], list[m.Standing])
    against = msgspec.convert(facts["against"], list[m.Against])
    names = [row.entrant for row in rows]
    return {
        "info": info,
        "line": escape_text(cup_line(info)),
        "state": translate_word(info.state),
        "is_over": info.state in ("stopped", "finished"),
        "rows": rows,
        "cells": standings_cells(rows, facts["challenger"]),
        "notes": mark_legend(rows, facts["challenger"])
        + ([_("Ranked by the rating.")] if info.rank_by == "rating" else []),
        "challenger": facts["challenger"],
        "against": opponents_table(against) if against else [],
        "head_to_head": list(zip(names, map(_percents, facts["head_to_head"]), strict=True)),
        "playing": facts["playing"],
        "matches": facts["matches"],
        "interval": percent_interval_text,
    }


def _percents(shares: Sequence[float | None]) -> list[str]:
    return ["-" if share is None else f"{100 * share:.0f}" for share in shares]
