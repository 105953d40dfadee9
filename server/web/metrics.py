"""The server's figures in the text format of Prometheus: counts and times, without any name or address."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping

from server.address import is_local_address
from server.desk.health import ServerStatus

_PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip", "via")  # headers that a web proxy adds


def is_monitor(peer: str, headers: Mapping[str, str]) -> bool:
    """Returns whether a request comes from a program on this machine, and not from a browser elsewhere through a web
    proxy on this machine.

    Args:
        peer: The IP address from which the request came.
        headers: The headers of the request, with names in lower case.
    """
    host = headers.get("host", "")
    name, colon, port = host.rpartition(":")
    name = (name if colon and port.isdigit() else host).strip("[]").casefold()
    is_own_name = name == "localhost" or _is_loopback(name)
    return is_local_address(peer) and is_own_name and not any(header in headers for header in _PROXIES)


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def metrics_text(status: ServerStatus) -> str:
    """Returns the figures as lines of text. A figure that is not known is left out."""
    return "".join(_lines(status))


def _lines(status: ServerStatus) -> Iterator[str]:
    people, tables, decisions, process = status.people, status.tables, status.decisions, status.process
    yield from _gauge("up_seconds", "Time since the start of the server.", {"": status.uptime})
    yield from _gauge("accepting", "Whether newcomers are admitted.", {"": int(status.state == "open")})
    kinds = {'kind="person"': people.persons, 'kind="bot"': people.bots}
    yield from _gauge("online", "Players who are connected.", kinds)
    yield from _gauge("names", "Names that are known.", {"": people.known})
    yield from _gauge("connections", "Connections, including those without a name.", {"": people.connections})
    states = {'state="open"': tables.open, 'state="playing"': tables.playing, 'state="over"': tables.over}
    yield from _gauge("tables", "Tables by state.", states)
    yield from _gauge("decisions_per_second", "Decisions, over the last minute.", {"": decisions.a_second})
    times = {'quantile="0.5"': decisions.p50, 'quantile="0.99"': decisions.p99}
    yield from _gauge("decision_seconds", "Response times of the last five minutes.", times)
    if status.store is not None:
        yield from _gauge("store_bytes", "Size of the stored data.", {"": status.store.bytes})
        yield from _gauge("store_batches_waiting", "Batches that are not on disk yet.", {"": status.store.waiting})
        yield from _gauge("store_failing", "Whether the data cannot be written.", {"": int(status.store.failing)})
    yield from _gauge("resident_memory_bytes", "Memory of the server's process.", {"": process.memory})
    yield from _gauge("open_descriptors", "Open file descriptors.", {"": process.descriptors})
    yield from _gauge("lockouts", "Names for which proofs are not checked for now.", {"": status.lockouts.count})


def _gauge(name: str, text: str, values: Mapping[str, float | None]) -> Iterator[str]:
    known = {labels: value for labels, value in values.items() if value is not None}
    if known:
        yield f"# HELP magehall_{name} {text}\n# TYPE magehall_{name} gauge\n"
    for labels, value in known.items():
        yield f"magehall_{name}{{{labels}}} {value}\n" if labels else f"magehall_{name} {value}\n"
