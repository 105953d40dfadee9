"""Decisions over TCP beside a bare trio echo: rates, latencies, CPU and bytes, and their ratios to the echo's.

An echo and a server for each face stay up together and take turns, the echo before each face: a machine that is busy
for a while spoils one round and not the figure. With them is a server that does the least (benchmarks/least.py): its
ratios are the best that plain Python could reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

from benchmarks.child import server
from benchmarks.echo import run_echo
from benchmarks.figure import Better, Figure
from benchmarks.load import Player, Tables
from benchmarks.run import Run
from benchmarks.typist import Typist

ROUNDS = 15
SECONDS = 0.3
ECHO_SECONDS = 0.15
WARM_UP = 0.7
PAUSE = 0.1
GAME = "ikasamage"
SHARES = {1: 0.35, 10: 0.3, 100: 0.25}
PATIENT_SHARES = {1: 0.45, 10: 0.45, 100: 0.4}
PATIENT = "msgpack with turns"  # hears what others do with its own turns


class Way(NamedTuple):
    """Who plays, and on which server."""

    face: str = "msgpack"
    patient: bool = False
    server: str = "hall"


WAYS = {
    "msgpack": Way(),
    PATIENT: Way(patient=True),
    "json": Way("json"),
    "text": Way("text"),
    "the least": Way(server="least"),
    "the least with turns": Way(server="least", patient=True),
}
BESIDE = {  # the way that it is held against, and the share of its decisions that is asked for
    "msgpack": ("the least", None),
    PATIENT: ("the least with turns", None),
    "json": ("msgpack", 0.7),
    "text": ("msgpack", 0.6),
}


def figures(game: str = GAME) -> Iterator[Figure]:
    """Matches at 1, 10 and 100 tables at once."""
    for tables, share in SHARES.items():
        rounds = _rounds(game, tables)
        for way, runs in rounds.items():
            name = f"{game}, {tables} tables, {way}"
            targets: dict[str, float | None] = {"rate": {"msgpack": share, PATIENT: PATIENT_SHARES[tables]}.get(way)}
            if way == PATIENT:
                targets["cpu"] = 2.5
            if way in ("msgpack", PATIENT, "json") and tables == 100:
                targets["late"] = 3.0
            yield from _of_way(name, runs, targets)
            if way in BESIDE:
                other, target = BESIDE[way]
                shares = [one.rate / beside.rate for (one, _), (beside, _) in zip(runs, rounds[other], strict=True)]
                yield Figure(f"{name}: share of {other}", "share", shares, target=target, wall=True)


def _rounds(game: str, tables: int) -> dict[str, list[tuple[Run, Run]]]:
    """For each way its runs, each with the echo's just before it."""
    with ExitStack() as stack:
        echo = stack.enter_context(server("echo"))
        loads: dict[str, Tables] = {}
        for name, way in WAYS.items():
            process = stack.enter_context(server(way.server))
            kind = Typist if way.face == "text" else Player
            loads[name] = Tables(process, tables, way.face, game, kind, patient=way.patient)
            stack.callback(loads[name].close)
            loads[name].run(PAUSE, WARM_UP)
        found: dict[str, list[tuple[Run, Run]]] = {name: [] for name in WAYS}
        for _ in range(ROUNDS):
            for name, load in loads.items():
                beside = run_echo(echo, tables, ECHO_SECONDS)
                found[name].append((load.run(SECONDS, PAUSE), beside))
        return found


def _of_way(name: str, runs: list[tuple[Run, Run]], targets: dict[str, float | None]) -> Iterator[Figure]:
    """The figures of one way; the targets are for ratios."""

    def figure(what: str, unit: str, both: list[tuple[float, float]], better: Better, target: str = "") -> Figure:
        values, beside = [value for value, _ in both], [other for _, other in both]
        return Figure(
            f"{name}: {what}", unit, values, better, "echo", beside, targets.get(target), True, target != "cpu"
        )

    rates = [(run.rate, echo.rate) for run, echo in runs]
    yield figure("decisions", "/s", rates, "more", "rate")
    for part, target in (0.5, ""), (0.99, "late"):
        late = [(run.quantile(part) * 1e3, echo.quantile(part) * 1e3) for run, echo in runs]
        yield figure(f"p{part * 100:.0f} of a decision", "ms", late, "less", target)
    cpu = [(run.cpu_each * 1e6, echo.cpu_each * 1e6) for run, echo in runs]
    yield figure("server CPU a decision", "us", cpu, "less", "cpu")
    received = [run.received / run.done for run, _ in runs]
    yield Figure(f"{name}: bytes a decision", "bytes", received, "less")
