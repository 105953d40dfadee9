"""A cup of the toy game that is played without a server, and its bundle."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from bots.sdk.bot import Bot, Turn
from bots.sdk.local import play
from games.api import Action, State
from games.chance import Chance, deal_key
from matches.fold import Entry, MatchHeader
from matches.record import Record, iter_replay_lines
from protocol.entries import ActionTaken
from protocol.messages import ClockRule, SeatInfo
from protocol.replay import parse_replay_lines
from tests.helpers.toy import TOY, ToyOptions
from tournaments.bundle import write_bundle
from tournaments.cup import (
    FINISHED,
    RUNNING,
    Cup,
    CupSettings,
    CupStateChanged,
    EntrantEntered,
    MatchEnded,
    MatchPaired,
    RoundDrawn,
)
from tournaments.cup import Entry as CupEntry
from tournaments.schedule import Pairing, deal_seed

SECRET = bytes(range(32))
GRACE = 5.0


class Highest(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[-1]


def settings(**more: object) -> CupSettings:
    """Three seats, six entrants and duplicate deals, unless more is said."""
    told = {
        "cup": "friday",
        "owner": "ann",
        "game": "toy",
        "seats": 3,
        "clock": ClockRule(1.0, 1.0),
        "format": "round_robin",
        "deals": "duplicate",
        "rounds": 3,
        "seed": 5,
        "secret": SECRET,
    }
    return CupSettings(**(told | more))  # type: ignore[arg-type]


def record_of(cup: Cup, pairing: Pairing, table: str, seed: bytes = b"") -> Record:
    """The match, played by bots that take their last card; with its deal, or another one."""
    seed = seed or deal_seed(cup.settings.secret, pairing.deal)
    entries: list[Entry] = []

    def note(_state: State, seat: int, action: Action) -> None:
        entries.append(ActionTaken(0.0, seat, action))

    nonces = ("",) * len(pairing.entrants)
    play(TOY, [Highest(seat) for seat in pairing.entrants], ToyOptions(), Chance(deal_key(seed, nonces)), note)
    seats = tuple(
        SeatInfo(seat, cup.entrant_names[one], "bot", clock=cup.entrants[one].clock)
        for seat, one in enumerate(pairing.entrants, 1)
    )
    salt = table.encode().rjust(16, b"\0")
    header = MatchHeader(table, "toy", {}, seats, cup.settings.clock, seed, salt, nonces, GRACE)
    return Record(TOY, header, tuple(entries))


def played(
    told: CupSettings | None = None, record: Callable[[Cup, Pairing, str], Record] = record_of, *more: CupEntry
) -> tuple[Cup, dict[str, bytes]]:
    """The cup at its end, and the replays by table. `more` happens before its start."""
    cup = Cup(told or settings())
    for number in range(6):
        cup.apply(EntrantEntered(100.0, f"e{number}", (f"e{number}",)))
    for entry in more:
        cup.apply(entry)
    cup.apply(CupStateChanged(101.0, RUNNING))
    replays: dict[str, bytes] = {}
    while True:
        if cup.awaits_draw:
            cup.apply(RoundDrawn(102.0))
        pairing = next(cup.waiting_pairings(), None)
        if pairing is None:
            break
        table = f"t{pairing.number + 10}"
        one = record(cup, pairing, table)
        replays[table] = b"".join(iter_replay_lines(one.game, one.header, one.entries))
        cup.apply(MatchPaired(102.0, pairing.number, table))
        cup.apply(MatchEnded(103.0, pairing.number, table, parse_replay_lines(replays[table])[2].results))
    cup.apply(CupStateChanged(104.0, FINISHED))
    return cup, replays


def bundled(cup: Cup, replays: dict[str, bytes]) -> bytes:
    """The bundle as it is written."""
    file = io.BytesIO()
    write_bundle(file, cup, TOY, "0.0", replays.items())
    return file.getvalue()


def files_of(bundle: bytes) -> dict[str, bytes]:
    """What stands in it, by name."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}
