"""The server's settings. They do not change, except when `take_over` applies a settings file that was read again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from protocol import PORT, limits
from protocol.messages import ClockRule
from server.networks import Network, NetworkMap, parse_network


@dataclass(frozen=True)
class Config:
    """The settings of a server. Times are in seconds. The constructor raises ValueError for a value that cannot
    work."""

    host: str = "127.0.0.1"  # "" listens on all addresses
    port: int = PORT  # 0 takes any free port
    web_port: int | None = None  # port of the pages for browsers; 0 takes any free port, None serves no pages
    web_required: bool = True  # whether the server refuses to start if `web_port` is taken
    web_hosts: tuple[str, ...] = ()  # host names by which browsers may reach the pages, besides this machine's own
    tls_cert: Path | None = None  # the server's certificate; together with its key file, every connection uses TLS
    tls_key: Path | None = None
    proxy_from: tuple[Network, ...] = ()  # proxies whose PROXY header is accepted
    clock: ClockRule = field(default_factory=ClockRule)  # the clock of tables that are opened without one
    grace: float = 120.0  # how long, in all absences of a match together, a seat is held for its player
    house_seconds: float = 0.02  # delay before each decision of a house bot
    late_house_seconds: float = 10.0  # how long a bot that searches may take beyond its expected time
    goodbye_seconds: float = 2.0  # how long peers have to read goodbyes at shutdown
    data_bytes: int = 2**32  # bytes of stored data above which the oldest finished matches are deleted

    # the limits that a settings file can set; `protocol.limits` describes each
    chat_characters: int = limits.CHAT_CHARACTERS
    password_characters_least: int = limits.PASSWORD_CHARACTERS_LEAST
    requests_before_hello: int = limits.REQUESTS_BEFORE_HELLO
    nothing_asked: int = limits.NOTHING_ASKED
    protocol_errors: int = limits.PROTOCOL_ERRORS
    bad_proofs: int = limits.BAD_PROOFS
    replies_kept: int = limits.REPLIES_KEPT
    login_seconds: float = limits.LOGIN_SECONDS
    silent_seconds: float = limits.SILENT_SECONDS
    sign_seconds: float = limits.SIGN_SECONDS
    requests_a_second: float = limits.REQUESTS_A_SECOND
    requests_at_once: int = limits.REQUESTS_AT_ONCE
    requests_an_address: int = limits.REQUESTS_AN_ADDRESS
    at_once_an_address: int = limits.AT_ONCE_AN_ADDRESS
    requests_a_connection: int = limits.REQUESTS_A_CONNECTION
    strangers_in_all: int = limits.STRANGERS_IN_ALL
    strangers_an_address: int = limits.STRANGERS_AN_ADDRESS
    bytes_a_request: int = limits.BYTES_A_REQUEST
    hearers_a_request: int = limits.HEARERS_A_REQUEST
    lines_a_request: int = limits.LINES_A_REQUEST
    sessions: int = limits.SESSIONS
    tables: int = limits.TABLES
    players: int = limits.PLAYERS
    sessions_an_address: int = limits.SESSIONS_AN_ADDRESS
    names_an_address: int = limits.NAMES_AN_ADDRESS
    names_a_day: int = limits.NAMES_A_DAY
    name_seconds: float = limits.NAME_SECONDS
    tables_an_address: int = limits.TABLES_AN_ADDRESS
    tables_a_name: int = limits.TABLES_A_NAME
    finished_a_player: int = limits.FINISHED_A_PLAYER
    open_seat_seconds: int = limits.OPEN_SEAT_SECONDS
    unstarted_seconds: int = limits.UNSTARTED_SECONDS
    idle_seconds: float = limits.IDLE_SECONDS
    keep_seconds: float = limits.KEEP_SECONDS
    longest_delay: int = limits.LONGEST_DELAY
    least_delay: int = limits.LEAST_DELAY
    programs_listed: int = limits.PROGRAMS_LISTED
    tables_a_player: int = limits.TABLES_A_PLAYER
    spectators_a_table: int = limits.SPECTATORS_A_TABLE
    thinkers: int = limits.THINKERS
    cups_a_player: int = limits.CUPS_A_PLAYER
    cups_an_address: int = limits.CUPS_AN_ADDRESS
    cups: int = limits.CUPS
    cup_rounds: int = limits.CUP_ROUNDS
    entrants_a_cup: int = limits.ENTRANTS_A_CUP
    matches_a_cup: int = limits.MATCHES_A_CUP
    tables_a_cup: int = limits.TABLES_A_CUP
    tables_a_cup_least: int = limits.TABLES_A_CUP_LEAST
    entries_an_address: int = limits.ENTRIES_AN_ADDRESS
    given_up_seconds: int = limits.GIVEN_UP_SECONDS
    changes_an_entrant: int = limits.CHANGES_AN_ENTRANT
    out_a_table: int = limits.OUT_A_TABLE
    talk_at_once: int = limits.TALK_AT_ONCE
    talk_seconds: float = limits.TALK_SECONDS
    talk_an_address: int = limits.TALK_AN_ADDRESS
    refused_talk: float = limits.REFUSED_TALK
    ignored_a_player: int = limits.IGNORED_A_PLAYER
    chats_a_match: int = limits.CHATS_A_MATCH
    receive_bytes: int = limits.RECEIVE_BYTES
    outbox_bytes: int = limits.OUTBOX_BYTES
    behind_bytes: int = limits.BEHIND_BYTES
    outbox_seconds: float = limits.OUTBOX_SECONDS
    illegal_a_decision: int = limits.ILLEGAL_A_DECISION
    illegal_a_match: int = limits.ILLEGAL_A_MATCH
    illegal_a_decision_person: int = limits.ILLEGAL_A_DECISION_PERSON
    illegal_a_match_person: int = limits.ILLEGAL_A_MATCH_PERSON
    late_a_match: int = limits.LATE_A_MATCH
    pause_a_match: float = limits.PAUSE_A_MATCH
    pause_in_cups: float = limits.PAUSE_IN_CUPS
    undo_seconds: float = limits.UNDO_SECONDS
    trusted_times: int = limits.TRUSTED_TIMES
    trusted: tuple[str, ...] = ()  # networks in which every address gets `trusted_times` the usual limits
    # by network: limits that apply to each address in it
    networks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # banned networks and folded names, in addition to those that the operator bans while the server runs
    bans: tuple[str, ...] = ()

    kernel_bytes: int = 131_072  # size of the kernel's send buffer for each peer

    # whether a message waits until the change that it reports is on disk; not needed if all clients end with the server
    waits_for_disk: bool = True
    only_play: bool = False  # whether only expected players are admitted, who can neither chat nor open tables or cups
    # a session that proves this secret word gets the operator's rights; "" disables this
    operator_word: str = field(default="", repr=False)

    _shares: NetworkMap[Config] = field(init=False, repr=False, compare=False)
    _banned: NetworkMap[str] = field(init=False, repr=False, compare=False)
    _told: dict[str, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise ValueError(f"port {self.port} is outside 0..65535")
        for name in ("grace", "login_seconds", "data_bytes", "sessions", "tables", "requests_a_second"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0")
        self._derive()

    def _derive(self) -> None:
        """Computes the fields that depend on other fields."""
        shares: list[tuple[Network, Config]] = []
        if self.trusted or self.networks:
            plain = replace(self, trusted=(), networks={})
            several: dict[str, Any] = {name: self.trusted_times * getattr(self, name) for name in PER_ADDRESS}
            trusting = replace(plain, **several)
            trusted = NetworkMap((parse_network(one), trusting) for one in self.trusted)
            shares = [(parse_network(one), trusting) for one in self.trusted]
            for written, own in self.networks.items():
                shares.append(
                    (parse_network(written), replace(trusted.find(str(parse_network(written))) or plain, **own))
                )
        object.__setattr__(self, "_shares", NetworkMap(shares))
        banned = [one for one in self.bans if "/" in one]
        object.__setattr__(self, "_banned", NetworkMap((parse_network(one), one) for one in banned))
        told = {name: getattr(self, name, one.default) for name, one in limits.all_limits().items()}
        object.__setattr__(self, "_told", told)

    def for_address(self, address: Hashable) -> Config:
        """Returns the settings that apply to an address. They differ from these if its network is trusted or has limits
        of its own."""
        return self._shares.find(address) or self

    def matching_ban(self, who: Hashable) -> str:
        """Returns the entry of `bans` that matches a folded name or a grouped address; "" if no entry does."""
        return str(who) if who in self.bans else self._banned.find(who) or ""

    def limits(self) -> dict[str, float]:
        """The limits by name, as clients see them. All callers get the same mapping, which must not be changed."""
        return self._told

    def apply_changes(self, new: Config) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Applies those settings of `new` that may change while the server runs.

        Returns:
            The names of the settings that have changed, and of those that differ but need a restart.
        """
        differing = [name for name in OF_A_FILE if getattr(self, name) != getattr(new, name)]
        for name in differing:
            if name not in AT_START:
                object.__setattr__(self, name, getattr(new, name))
        self._derive()
        changed = tuple(name for name in differing if name not in AT_START)
        return changed, tuple(name for name in differing if name in AT_START)


PER_ADDRESS = tuple(name for name, one in limits.all_limits().items() if one.kind is limits.PER_ADDRESS)
AT_START = frozenset(
    [*(name for name, one in limits.all_limits().items() if one.kind is limits.AT_START), "tls_cert", "tls_key"]
)
OF_A_FILE = (
    *(one.name for one in fields(Config) if one.name in limits.all_limits()),
    *("trusted", "networks", "bans", "tls_cert", "tls_key", "proxy_from"),
)
"""The names of the Config fields that a settings file can set."""

DEFAULTS = Config()
