"""The state of the server for its operator: load, tables, response times, storage and memory.

`Health.current_status` is for the operator only. The server sends it over the operator's socket, never in answer to a
player.
"""

from __future__ import annotations

import calendar
import os
import shutil
import time
from collections.abc import Callable, Mapping
from math import ceil
from pathlib import Path
from typing import Protocol

import msgspec
import trio

from server.answer_times import AnswerTimes
from server.build import build_version
from server.failed_logins import Lockout
from server.language import _
from server.name_registry import NameRegistry as Names
from server.store.journal import Journal
from server.store.reading import FILE, wal_path
from server.table.table import Table

HALF, NEARLY_ALL = 0.5, 0.99
LOCKOUTS_LISTED = 20
_FORM = "%Y-%m-%dT%H:%M:%SZ"
_OWN = Path("/proc/self")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


class PeopleHealth(msgspec.Struct):
    """Numbers of names: online, by kind, and known."""

    persons: int
    bots: int
    known: int
    connections: int  # number of connections, including those without a name


class TablesHealth(msgspec.Struct):
    """Numbers of tables, by state."""

    open: int
    playing: int
    over: int


class DecisionsHealth(msgspec.Struct):
    """The decisions of people and programs: their number, and the seconds from the arrival of the request until the
    answer was on disk and sent. Times are None without decisions."""

    a_second: float  # decisions per second, over the last minute
    p50: float | None  # median response time of the last five minutes
    p99: float | None


class StoreHealth(msgspec.Struct):
    """The state of the store. Its figures are None if the server stores nothing."""

    folder: str
    bytes: int  # size of the database file and of its write-ahead log
    waiting: int  # number of journal batches that are not on disk yet
    failing: bool
    last_commit: str  # time of the last commit, in UTC; "" if there was none yet
    last_commit_seconds: float | None  # how long the last commit took
    disk_free: int  # free bytes on the disk


class ProcessHealth(msgspec.Struct):
    """Figures of the operating system about this process. A figure is None if the system does not have it."""

    pid: int
    memory: int | None  # resident memory in bytes
    descriptors: int | None
    descriptors_limit: int | None


class LockoutsHealth(msgspec.Struct):
    """Names for which proofs are not checked for now, because too many were wrong: their number, and the longest wait
    in seconds."""

    count: int
    longest: list[Lockout]


class CertificateHealth(msgspec.Struct):
    """The certificate of a server that speaks TLS."""

    fingerprint: str  # SHA-256, as hex
    ends: str  # in UTC


class ServerStatus(msgspec.Struct):
    """All figures about the server at one moment."""

    build: str
    state: str  # open, closed (stop-accepting) or draining
    uptime: float  # seconds
    people: PeopleHealth
    tables: TablesHealth
    decisions: DecisionsHealth
    store: StoreHealth | None
    process: ProcessHealth
    lockouts: LockoutsHealth
    certificate: CertificateHealth | None

    def to_map(self) -> dict[str, object]:
        """Returns the figures as plain values, for JSON."""
        facts: dict[str, object] = msgspec.to_builtins(self)
        return facts

    def to_sentences(self) -> list[str]:
        """Returns the figures as sentences for people."""
        return [
            _(
                "magehall {build}, up for {time}; {state}",
                build=self.build,
                time=_span(self.uptime),
                state=_state(self.state),
            ),
            _(
                "People: {persons} and {bots} bots online, {known} names known, {connections} connections",
                **msgspec.structs.asdict(self.people),
            ),
            _("Tables: {playing} playing, {open} open, {over} over", **msgspec.structs.asdict(self.tables)),
            self._of_decisions(),
            *self._of_store(),
            _(
                "Process: {pid}, memory {memory}, descriptors {used} of {limit}",
                pid=self.process.pid,
                memory=_size(self.process.memory),
                used=_or_unknown(self.process.descriptors),
                limit=_or_unknown(self.process.descriptors_limit),
            ),
            _("Lockouts after wrong proofs: {count}", count=self.lockouts.count),
            *map(_of_lockout, self.lockouts.longest),
            *self._of_certificate(),
        ]

    def _of_decisions(self) -> str:
        rate, half, nearly_all = self.decisions.a_second, self.decisions.p50, self.decisions.p99
        if half is None or nearly_all is None:
            return _("Decisions: none in the last five minutes")
        return _(
            "Decisions: {rate:.1f} a second; answered within {half:.1f} ms (half) and {most:.1f} ms (99 of 100)",
            rate=rate,
            half=half * 1_000,
            most=nearly_all * 1_000,
        )

    def _of_certificate(self) -> list[str]:
        if self.certificate is None:
            return []
        day, left = self.certificate.ends[:10], _seconds_until(self.certificate.ends)
        if left < 0:
            return [_("THE CERTIFICATE ENDED on {day}; replace its files, then send SIGHUP.", day=day)]
        return [_("Certificate: ends on {day}; days left: {days}", day=day, days=int(left / 86_400))]

    def _of_store(self) -> list[str]:
        store = self.store
        if store is None:
            return [_("Store: none; everything is lost when the server stops")]
        lines = [
            _(
                "Store: {folder}, {size}, {waiting} commits waiting, {free} free on its disk",
                folder=store.folder,
                size=_size(store.bytes),
                waiting=store.waiting,
                free=_size(store.disk_free),
            )
        ]
        if store.last_commit_seconds is not None:
            took = store.last_commit_seconds * 1_000
            lines.append(_("Last commit: {time}, in {took:.1f} ms", time=store.last_commit, took=took))
        if store.failing:
            lines.append(_("THE DATA CANNOT BE WRITTEN, and all matches wait. The log says why."))
        return lines


