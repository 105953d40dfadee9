"""Programs that enter a cup in a simulation, as `magehall bot run --cup` does; the first of them owns it."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Mapping, Sequence

import trio

from bots.sdk.link import Identity, Link, Refused, open_link
from bots.sdk.registry import get_bot
from bots.sdk.runner import Runner
from games.api import Game
from matches.record import iter_replay_lines
from protocol import messages as m
from server.cups.cup_rows import cup_subject, read_cup
from server.table.archive import finished_record
from tests.simulation.checks import Broken
from tournaments.audit import audit_bundle
from tournaments.bundle import Bundle, write_bundle

CUP = "friday"
LOOK_SECONDS = 1.0
NOT_YET = ("no_such_cup", "cup_state")


class Entrant:
    """`run` returns when the cup is over."""

    def __init__(
        self,
        name: str,
        names: Sequence[str],
        game: Game,
        games: Mapping[str, Game],
        dial: Callable[[str], Awaitable[trio.abc.Stream]],
    ) -> None:
        self._name, self._names, self._game, self._games, self._dial = name, names, game, games, dial

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Starts once it has its name."""
        runner = Runner(get_bot("random"), self._games, self._names.index(self._name), report=lambda _text: None)
        identity = Identity(self._name, "sim", bot=True)
        async with open_link(lambda: self._dial(self._name), identity, hearer=runner, give_up=1e9) as link:
            task_status.started()
            if self._name == self._names[0]:
                opening = m.CupOpen(
                    id=1, cup=CUP, game=self._game.id, seats=self._game.min_seats, rounds=2, format="swiss"
                )
                await self._until_taken(link, opening)
            await self._until_taken(link, m.CupEnter(id=1, cup=CUP, tables=2, nonce=f"of-{self._name}"))
            if self._name == self._names[0]:
                while len((await link.ask(m.CupRequest(id=1, cup=CUP), m.CupReply)).info.entrants) < len(self._names):  # noqa: ASYNC110
                    await trio.sleep(LOOK_SECONDS)
                await self._until_taken(link, m.CupStart(id=1, cup=CUP))
            await runner.wait_until_over(CUP)

    async def _until_taken(self, link: Link, request: m.Request) -> None:
        while True:
            try:
                await link.ask(request, m.CupReply)
            except Refused as error:
                if error.error.code == "cup_taken":
                    return
                if error.error.code not in NOT_YET:
                    raise
                await trio.sleep(LOOK_SECONDS)
            else:
                return


def check_cup(rows: Mapping[str, Mapping[int, bytes]], games: Mapping[str, Game]) -> int:
    """The cup holds, by its log and the logs of its matches. Returns how many were played. Raises Broken."""
    cup = read_cup(rows[cup_subject(CUP)])
    game = games[cup.settings.game]
    records = {table: finished_record(rows[table], games) for table in cup.tables.values()}
    replays = ((table, b"".join(iter_replay_lines(game, one.header, one.entries))) for table, one in records.items())
    file = io.BytesIO()
    write_bundle(file, cup, game, "simulated", replays)
    wrong = audit_bundle(Bundle(file), games)
    if wrong:
        raise Broken(f"the cup does not hold: {wrong[0]}")
    return len(cup.results)
