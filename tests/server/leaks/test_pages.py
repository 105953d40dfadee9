"""The leak gate for the pages that need no name: in two worlds that a spectator cannot tell apart they are the same.

Then leaks are planted on the way to the pages alone, and the gate has to catch each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from games.registry import all_games
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.health import Health
from server.web.cup_facts import CupFacts, CupLogReader
from server.web.public_pages import PublicPages
from server.web.replay_facts import ReplayFacts, ReplayTexts
from server.web.web_requester import WebRequester
from tests.helpers.toy import TOY
from tests.server.leaks.plants import Plant, others_hold, pass_gate, retell, truth, wrap
from tests.server.leaks.two_worlds import Case, Leak

SEATS = 3


def toy_cases() -> Iterator[Case]:
    for at in range(0, 3 * SEATS - 1, 2):
        yield Case(TOY, SEATS, None, at, at, retell=retell, tournament=at % 4 == 0, pages=True)


async def test_g25_in_two_worlds_every_page_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await pass_gate(toy_cases(), monkeypatch) > 50


@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_g25_in_two_worlds_of_a_real_game_every_page_is_the_same(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    cases = (Case(game, seats, None, at, at, steps=4, tournament=at > 5, pages=True) for at in (4, 12))
    assert await pass_gate(cases, monkeypatch) > 5


# -- planted leaks -----------------------------------------------------------------------------------------------------

PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    PLANTS[function.__name__] = function
    return function


def hand_of(requester: WebRequester) -> str:
    """What no spectator knows."""
    return others_hold(truth(requester._lobby.tables["t1"]), 1)


def change_answers(monkeypatch: pytest.MonkeyPatch, kind: type[m.Message], change: Callable[..., m.Message]) -> None:
    """Changes the answers of this type that pages get, and no other client gets."""

    async def ask(original: Any, requester: WebRequester, request: Any, answer: Any, **more: Any) -> m.Message:
        given: m.Message = await original(requester, request, answer, **more)
        return change(requester, given) if isinstance(given, kind) else given

    wrap(monkeypatch, WebRequester, "ask", ask)


@plant
def the_list_of_tables_names_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(requester: WebRequester, given: m.TableList) -> m.TableList:
        tables = (msgspec.structs.replace(one, options={"card": hand_of(requester)}) for one in given.tables)
        return msgspec.structs.replace(given, tables=tuple(tables))

    change_answers(monkeypatch, m.TableList, change)


@plant
def the_order_of_players_depends_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(requester: WebRequester, given: m.Players) -> m.Players:
        first = int(hand_of(requester).split()[0]) % len(given.players)
        return msgspec.structs.replace(given, players=given.players[first:] + given.players[:first])

    change_answers(monkeypatch, m.Players, change)


@plant
def a_cup_s_facts_have_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    async def of(original: Any, facts: Any, requester: WebRequester, cup: str) -> Any:
        return {**await original(facts, requester, cup), "hand": hand_of(requester)}

    wrap(monkeypatch, CupFacts, "of", of)


@plant
def a_running_match_of_a_cup_stands_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[CupLogReader, WebRequester] = {}

    async def read_on(original: Any, reader: CupLogReader, requester: WebRequester, cup: str) -> None:
        seen[reader] = requester
        await original(reader, requester, cup)

    def playing(original: Any, reader: CupLogReader, tables: Any) -> Any:
        return [{**one, "deal": hand_of(seen[reader])} for one in original(reader, tables)]

    wrap(monkeypatch, CupLogReader, "read_on", read_on)
    wrap(monkeypatch, CupLogReader, "playing", playing)


@plant
def a_replay_is_shown_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def of(_original: Any, _texts: ReplayTexts, requester: WebRequester, table: str) -> ReplayFacts:
        return ReplayFacts(table, "Toy", [], [hand_of(requester)], [[0]])

    wrap(monkeypatch, ReplayTexts, "of", of)


@plant
def a_page_is_longer_by_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def html(original: Any, pages: PublicPages, *args: Any) -> bytes:
        page: bytes = original(pages, *args)
        return page + b" " * truth(pages._lobby.tables["t1"]).hands[1][0]

    wrap(monkeypatch, PublicPages, "_html", html)


@plant
def a_refusal_depends_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(original: Any, requester: WebRequester, *args: Any, **more: Any) -> Any:
        try:
            return await original(requester, *args, **more)
        except Refusal:
            raise Refusal("not_over" if int(hand_of(requester).split()[0]) % 2 else "not_started") from None

    wrap(monkeypatch, WebRequester, "ask", ask)


@plant
def the_metrics_count_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def status(original: Any, health: Health) -> Any:
        told = original(health)
        told.people.known += truth(health._tables["t1"]).hands[1][0]
        return told

    wrap(monkeypatch, Health, "current_status", status)


@pytest.mark.parametrize("name", PLANTS)
async def test_g25_the_gate_catches_a_leak_on_a_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    with pytest.raises(Leak, match="browser is sent"):
        await pass_gate(toy_cases(), monkeypatch)
