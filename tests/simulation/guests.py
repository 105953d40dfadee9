"""Who plays in a simulation: scripted players and spectators over the SDK's link, which nobody helps."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import trio

from bots.sdk.link import Face, Heard, Identity, Refused, TableLeft, open_link
from matches.seat import start_request_if_full
from protocol import messages as m
from protocol.messages.parts import ALL_WITH_TURN, LIVE, TURNS, WITH_TURN, Hears

R = TypeVar("R", bound=m.Reply)
TAKES_BACK, AGREES = 0.15, 0.8  # shares of decisions, and of answers to that
RANDOM = 0.2  # of all decisions; a match of Magecraft without aim takes a thousand
LOOK_SECONDS = 1.0  # who has no table looks around so often
TOO_LATE = ("stale_turn", "not_your_turn", "game_over")
NO_TABLE = ("no_such_table", "already_started", "table_full")


@dataclass
class Group:
    """Some who play matches together, one after the other; the first of them opens the tables."""

    game: str
    names: list[str]
    house: list[str]  # the bots on the other seats
    matches: int
    clock: m.ClockRule
    tables: list[str] = field(default_factory=list)  # by match: the table where the others are to sit down


@dataclass
class Played:
    """What one guest knows of one match."""

    table: str
    seat: int  # 0 for a spectator
    hears: Hears
    heard: list[m.Message] = field(default_factory=list)  # all that was numbered
    acts: list[tuple[int, object]] = field(default_factory=list)  # acknowledged: turn and action
    said: list[tuple[int, str]] = field(default_factory=list)  # acknowledged, too, in that turn


class Guest:
    """One of a group. `run` returns when all its matches are over."""

    def __init__(
        self, name: str, group: Group, rng: random.Random, dial: Callable[[str], Awaitable[trio.abc.Stream]]
    ) -> None:
        self.name, self.group = name, group
        self.played: list[Played] = []
        self.losses = 0  # of its connection
        self._rng, self._dial = rng, dial
        self._is_bot, self._face = rng.random() < 0.6, rng.choice(("json", "msgpack"))
        self._slow = rng.choice((0.0, 0.3, 4.0))  # seconds for a decision, at most
        self._lines = 0
        self._hears: Hears = rng.choice((LIVE, WITH_TURN, ALL_WITH_TURN, TURNS))

    async def run(self, *, task_status: trio.TaskStatus[None]) -> None:
        """Starts once it has its name: the token is told once."""
        face: Face = "json" if self._face == "json" else "msgpack"
        identity = Identity(self.name, "sim", bot=self._is_bot, hears=self._hears)
        async with open_link(lambda: self._dial(self.name), identity, face=face, give_up=1e9) as self._link:
            task_status.started()
            for number in range(self.group.matches):
                await self._one_match(number)

    async def _one_match(self, number: int) -> None:
        """From looking for a table to the end of the match there."""
        sits_at = ""
        while True:
            if not sits_at:
                sits_at = await self._find_table(number)
            message = await self._next()
            match message:
                case m.TableChanged(info=info) if info.table == sits_at:
                    await self._care_for(info)
                case TableLeft(table=table) if table == sits_at:
                    sits_at = ""
                case m.MatchStarted(table=table) if table == sits_at:
                    return await self._play(message)

    async def _find_table(self, number: int) -> str:
        """Takes a seat at the group's table, or opens one. Returns "" where neither is possible now."""
        tables = self.group.tables
        try:
            if number < len(tables):
                taken = await self._ask(m.Join(id=1, table=tables[number]), m.TableReply)
            elif self.name == self.group.names[0]:
                opening = m.Open(id=1, game=self.group.game, seats=self._seats, clock=self.group.clock, options={})
                taken = await self._ask(opening, m.TableReply)
                tables.append(taken.info.table)
            else:
                return ""
        except Refused as error:
            if error.error.code == "already_seated":
                return tables[number]
            if error.error.code not in NO_TABLE:
                raise
            if error.error.code == "no_such_table" and self.name == self.group.names[0]:
                del tables[number:]
            return ""
        await self._care_for(taken.info)
        return taken.info.table

    @property
    def _seats(self) -> int:
        return len(self.group.names) + len(self.group.house)

    async def _care_for(self, info: m.TableInfo) -> None:
        """What the owner of an open table does: adds the bots, and starts once all are there."""
        listed = (await self._ask(m.Tables(id=1), m.TableList)).tables  # what was told may be old by now
        info = next((one for one in listed if one.table == info.table), info)
        if info.owner != self.name or info.state != "open":
            return
        try:
            there = sum(seat.kind == "house" for seat in info.seats)
            for bot in self.group.house[there:]:
                info = (await self._ask(m.Add(id=1, table=info.table, bot=bot), m.TableReply)).info
            start = start_request_if_full(info, self.name)
            if start is not None:
                await self._ask(start, m.TableReply)
        except Refused as error:
            if error.error.code not in (*NO_TABLE, "not_enough_players", "not_owner"):
                raise

    async def _play(self, started: m.MatchStarted) -> None:
        played = Played(started.table, started.you, self._hears, [started])
        self.played.append(played)
        async for message in self._link:
            if isinstance(message, TableLeft) and message.table == played.table:
                raise AssertionError(f"{self.name}: the match at {played.table} is gone")
            self._note(played, message)
            match message:
                case m.TurnUpdate(table=table) if table == played.table:
                    await self._decide(played, message)
                case m.Undone(table=table) if table == played.table:
                    await self._agree(message, started.you)
                case m.Over(table=table) if table == played.table:
                    return

    async def _decide(self, played: Played, turn: m.TurnUpdate) -> None:
        if self._rng.random() < 0.1:
            self._lines += 1
            text = f"line {self._lines} of {self.name}"
            try:
                await self._ask(m.Say(id=1, table=turn.table, text=text), m.Said)
            except Refused as error:
                if error.error.code not in ("game_over", "not_seated", "talk_too_fast"):
                    raise
            else:
                played.said.append((turn.turn, text))
        await trio.sleep(self._rng.uniform(0, self._slow))
        action = self._rng.choice(turn.legal) if self._rng.random() < RANDOM else turn.legal[0]
        try:
            await self._ask(m.Act(id=1, table=turn.table, turn=turn.turn, action=action), m.Accepted)
        except Refused as error:
            if error.error.code not in TOO_LATE:
                raise
        else:
            played.acts.append((turn.turn, action))
            if not self._is_bot and self._rng.random() < TAKES_BACK:
                await self._undo(played.table, on=True)

    async def _agree(self, told: m.Undone, seat: int) -> None:
        """Answers a wish to take a decision back."""
        if told.wanting and not told.done and seat not in told.wanting and not self._is_bot:
            await self._undo(told.table, on=self._rng.random() < AGREES)

    async def _undo(self, table: str, *, on: bool) -> None:
        try:
            await self._ask(m.Undo(id=1, table=table, on=on), m.DoneReply)
        except Refused as error:
            if error.error.code not in ("no_undo", "game_over", "not_seated", "slow_down"):
                raise

    def _note(self, played: Played, message: Heard) -> None:
        if (
            isinstance(message, m.Message)
            and getattr(message, "n", None)
            and getattr(message, "table", "") == played.table
        ):
            played.heard.append(message)

    async def _ask(self, request: m.Request, answer: type[R]) -> R:
        """As Link.ask; where the server could not write to its disk a person asks again, as a program's link does."""
        while True:
            try:
                return await self._link.ask(request, answer)
            except Refused as error:
                if error.error.code != "storage" or self._is_bot:
                    raise
            await trio.sleep(1.0)

    async def _next(self) -> Heard | None:
        """What comes next; None where nothing comes for a while."""
        with trio.move_on_after(LOOK_SECONDS):
            return await anext(self._link)
        return None


class Watcher(Guest):
    """A spectator of the group's first match."""

    async def _one_match(self, number: int) -> None:
        if number:
            return
        while True:
            while not self.group.tables:
                await self._next()
            table = self.group.tables[0]
            try:
                watching = await self._ask(m.Watch(id=1, table=table), m.Watching)
            except Refused as error:
                if error.error.code != "no_such_table":
                    raise
                await self._next()
                continue
            if watching.info.state == "over":
                return
            played = Played(table, 0, self._hears)
            if await self._watch(played):
                self.played.append(played)
                return

    async def _watch(self, played: Played) -> bool:
        """True at the end of the match; False where the table is gone before it began."""
        while True:
            message = await self._next()
            if message is None:
                if self.group.tables[:1] != [played.table]:
                    return False
                continue
            self._note(played, message)
            if isinstance(message, TableLeft) and message.table == played.table:
                return False
            if isinstance(message, m.Over) and message.table == played.table:
                return True
