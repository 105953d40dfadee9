"""Measures an attack: a fresh server, a victim alone, the same victim under attack, and what is left afterwards."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field

from tests.attacks.attacker import Attacker
from tests.attacks.hall import Hall, Usage
from tests.attacks.peer import Peer
from tests.attacks.pulse import Pulse
from tests.attacks.scene import SECONDS, Attack
from tests.attacks.victim import ADDRESS, Played, Victim

MOVES = 300
ALONE = 100  # moves of the victim alone, right before
QUIET = 5.0  # milliseconds: with a p99 above it when alone, the moment is too noisy to tell anything
TRIES = 3  # at a quiet moment
ABOUT = 5.0  # MiB above what it was before: memory is back
SETTLING = 10.0  # seconds at most for memory and descriptors to come back

NOTHING = Usage(0, 0)


@dataclass
class Row:
    """What one attack did."""

    attack: Attack
    seconds: float
    moves: int
    alone: Played = field(default_factory=Played)
    under: Played = field(default_factory=Played)
    machine: list[float] = field(default_factory=list)  # seconds that it was late meanwhile, without the server
    before: Usage = NOTHING
    during: Usage = NOTHING
    after: Usage = NOTHING
    back: float = 0.0  # seconds until memory and descriptors had come back, or it was waited for long enough
    newcomer: str = ""  # milliseconds from connecting to a table of one's own, or why not
    cpu: float = 0.0  # of the server, of one core
    done: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    broken: str = ""  # why it could not be measured to the end


def measure(attack: Attack, seconds: float = SECONDS, moves: int = MOVES) -> Row:
    """One attack on a server of its own."""
    row = Row(attack, seconds, moves)
    with closing(Hall()) as hall, closing(Victim(hall.port)) as victim:
        for _ in range(TRIES):
            victim.order(min(ALONE, moves), seconds)
            row.alone = victim.answer()
            if row.alone.quantile(0.99) <= QUIET:
                break
        row.before = row.during = row.after = hall.usage()
        try:
            _attack(row, hall, victim)
            _settle(row, hall)
        except (RuntimeError, OSError) as error:
            row.broken = str(error)
    return row


def _attack(row: Row, hall: Hall, victim: Victim) -> None:
    seconds = row.seconds
    attackers = [Attacker(row.attack, hall.port, part, seconds) for part in range(row.attack.processes)]
    try:
        for attacker in attackers:
            attacker.prepared()
        begun, cpu = time.monotonic(), hall.cpu()
        for attacker in attackers:
            attacker.go()
        pulse = Pulse(hall.folder)
        victim.order(row.moves, seconds, sleep=seconds >= SECONDS)
        for at in range(round(seconds * 10)):
            row.during = _most(row.during, hall.usage())
            if at == round(seconds * 9):
                row.newcomer = _newcomer(hall.port)
            time.sleep(max(0.0, begun + at / 10 - time.monotonic()))
        row.cpu = (hall.cpu() - cpu) / (time.monotonic() - begun)
        for attacker in attackers:
            done, held = attacker.got()
            row.done += done
            row.held += held
        row.under = victim.answer()
        row.machine = pulse.stop()
        if row.under.failed:
            row.under.failed += f" {hall.noted('victim')}"
    finally:
        for attacker in attackers:
            attacker.close()


def _newcomer(port: int) -> str:
    """Somebody comes and opens a table. Milliseconds, or what went wrong."""
    begun = time.monotonic()
    with suppress(OSError):
        peer = Peer(port, "newcomer", ADDRESS)
        answer = peer.welcome
        if answer["type"] == "welcome":
            answer = peer.ask("open", game="ikasamage")
        peer.close()
        return answer["code"] if answer["type"] == "error" else f"{1e3 * (time.monotonic() - begun):.0f} ms"
    return "cut off"


def _settle(row: Row, hall: Hall) -> None:
    """Waits until the server holds what it held before, or has had time enough."""
    begun = time.monotonic()
    while row.back < SETTLING:
        row.after, row.back = hall.usage(), time.monotonic() - begun
        if row.after.descriptors <= row.before.descriptors and row.after.memory <= row.before.memory + ABOUT:
            break
        time.sleep(0.1)


def _most(one: Usage, other: Usage) -> Usage:
    return Usage(max(one.memory, other.memory), max(one.descriptors, other.descriptors))