class CertificateInfo(Protocol):
    """The facts about the server's certificate in the figures: its fingerprint, and its end in seconds since 1970."""

    fingerprint: str
    ends: float


class Health:
    """Computes the figures of one server. The journal tells it when a batch is on disk.

    Attributes:
        connections: A function that returns the number of connections, including those without a name.
        process: A function that returns the system's figures for this process.
        state: A function that returns the value for `Status.state`.
        folder: The data folder; None for a server that stores nothing.
        certificate: The server's certificate; None without TLS.
    """

    def __init__(self, names: Names, tables: Mapping[str, Table], journal: Journal, now: float) -> None:
        self.connections: Callable[[], int] = lambda: 0
        self.folder: Path | None = None
        self.certificate: CertificateInfo | None = None
        self.process: Callable[[], ProcessHealth] = measure_process
        self.state: Callable[[], str] = lambda: "open"
        self._names, self._tables, self._journal, self._began = names, tables, journal, now
        self._times = AnswerTimes(now)

    def record_decision(self, came: float) -> None:
        """Records a decision of a player. `came` is when its request arrived."""
        journal = self._journal
        if (position := journal.last_position) > journal.durable:
            self._times.add_pending(came, position)
            journal.add_waiter(self, position)
        else:
            now = trio.current_time()
            self._times.count_answer(now - came, now)

    def on_batch_committed(self, durable: int) -> None:
        """See server.store.journal.CommitWaiter."""
        self._times.count_committed(durable, trio.current_time())

    def on_batch_lost(self, durable: int, *, surely: bool) -> None:
        """See server.store.journal.CommitWaiter."""
        self._times.drop_pending()

    def current_status(self) -> ServerStatus:
        """Returns the figures as of now."""
        now, names = trio.current_time(), self._names
        half, nearly_all = self._times.percentiles(now, HALF, NEARLY_ALL)
        states = [table.state for table in self._tables.values()]
        here = names.connected_players()
        bots = sum(player.bot for player in here)
        lockouts = names.guesses.current_lockouts(now)
        return ServerStatus(
            build=build_version(),
            state=self.state(),
            uptime=round(now - self._began, 1),
            people=PeopleHealth(len(here) - bots, bots, names.name_count, self.connections()),
            tables=TablesHealth(*(states.count(state) for state in ("open", "playing", "over"))),
            decisions=DecisionsHealth(round(self._times.decisions_per_second(now), 2), half, nearly_all),
            store=self._store(),
            process=self.process(),
            lockouts=LockoutsHealth(len(lockouts), lockouts[:LOCKOUTS_LISTED]),
            certificate=self._certificate(),
        )

    def _certificate(self) -> CertificateHealth | None:
        certificate = self.certificate
        return CertificateHealth(certificate.fingerprint, _utc(certificate.ends)) if certificate is not None else None

    def _store(self) -> StoreHealth | None:
        journal, folder = self._journal, self.folder
        if folder is None or not journal.keeps:
            return None
        try:
            free = shutil.disk_usage(folder).free
        except OSError:
            free = 0
        last = journal.last_commit
        return StoreHealth(
            folder=str(folder),
            bytes=sum(map(_length, (folder / FILE, wal_path(folder / FILE)))),
            waiting=journal.pending_batch_count,
            failing=journal.failing,
            last_commit=_utc(time.time() - (trio.current_time() - last.at)) if last else "",
            last_commit_seconds=round(last.seconds, 6) if last else None,
            disk_free=free,
        )


def _utc(at: float) -> str:
    """Returns a time that is given in seconds since 1970 as text in UTC."""
    return time.strftime(_FORM, time.gmtime(at))


def _seconds_until(utc: str) -> float:
    """Returns the number of seconds from now until a time that `_utc` has written."""
    return calendar.timegm(time.strptime(utc, _FORM)) - time.time()


def _length(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def measure_process() -> ProcessHealth:
    """Returns the operating system's present figures for this process."""
    return ProcessHealth(os.getpid(), _memory(), _descriptors(), _descriptors_limit())


def _memory() -> int | None:
    try:
        return int((_OWN / "statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, ValueError, IndexError):
        return None


def _descriptors() -> int | None:
    try:
        return len(os.listdir(_OWN / "fd"))
    except OSError:  # the system is not Linux, or no file descriptor is left
        return None


def _descriptors_limit() -> int | None:
    try:
        import resource  # some systems lack this module
    except ImportError:
        return None
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _size(count: int | None) -> str:
    if count is None:
        return _("unknown")
    if count < 2**20:
        return f"{count / 2**10:,.0f} KiB"
    return f"{count / 2**20:,.1f} MiB" if count < 2**30 else f"{count / 2**30:,.1f} GiB"


def _state(state: str) -> str:
    """Returns the state of the server as the end of a sentence."""
    if state == "open":
        return _("open to everyone")
    if state == "closed":
        return _("closed to newcomers, and no match begins")
    return _("draining: it ends with its last match")


def _span(seconds: float) -> str:
    """Returns a number of seconds as text, such as 3 d 04:05:06."""
    days, rest = divmod(int(seconds), 86_400)
    clock = f"{rest // 3_600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return _("{days} d {clock}", days=days, clock=clock) if days else clock


def _or_unknown(count: int | None) -> str:
    return _("unknown") if count is None else str(count)


def _of_lockout(lockout: Lockout) -> str:
    if lockout.wrong is None:
        return _(
            "  {name}: too many wrong proofs from elsewhere; the next is checked in {wait:.0f} s",
            name=lockout.name,
            wait=ceil(lockout.seconds),
        )
    return _(
        "  {name} from {address}: {wrong} wrong proofs; the next is answered in {wait:.0f} s",
        name=lockout.name,
        address=lockout.address,
        wrong=lockout.wrong,
        wait=ceil(lockout.seconds),
    )
