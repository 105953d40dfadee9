"""Decisions over TCP beside a bare trio echo: rates, latencies, CPU and bytes, and their ratios to the echo's.

An echo and a server for each face stay up together and take turns, the echo before each face: a machine that is busy
for a while spoils one round and not the figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

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
PATIENT = "msgpack with turns"  # hears what others do with its own turns
PATIENT_SHARES = {1: 0.45, 10: 0.45, 100: 0.4}
FACES = ("msgpack", PATIENT, "json", "text")


def figures(game: str = GAME) -> Iterator[Figure]:
    """Matches at 1, 10 and 100 tables at once."""
    for tables, share in SHARES.items():
        rounds = _rounds(game, tables)
        for face, runs in rounds.items():
            name = f"{game}, {tables} tables, {face}"
            targets: dict[str, float | None] = {"rate": {"msgpack": share, PATIENT: PATIENT_SHARES[tables]}.get(face)}
            if face == PATIENT:
                targets["cpu"] = 2.5
            if face != "text":
                targets |= {"late": 3.0} if tables == 100 else {}
            yield from _of_face(name, runs, targets)
            if face in ("json", "text"):
                shares = [one.rate / other.rate for (one, _), (other, _) in zip(runs, rounds["msgpack"], strict=True)]
                target = 0.7 if face == "json" else 0.6
                yield Figure(f"{name}: share of msgpack", "share", shares, target=target, wall=True)


def _rounds(game: str, tables: int) -> dict[str, list[tuple[Run, Run]]]:
    """For each face its runs, each with the echo's just before it."""
    with ExitStack() as stack:
        echo = stack.enter_context(server("echo"))
        loads: dict[str, Tables] = {}
        for face in FACES:
            process = stack.enter_context(server("hall"))
            kind = Typist if face == "text" else Player
            loads[face] = Tables(process, tables, face.split()[0], game, kind, patient=face == PATIENT)
            stack.callback(loads[face].close)
            loads[face].run(PAUSE, WARM_UP)
        found: dict[str, list[tuple[Run, Run]]] = {face: [] for face in FACES}
        for _ in range(ROUNDS):
            for face, load in loads.items():
                beside = run_echo(echo, tables, ECHO_SECONDS)
                found[face].append((load.run(SECONDS, PAUSE), beside))
        return found


def _of_face(name: str, runs: list[tuple[Run, Run]], targets: dict[str, float | None]) -> Iterator[Figure]:
    """The figures of one face; the targets are for ratios."""

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
