"""Matches of entrants on a server of this process: every seat a fresh process, several tables at once."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import trio

from client.house import BotHouse
from client.processes.forks import ForkServer, open_fork_server
from client.processes.sandbox import sandbox_error
from client.tournament.entrants import EntrantProcess
from client.tournament.specs import parse_entrant
from games.registry import all_games
from protocol.messages import ClockRule, Seated
from server.app import App, serve
from server.config import Config

START_SECONDS = 30.0
PATIENT = ClockRule(60.0, 60.0)


@dataclass(frozen=True)
class Ending:
    """One seat of a match that is over."""

    how: str
    place: int
    score: int
    words: str  # the last ones of its process
    limit: str


@dataclass
class Cup:
    """Made by `open_cup`."""

    app: App
    forks: ForkServer
    tables: trio.CapacityLimiter
    number: int = 0

    async def play(self, texts: Sequence[str], deal: str, clock: ClockRule = PATIENT) -> list[Ending]:
        """One match of ikasamage; all its chance comes from the name of the deal."""
        async with self.tables:
            self.number += 1
            players = [
                EntrantProcess(
                    parse_entrant(text), f"z{self.number}-{seat}", seat, "ikasamage", confined=not sandbox_error()
                )
                for seat, text in enumerate(texts, 1)
            ]
            async with trio.open_nursery() as nursery:
                for player in players:
                    nursery.start_soon(player.run, self.forks, self.app.port, self.dismiss)
                endings = await self._match(players, deal, clock)
                for player in players:
                    nursery.start_soon(partial(player.stop_process, patience=0.1))
            return endings

    async def _match(self, players: Sequence[EntrantProcess], deal: str, clock: ClockRule) -> list[Ending]:
        people = self.app.lobby.people
        with trio.fail_after(START_SECONDS):
            for player in players:
                await self._come(player)
        if any(people.find_player(player.name) is None for player in players):
            return [Ending("never came" if player.died else "", 0, 0, player.stderr_tail(), "") for player in players]
        seed = hashlib.sha256(deal.encode()).digest()
        table = self.app.lobby.open_table("ikasamage", len(players), "", {}, clock, seed, deal)
        for seat, player in enumerate(players, 1):
            who = people.find_player(player.name)
            assert who is not None
            table.seat_player(who, seat)
            if who.listener is not None:
                who.listener.push((Seated(info=table.table_info(), seat=seat),))
        self.app.lobby.start_match(table)
        await table.done.wait()
        over = table.require_match().over
        assert over is not None
        return [
            Ending(
                result.how,
                result.place,
                result.score,
                player.stderr_tail(),
                player.limit,
            )
            for player, result in zip(players, over.results, strict=True)
        ]

    async def _come(self, player: EntrantProcess) -> None:
        while True:
            if player.died or self.app.lobby.people.find_player(player.name) is not None:
                return
            await trio.sleep(0.01)

    def dismiss(self, name: str) -> None:
        """Its process has ended: the house plays on at once."""
        player = self.app.lobby.people.find_player(name)
        if player is not None:
            for table in self.app.lobby.tables.tables_of_player(player):
                table.give_seat_to_bot(player, "crashed")


@asynccontextmanager
async def open_cup(tables: int) -> AsyncIterator[Cup]:
    """A server and a fork server; so many tables are played at once."""
    config = Config(port=0, grace=2.0, keep_seconds=4.0, sessions_an_address=1_000, names_an_address=1_000,
                    names_a_day=1_000_000, tables=1_000, house_seconds=0.0)  # fmt: skip
    async with open_fork_server() as forks, trio.open_nursery() as nursery:
        app = await nursery.start(partial(serve, config, all_games(), BotHouse()))
        yield Cup(app, forks, trio.CapacityLimiter(tables))
        nursery.cancel_scope.cancel()
