"""The server's settings: made once, immutable."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network

from protocol import PORT, limits
from protocol.messages import ClockRule


@dataclass(frozen=True)
class Config:
    """Times are in seconds. Raises ValueError for values that cannot work."""

    host: str = "127.0.0.1"  # "": all addresses
    port: int = PORT  # 0: any free one
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()  # from there alone the PROXY protocol is understood
    clock: ClockRule = field(default_factory=ClockRule)  # for tables opened without one
    grace: float = 120.0  # how long in all a seat is held for an absent player, per match
    house_seconds: float = 0.02  # a house bot's decision takes so long, whatever it has to think about
    late_house_seconds: float = 10.0  # a bot that thinks has so much longer than it should need
    thinkers: int = 4  # bots that think, at all tables: each has a process of its own
    login_seconds: float = 60.0  # for a person to type a name
    silent_seconds: float = 240.0  # a program that says nothing for so long is asked for a sign of life
    sign_seconds: float = 60.0  # and has so long to give it
    goodbye_seconds: float = 2.0  # to let goodbyes be read at shutdown
    keep_seconds: float = 600.0  # for which a finished table can still be asked for its result
    idle_seconds: float = 1_800.0  # an open table where nothing happens is closed
    data_bytes: int = 2**32  # above that the oldest finished matches are taken away
    sessions: int = 10_000
    tables: int = 2_000
    players: int = 20_000
    name_seconds: float = 86_400.0  # a name that never played is forgotten after so long an absence
    sessions_an_address: int = limits.SESSIONS_AN_ADDRESS
    names_an_address: int = limits.NAMES_AN_ADDRESS
    names_a_day: int = limits.NAMES_A_DAY
    tables_an_address: int = limits.TABLES_AN_ADDRESS
    illegal_a_decision: int = limits.ILLEGAL_A_DECISION
    illegal_a_match: int = limits.ILLEGAL_A_MATCH
    illegal_a_decision_person: int = limits.ILLEGAL_A_DECISION_PERSON
    illegal_a_match_person: int = limits.ILLEGAL_A_MATCH_PERSON
    late_a_match: int = limits.LATE_A_MATCH
    talk_at_once: int = limits.TALK_AT_ONCE
    talk_seconds: float = limits.TALK_SECONDS
    requests_a_second: float = limits.REQUESTS_A_SECOND
    requests_at_once: int = limits.REQUESTS_AT_ONCE
    outbox_bytes: int = limits.OUTBOX_BYTES
    behind_bytes: int = limits.BEHIND_BYTES
    outbox_seconds: float = limits.OUTBOX_SECONDS
    kernel_bytes: int = 131_072  # what the kernel may hold for a peer that does not read

    waits_for_disk: bool = True  # what is told is kept before; not needed where all who hear it end with the server
    only_play: bool = False  # those who are expected play, and neither talk nor open anything; nobody else comes in
    operator_word: str = field(default="", repr=False)  # makes a session the operator's; "": there is none

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise ValueError(f"port {self.port} is outside 0..65535")
        for name in ("grace", "login_seconds", "data_bytes", "sessions", "tables", "requests_a_second"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0")
