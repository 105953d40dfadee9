"""The victim: four people who play a match move by move at an even pace, and one who sleeps through a decision.

It runs in a process of its own, `python -m tests.attacks.victim PORT`, and comes from an address of its own, so that
what attackers are refused is not refused here. It answers each order on standard input with what it measured, in JSON.
"""

from __future__ import annotations

import gc
import json
import os
import select
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.attacks.peer import Heard, Peer, Refused

ADDRESS = "127.0.0.2"
PACE = 0.02  # seconds from move to move, so that 300 moves take six however quick the server is
GAME = "magecraft"  # a match of four lasts some thousand moves
DECISION = 5.0  # seconds that the sleeper has


@dataclass
class Played:
    """What one order gave: seconds from each `act` to its `accepted`, seconds in all, and how long the sleeper had."""

    latencies: list[float] = field(default_factory=list)
    moves: int = 0
    seconds: float = 0.0
    decision: float = 0.0
    failed: str = ""  # why the victim could not play on

    def quantile(self, part: float) -> float:
        """Milliseconds that this part of all moves stays below."""
        return quantile(self.latencies, part)


def quantile(seconds: list[float], part: float) -> float:
    """Milliseconds that this part of them stays below; infinite where there are none."""
    ordered = sorted(seconds) or [float("inf")]
    return 1e3 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]


class Table:
    """The victim's tables, seen from its own process: a match that is played, one that is over, one to sleep at."""

    def __init__(self, port: int) -> None:
        self._players = [Peer(port, f"victim-{number}", ADDRESS) for number in range(1, 5)]
        self._sleeper = Peer(port, "sleeper", ADDRESS)
        clock = {"main": 0, "increment": DECISION}
        self._beside = self._sleeper.must("open", game=GAME, seats=2, clock=clock)["info"]["table"]
        self._sleeper.must("add", table=self._beside, bot="random")
        finished = self._players[0].must("open", game="ikasamage", seats=3)["info"]["table"]
        for _ in range(2):
            self._players[0].must("add", table=finished, bot="random")
        self._players[0].must("start", table=finished)
        self._players[0].must("resign", table=finished)
        self._players[0].wait_for("over")
        self._turns: deque[tuple[Peer, Heard]] = deque()  # what is to be decided
        self._sent: dict[Peer, float] = {}
        self._over = False
        self._chance = 7
        self._asleep = 0.0  # since when
        self._played = Played()
        self._poll = select.epoll()
        self._by_number = {peer.sock.fileno(): peer for peer in (*self._players, self._sleeper)}
        for number in self._by_number:
            self._poll.register(number, select.EPOLLIN)
        self._deal()

    def play(self, moves: int, most: float, *, sleep: bool) -> Played:
        """So many moves, or as many as the time allows; a move that is not answered by then counts with its wait."""
        self._played = played = Played()
        begun = time.monotonic()
        if sleep:
            self._sleeper.send("start", table=self._beside)
        try:
            self._play(moves, begun, begun + most, sleep=sleep)
        except (OSError, Refused) as error:
            played.failed = str(error)
        now = time.monotonic()
        played.seconds = played.seconds or now - begun
        played.latencies += [now - sent for sent in self._sent.values()]
        if sleep and not played.decision:
            played.decision = now - (self._asleep or begun)
        return played

    def _play(self, moves: int, begun: float, end: float, *, sleep: bool) -> None:
        played, now, next_at = self._played, begun, begun
        while (played.moves < moves or self._sent or (sleep and not played.decision)) and now < end:
            wait = next_at - now if self._turns and played.moves < moves else 0.1
            for number, _ in self._poll.poll(max(0.0, wait)):
                self._hear(self._by_number[number])
            if self._over and not self._sent:
                self._deal()
            now = time.monotonic()
            if self._turns and now >= next_at and played.moves < moves:
                next_at = max(next_at + PACE, now)
                self._move()
            if not played.seconds and played.moves == moves and not self._sent:
                played.seconds = now - begun

    def _deal(self) -> None:
        """Begins a match."""
        self._turns.clear()
        owner, *others = self._players
        table = owner.must("open", game=GAME, seats=len(self._players))["info"]["table"]
        for other in others:
            other.must("join", table=table)
        owner.must("start", table=table)
        for player in self._players:
            self._take(player, player.kept())
        self._over = False

    def _move(self) -> None:
        peer, turn = self._turns.popleft()
        self._chance = (self._chance * 1103515245 + 12345) % 2**31
        action = turn["legal"][(self._chance >> 8) % len(turn["legal"])]
        self._sent[peer] = time.monotonic()
        self._played.moves += 1
        peer.send("act", table=turn["table"], turn=turn["turn"], action=action)

    def _hear(self, peer: Peer) -> None:
        now = time.monotonic()
        self._take(peer, peer.receive(), now)

    def _take(self, peer: Peer, told: list[Heard], now: float = 0.0) -> None:
        for heard in told:
            if heard["type"] == "turn":
                if peer is not self._sleeper:
                    self._turns.append((peer, heard))
                elif not self._asleep:
                    self._asleep = now
            elif heard["type"] == "accepted":
                self._played.latencies.append(now - self._sent.pop(peer))
            elif heard["type"] == "late" and peer is self._sleeper and not self._played.decision:
                self._played.decision = now - self._asleep
            elif heard["type"] == "over" and peer is not self._sleeper:
                self._over = True
            elif heard["type"] in ("error", "bye"):
                raise Refused(f"{peer.name} heard {heard}")


class Victim:
    """The victim's process, seen from the campaign."""

    def __init__(self, port: int) -> None:
        command = [sys.executable, "-m", "tests.attacks.victim", str(port)]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer()

    def order(self, moves: int, most: float, *, sleep: bool = False) -> None:
        """Has it play; `answer` waits for what it measured."""
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps({"moves": moves, "most": most, "sleep": sleep}) + "\n")
        self._child.stdin.flush()

    def answer(self) -> Played:
        """What was measured."""
        assert self._child.stdout is not None
        told = self._child.stdout.readline()
        return Played(**json.loads(told)) if told else Played(failed="the victim's process ended")

    def close(self) -> None:
        """Ends it."""
        self._child.kill()
        self._child.communicate()


def main() -> None:
    """Plays as it is ordered until standard input ends."""
    table = Table(int(sys.argv[1]))
    gc.freeze()
    gc.disable()
    _say(Played())
    for order in sys.stdin:
        wanted: dict[str, Any] = json.loads(order)
        _say(table.play(wanted["moves"], wanted["most"], sleep=wanted["sleep"]))


def _say(played: Played) -> None:
    os.write(1, json.dumps(vars(played)).encode() + b"\n")


if __name__ == "__main__":
    main()
