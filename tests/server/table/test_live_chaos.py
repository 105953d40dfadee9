"""Random players who do anything at any time: nothing fails, requests have one answer, the log folds to the truth."""

import gc
import logging
import random
from collections import Counter
from typing import Any

import pytest
import trio
import trio.testing

from games.api import to_map
from matches.fold import SPECTATORS, fold
from protocol.errors import CODES
from server.table.table import Table
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.told import told_again

IDLE_TASKS = 6  # of a server and a test that do nothing
NAMES = ("ann", "bob", "cid", "dan", "eve")
WORDS = (
    *("help", "who", "tables", "games", "open toy 2", "open toy 3", "join", "join t1", "watch t1", "watch"),
    *("add first", "start", "look", "legal", "1", "2", "play 3", "play 4 5 6", "why play 2", "log", "log 3", "clock"),
    *("say hi", "tell ann psst", "resign", "leave", "brief on", "brief off", "xyzzy", "l", "lo", "rules toy", "cards"),
)


class Somebody:
    """One name, which comes and goes; every request of it is answered once."""

    def __init__(self, hall: Hall, name: str, rng: random.Random) -> None:
        self._hall, self._name, self._rng = hall, name, rng
        self._peer: Peer | None = None
        self._token = ""

    async def step(self) -> str:
        """Does one thing; returns the code or type of the answer."""
        if self._peer is None:
            if self._token:
                self._peer = await self._hall.again(self._name, self._token, session=self._rng.choice(("", "s")))
            else:
                self._peer = await self._hall.player(self._name, bot=self._rng.random() < 0.3)
                self._token = self._peer.token
            return "welcome"
        if self._rng.random() < 0.06:
            await self.leave()
            return "cut"
        self._peer.last_id = max(self._peer.last_id, self._last_id())
        answer = await self._peer.ask(**self._request())
        assert answer["type"] != "bye" or answer["reason"] in ("quit", "replaced"), answer
        if answer["type"] == "bye":
            self._peer = None
            return "bye"
        assert answer["re"] == self._peer.last_id
        for told in await self._peer.heard():
            assert "re" not in told or told["type"] == "bye"
        return str(answer.get("code", answer["type"]))

    async def leave(self) -> None:
        """Is gone, if here."""
        if self._peer is not None:
            await self._peer.cut()
            self._peer = None

    def _last_id(self) -> int:
        player = self._hall.lobby.people.find_player(self._name)
        return player._last if player else 0

    def _useful(self) -> dict[str, Any]:
        """What brings a match on: act where asked, else fill and start the own table, else open one."""
        player = self._hall.lobby.people.find_player(self._name)
        assert player is not None
        for table in self._hall.lobby.tables.tables_of_player(player):
            if table.deciding_seat(player):
                seat_state = table.seating.seat_state_of(player)
                assert seat_state is not None
                turn = table.require_match().turns[seat_state.number]
                card = self._legal_card(table.id)
                return {"kind": "act", "table": table.id, "turn": turn, "action": {"do": "play", "card": card}}
            if table.match is None and table.owner == self._name:
                full = all(seat_state.name for seat_state in table.seating.seat_states)
                return (
                    {"kind": "start", "table": table.id} if full else {"kind": "add", "table": table.id, "bot": "first"}
                )
            if table.match is not None and table.match.over is None:
                return {"kind": "resume", "table": table.id}
        tables = [table for table in self._hall.lobby.tables.values() if table.match is None and table.owner]
        return {"kind": "join", "table": tables[0].id} if tables else {"kind": "open", "game": "toy", "seats": 3}

    def _request(self) -> dict[str, Any]:
        rng = self._rng
        if rng.random() < 0.5:
            return self._useful()
        table = rng.choice([*list(self._hall.lobby.tables)[-3:], "t0"])
        kind = rng.choice(
            ("open", "join", "join", "add", "add", "start", "start", "watch", "leave", "look", "legal", "why", "clock")
            + ("log", "resume", "resign", "say", "tell", "who", "tables", "bots", "ping", "quit")
            + ("act",) * 20
        )
        fields: dict[str, Any] = {"kind": kind}
        match kind:
            case "open":
                fields |= {
                    "game": "toy",
                    "seats": rng.choice((0, 2, 2, 3, 9)),
                    "options": {"rounds": 3},
                }
                fields |= {"clock": {"main": rng.choice((0, 20)), "increment": 5}}
            case "say":
                fields |= {"text": "hello", "table": rng.choice(("", table))}
            case "tell":
                fields |= {"to": rng.choice(NAMES), "text": "psst"}
            case "who" | "tables" | "bots" | "ping" | "quit":
                pass
            case _:
                fields["table"] = table
        if kind in ("act", "why"):
            card = rng.randint(0, 13) if rng.random() < 0.4 else self._legal_card(table)
            fields["action"] = {"do": "play", "card": card if card != 13 else 99}
        if kind == "act":
            fields["turn"] = rng.choice((1, 1, 2, 3))
        if kind == "add":
            fields["bot"] = rng.choice(("first", "first", *NAMES))
        if kind in ("log", "resume"):
            fields["after"] = rng.choice((0, 0, 3, 50))
        return fields

    def _legal_card(self, table_id: str) -> int:
        table, player = self._hall.lobby.tables.get(table_id), self._hall.lobby.people.find_player(self._name)
        seat_state = table.seating.seat_state_of(player) if table is not None and player is not None else None
        if table is None or seat_state is None or table.match is None:
            return 1
        legal = table.match.state.legal_actions(seat_state.number)
        return int(to_map(self._rng.choice(legal))["card"]) if legal else 1


