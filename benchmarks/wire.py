"""Decisions over TCP beside a bare trio echo of the same run: rates, latencies, CPU and bytes, as ratios."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.load import Figures, Tables, run_echo, server
from benchmarks.table import Row

SECONDS = 3.0
GAME = "ikasamage"
SHARES = {1: 0.5, 10: 0.2, 100: 0.2}


def rows(game: str = GAME) -> Iterator[Row]:
    """Echo and matches at 1, 10 and 100 at once."""
    msgpack_rates: dict[int, float] = {}
    for tables, share in SHARES.items():
        with server("echo") as process:
            echo = run_echo(process, tables, SECONDS)
        yield Row(f"bare trio echo, {tables} connections", echo.rate, "trips/s")
        for face in ("msgpack", "json"):
            figures = _play(tables, face, game)
            name = f"{game}, {tables} tables, {face}"
            ratio = figures.rate / echo.rate
            yield Row(f"{name}: decisions", figures.rate, "/s")
            if face == "msgpack":
                msgpack_rates[tables] = figures.rate
                yield Row(f"{name}: share of the echo", ratio, "", f"{share}", ratio >= share)
            else:
                against = figures.rate / msgpack_rates[tables]
                yield Row(f"{name}: share of msgpack", against, "", "0.7", against >= 0.7)
            yield Row(f"{name}: p50 of a decision", figures.quantile(0.5) * 1e3, "ms")
            times = figures.quantile(0.99) / echo.quantile(0.99)
            wanted = tables == 100
            yield Row(f"{name}: p99 of a decision", figures.quantile(0.99) * 1e3, "ms")
            yield Row(
                f"{name}: p99 against the echo's", times, "times", "6" if wanted else "", times <= 6 if wanted else None
            )
            cpu = (figures.cpu / figures.done) / (echo.cpu / echo.done)
            wanted = tables == 10
            yield Row(
                f"{name}: CPU against the echo's", cpu, "times", "4" if wanted else "", cpu <= 4 if wanted else None
            )
            yield Row(f"{name}: bytes a decision, all four receivers", figures.received / figures.done, "bytes")


def _play(tables: int, face: str, game: str) -> Figures:
    with server("hall") as process:
        load = Tables(process, tables, face, game)
        try:
            return load.run(SECONDS)
        finally:
            load.close()
