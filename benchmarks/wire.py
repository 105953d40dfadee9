"""Decisions over TCP beside a bare trio echo of the same run: rates, latencies, CPU and bytes, as ratios.

Echo, msgpack and JSON take turns, and each ratio is the median of the turns: a machine that is busy for a while spoils
one turn and not the figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.load import Figures, Player, ServerProcess, Tables, run_echo, server
from benchmarks.table import Row
from benchmarks.typist import Typist

SECONDS = 1.5
TURNS = 5
GAME = "ikasamage"
SHARES = {1: 0.5, 10: 0.2, 100: 0.2}


def rows(game: str = GAME) -> Iterator[Row]:
    """Echo and matches at 1, 10 and 100 at once."""
    for tables in SHARES:
        echoes: list[Figures] = []
        faces: dict[str, list[Figures]] = {"msgpack": [], "json": [], "text": []}
        for _ in range(TURNS):
            with server("echo") as process:
                echoes.append(run_echo(process, tables, SECONDS))
            for face, figures in faces.items():
                with server("hall") as process:
                    figures.append(_play(process, tables, face, game))
        yield Row(f"bare trio echo, {tables} connections", median(echo.rate for echo in echoes), "trips/s")
        for face, figures in faces.items():
            yield from _face_rows(f"{game}, {tables} tables, {face}", tables, face, figures, echoes, faces["msgpack"])


def _face_rows(
    name: str, tables: int, face: str, figures: list[Figures], echoes: list[Figures], msgpack: list[Figures]
) -> Iterator[Row]:
    yield Row(f"{name}: decisions", median(one.rate for one in figures), "/s")
    share = median(one.rate / echo.rate for one, echo in zip(figures, echoes, strict=True))
    if face == "msgpack":
        yield Row(f"{name}: share of the echo", share, "", f"{SHARES[tables]}", share >= SHARES[tables])
    else:
        against = median(one.rate / other.rate for one, other in zip(figures, msgpack, strict=True))
        yield Row(f"{name}: share of the echo", share, "")
        wanted = face == "json"
        yield Row(f"{name}: share of msgpack", against, "", "0.7" if wanted else "", against >= 0.7 if wanted else None)
    yield Row(f"{name}: p50 of a decision", median(one.quantile(0.5) for one in figures) * 1e3, "ms")
    yield Row(f"{name}: p99 of a decision", median(one.quantile(0.99) for one in figures) * 1e3, "ms")
    late = median(one.quantile(0.99) / echo.quantile(0.99) for one, echo in zip(figures, echoes, strict=True))
    target = ("6", late <= 6) if tables == 100 and face != "text" else ("", None)
    yield Row(f"{name}: p99 against the echo's", late, "times", *target)
    cpu = median(one.cpu_each / echo.cpu_each for one, echo in zip(figures, echoes, strict=True))
    target = ("4", cpu <= 4) if tables == 10 and face != "text" else ("", None)
    yield Row(f"{name}: server CPU a decision", median(one.cpu_each for one in figures) * 1e6, "us")
    yield Row(f"{name}: server CPU against the echo's", cpu, "times", *target)
    received = median(one.received / one.done for one in figures)
    yield Row(f"{name}: bytes a decision, all four receivers", received, "bytes")


def _play(process: ServerProcess, tables: int, face: str, game: str) -> Figures:
    load = Tables(process, tables, face, game, Typist if face == "text" else Player)
    try:
        return load.run(SECONDS)
    finally:
        load.close()