def check(table: Table) -> None:
    """The log is the match: folded again it gives the same state, clocks and numbers, and every story is dense."""
    match = table.match
    if match is None:
        return
    again = fold(table.game, match.header, table.entries, {})
    assert again.state == match.state
    assert (again.asked, again.turns, again.counts, again.how, again.late) == (
        *(match.asked, match.turns, match.counts, match.how, match.late),
    )
    assert again.clocks.seat_clocks(0) == match.clocks.seat_clocks(0)
    for hearer in (SPECTATORS, *range(1, match.seats + 1)):
        story = told_again(table.game, match.header, table.entries, hearer)
        assert [to_map(message)["n"] for message in story] == list(range(1, match.counts[hearer] + 1))


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, 200))])
async def test_whatever_players_do_nothing_fails_and_the_log_folds_to_the_truth(
    hall: Hall, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(seed)
    people = [Somebody(hall, name, rng) for name in NAMES]
    typist = await hall.typist()
    await typist.types("hello zoe")
    seen: set[str] = set()
    for number in range(800):
        if rng.random() < 0.15 and not typist.ended:
            await typist.types(rng.choice(WORDS))
        else:
            seen.add(await rng.choice(people).step())
        if rng.random() < 0.05:
            await trio.sleep(rng.choice((1, 4, 30, 130)))
        if number % 10 == 0:
            for table in list(hall.lobby.tables.values()):
                check(table)
    assert not typist.ended
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "internal" not in seen
    assert {"accepted", "welcome", "cut"} <= seen
    assert len(seen & set(CODES)) >= 8
    await trio.sleep(5_000)
    for table in hall.lobby.tables.values():
        check(table)
        assert table.state != "playing"
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize(("days", "steps"), [(4, 100), pytest.param(60, 1_500, marks=pytest.mark.soak)])
async def test_b17_days_of_faults_leave_nothing_behind(
    hall: Hall, days: int, steps: int, caplog: pytest.LogCaptureFixture
) -> None:
    gc.freeze()  # what others have made need not be looked through
    rng = random.Random(7)
    people = [Somebody(hall, name, rng) for name in NAMES]
    kinds: list[Counter[type]] = []
    for _day in range(days):
        for _step in range(steps):
            await rng.choice(people).step()
            if rng.random() < 0.05:
                await trio.sleep(rng.choice((1, 4, 30, 130)))
        for somebody in people:
            await somebody.leave()
        for _hour in range(48):
            await trio.sleep(3_600)
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
        caplog.clear()
        gc.collect()
        assert (len(hall.app.sessions), trio.lowlevel.current_statistics().tasks_living) == (0, IDLE_TASKS)
        kinds.append(Counter(map(type, gc.get_objects())))
    print(f"\n{days} days: {kinds[1].total():,} objects after the second, {kinds[-1].total():,} after the last")
    grown = (kinds[-1] - kinds[1]).most_common(3)
    assert kinds[-1].total() - kinds[1].total() < 20 * days, grown
