"""The bundle: a finished cup as one zip of text files that anyone can read and check. See docs/protocol-cups.md."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, TypeAlias

import msgspec

from games.api import Game
from matches.ledger import compute_ledger
from matches.record import Record, read_replay
from tournaments.cup import (
    OPEN,
    ClockSet,
    Cup,
    CupSettings,
    CupStateChanged,
    EntrantDropped,
    EntrantEntered,
    EntrantKicked,
    EntrantPardoned,
    Entry,
    MatchEnded,
    MatchPaired,
    PlayersReplaced,
    RoundDrawn,
    fold_entries,
    rank_entrants,
)
from tournaments.language import _
from tournaments.schedule import commitment_to
from tournaments.standings import StandingsRow

VERSION = 4
CUP, LOG, STANDINGS, SUMS, MATCHES = "cup.json", "log.jsonl", "standings.json", "SHA256SUMS", "matches/"
LEDGER = "ledger/"
FILE_BYTES = 64 << 20  # greatest size of one file in a bundle, unpacked
_DATE = (1980, 1, 1, 0, 0, 0)  # date of every file in the zip: fixed, so that the same cup gives the same bytes


class BadBundle(Exception):
    """The file cannot be read as a bundle. The text says why in a sentence."""


class ScheduledMatch(MatchPaired, frozen=True, tag="paired", kw_only=True):
    """A match that begins, with its deal and the entrants of its seats, so that readers of the log need not compute the
    pairings."""

    deal: int
    entrants: tuple[str, ...]


Line: TypeAlias = (
    EntrantEntered
    | EntrantDropped
    | EntrantKicked
    | EntrantPardoned
    | PlayersReplaced
    | ClockSet
    | CupStateChanged
    | RoundDrawn
    | ScheduledMatch
    | MatchEnded
)


class CupDescription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `cup.json`: the settings of a cup, the versions of program, rules and cards that played it, and
    the secret of its deals."""

    bundle: int
    magehall: str
    rules_version: str
    cards: str
    commitment: str
    secret: str  # in hexadecimal
    settings: dict[str, Any]


def log_length(cup: Cup) -> int:
    """Returns the number of lines that `log_lines` can yield for this cup now."""
    return 1 + len(cup.entries)


def log_lines(cup: Cup, version: str, after: int, count: int) -> Iterator[str]:
    """Yields lines of a cup's log, as every player may read them while the cup is played.

    Line 1 has the content of `cup.json` in the bundle, without the secret until the cup is over. Each further line is
    one of `log.jsonl`. While the cup is open, the entrants' nonces are left out. Otherwise the last entrant could
    choose a nonce that gives the deals it likes.

    Args:
        cup: The cup.
        version: The version of this program, for line 1.
        after: The number of lines to skip.
        count: The greatest number of lines.
    """
    if after == 0 and count > 0:
        told = cup.settings
        yield msgspec.json.encode(_about(told, version, told.secret.hex() if cup.is_over else "")).decode()
    for entry in cup.entries[max(after - 1, 0) : after - 1 + count]:
        line = _line(cup, entry)
        if isinstance(line, EntrantEntered) and cup.state == OPEN:
            line = msgspec.structs.replace(line, nonce="")
        yield msgspec.json.encode(line).decode()


def parse_cup_log(lines: Sequence[str]) -> tuple[Cup, CupDescription]:
    """Returns the cup that the lines of `log_lines` describe, and the content of line 1.

    Raises:
        BadBundle: The lines are not the log of a cup, or this version of the program computes other pairings.
    """
    try:
        about = msgspec.json.decode(lines[0], type=CupDescription)
        settings = msgspec.convert({**about.settings, "secret": bytes.fromhex(about.secret)}, CupSettings)
        told = list(map(msgspec.json.Decoder(Line).decode, lines[1:]))
        cup = fold_entries(settings, map(_entry, told))
    except (ValueError, IndexError, msgspec.DecodeError) as error:
        raise BadBundle(_("The log of the cup cannot be read: {error}.", error=f"{error}".rstrip("."))) from None
    for line, entry in zip(told, cup.entries, strict=True):
        if isinstance(line, ScheduledMatch) and _line(cup, entry) != line:
            raise BadBundle(_("Match {match} is not paired as this version pairs it.", match=line.match))
    if about.secret and commitment_to(settings.secret) != about.commitment:
        raise BadBundle(_("The secret does not fit the commitment."))
    return cup, about


def write_bundle(file: IO[bytes], cup: Cup, game: Game, version: str, replays: Iterable[tuple[str, bytes]]) -> None:
    """Writes the bundle of a finished cup.

    Args:
        file: The file to write to.
        cup: The cup.
        game: The game of the cup.
        version: The version of this program.
        replays: Table id and replay file of each match.
    """
    told = msgspec.structs.replace(cup.settings, rules=game.rules_version, cards=game.cards_digest)
    about = _about(told, version, told.secret.hex())
    texts = _texts(about, (_line(cup, entry) for entry in cup.entries)) | {STANDINGS: _readable(cup_standings(cup))}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        sums = [_add(packed, name, data) for name, data in texts.items()]
        for table, data in replays:
            sums.append(_add(packed, f"{MATCHES}{table}.jsonl", data))
            sums.append(_add(packed, f"{LEDGER}{table}.jsonl", encode_ledger(read_replay(data, {game.id: game}))))
        _add(packed, SUMS, "".join(sums).encode())


def cup_standings(cup: Cup) -> list[StandingsRow]:
    """Returns the standings of a cup, computed from all its results."""
    return rank_entrants(cup.settings, cup.entrant_names, cup.finished_matches(), cup.stages_reached())


def encode_ledger(record: Record) -> bytes:
    """Returns the ledger of a match as JSON lines, one per decision."""
    return b"".join(msgspec.json.encode(spent) + b"\n" for spent in compute_ledger(record))


def _about(told: CupSettings, version: str, secret: str) -> CupDescription:
    return CupDescription(VERSION, version, told.rules, told.cards, told.commitment, secret, _public(told))


def _public(settings: CupSettings) -> dict[str, Any]:
    """Returns the settings without the secret, the rules and the cards: separate fields of `CupDescription`."""
    told: dict[str, Any] = msgspec.to_builtins(settings)
    return {name: value for name, value in told.items() if name not in ("secret", "rules", "cards")}


def _texts(about: CupDescription, lines: Iterable[Line]) -> dict[str, bytes]:
    """Returns the contents of the cup file and the log file, by name."""
    return {CUP: _readable(about), LOG: b"".join(msgspec.json.encode(line) + b"\n" for line in lines)}


def _line(cup: Cup, entry: Entry) -> Line:
    if not isinstance(entry, MatchPaired):
        return entry
    pairing = cup.pairings()[entry.match - 1]
    names = tuple(cup.entrant_names[number] for number in pairing.entrants)
    fields = msgspec.structs.asdict(entry)
    return ScheduledMatch(**fields, deal=pairing.deal, entrants=names)


def _entry(line: Line) -> Entry:
    if not isinstance(line, ScheduledMatch):
        return line
    return MatchPaired(line.at, line.match, line.table, line.absent)


def _readable(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def _add(packed: zipfile.ZipFile, name: str, data: bytes) -> str:
    """Adds a file to the zip. Returns its line in SHA256SUMS."""
    info = zipfile.ZipInfo(name, _DATE)
    info.external_attr = 0o644 << 16
    packed.writestr(info, data, zipfile.ZIP_DEFLATED)
    return f"{hashlib.sha256(data).hexdigest()}  {name}\n"


class Bundle:
    """A bundle that was read from a file. Its contents are not compared with the rules, as `audit` does.

    `problems` has a sentence for each file that is missing, duplicated, or different from its checksum. The constructor
    raises BadBundle if the file is not a bundle.
    """

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._packed = zipfile.ZipFile(file)
        # zipfile raises NotImplementedError for archives of newer versions, encryption or unknown compression.
        except (zipfile.BadZipFile, OSError, UnicodeDecodeError, NotImplementedError) as error:
            raise BadBundle(_("It is no bundle: {error}.", error=error)) from None
        self.problems: list[str] = []
        self.about = self._decoded(CUP, CupDescription)
        if self.about.bundle != VERSION:
            raise BadBundle(_("Bundles of version {version} can be read here.", version=VERSION))
        try:
            secret = bytes.fromhex(self.about.secret)
            self.settings = msgspec.convert({**self.about.settings, "secret": secret}, CupSettings)
        except (ValueError, msgspec.ValidationError) as error:
            raise BadBundle(_("The settings in {cup} cannot be read: {error}.", cup=CUP, error=error)) from None
        self.lines = self._lines()
        self.rows: Sequence[StandingsRow] = self._decoded(STANDINGS, list[StandingsRow])
        self.files = list(dict.fromkeys(self._packed.namelist()))
        self.tables = [
            name.removeprefix(MATCHES).removesuffix(".jsonl") for name in self.files if name.startswith(MATCHES)
        ]
        self._compare()
        self._compare_texts()

    def read_replay(self, table: str) -> bytes | None:
        """Returns the replay file of the match at that table; None if it is missing or cannot be read."""
        try:
            return self._read(f"{MATCHES}{table}.jsonl")
        except BadBundle:
            return None

    def read_ledger(self, table: str) -> bytes | None:
        """Returns the ledger file of the match at that table; None if it is missing or cannot be read."""
        try:
            return self._read(f"{LEDGER}{table}.jsonl")
        except BadBundle:
            return None

    def unexpected_files(self, tables: Iterable[str]) -> list[str]:
        """Returns the names of files that do not belong in the bundle of a cup played at these tables."""
        there = [table for table in tables if f"{MATCHES}{table}.jsonl" in self.files]
        known = {
            CUP,
            LOG,
            STANDINGS,
            SUMS,
            *(f"{folder}{table}.jsonl" for table in there for folder in (MATCHES, LEDGER)),
        }
        return [name for name in self.files if name not in known]

    def _lines(self) -> list[Line]:
        decode = msgspec.json.Decoder(Line).decode
        found: list[Line] = []
        for number, raw in enumerate(self._read(LOG).splitlines(), 1):
            try:
                found.append(decode(raw))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadBundle(
                    _("Line {number} of {log} cannot be read: {error}.", number=number, log=LOG, error=error)
                ) from None
        return found

    def _compare(self) -> None:
        """Records the files that are missing, duplicated, or different from their checksums."""
        names = self._packed.namelist()
        self.problems += [
            _("{name} is there twice.", name=name) for name in dict.fromkeys(names) if names.count(name) > 1
        ]
        sums: dict[str, str] = {}
        for line in self._read(SUMS).decode("utf-8", "replace").splitlines():
            hashed, _blank, name = line.partition("  ")
            sums[name] = hashed
        for name in dict.fromkeys((*sums, *self.files)):
            if name == SUMS:
                continue
            if name not in sums:
                self.problems.append(_("{name} is not among those that were written.", name=name))
            elif name not in names:
                self.problems.append(_("{name} is missing.", name=name))
            else:
                try:
                    data = self._read(name)
                except BadBundle as error:
                    self.problems.append(str(error))
                    continue
                if hashlib.sha256(data).hexdigest() != sums[name]:
                    self.problems.append(_("{name} was changed after it was written.", name=name))

    def _compare_texts(self) -> None:
        """Records the files that are not byte for byte as `write` formats them, for example because a field is
        duplicated or unknown.

        Other readers could interpret such a file differently.
        """
        told = self.settings
        about = msgspec.structs.replace(self.about, secret=told.secret.hex(), settings=_public(told))
        strange = [name for name, text in _texts(about, self.lines).items() if self._read(name) != text]
        rows = self._decoded(STANDINGS, Any)
        if rows != msgspec.to_builtins(self.rows) or self._read(STANDINGS) != _readable(rows):
            strange.append(STANDINGS)
        self.problems += [_("{name} is not as export writes it.", name=name) for name in strange]

    def _decoded(self, name: str, kind: Any) -> Any:
        try:
            return msgspec.json.decode(self._read(name), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadBundle(_("{name} cannot be read: {error}.", name=name, error=error)) from None

    def _read(self, name: str) -> bytes:
        if name not in self._packed.NameToInfo:
            raise BadBundle(_("It has no file {name}.", name=name))
        if self._packed.getinfo(name).file_size > FILE_BYTES:
            raise BadBundle(_("{name} is too big.", name=name))
        try:
            return self._packed.read(name)
        except Exception as error:  # zipfile can raise any exception for a damaged archive
            raise BadBundle(_("{name} cannot be unpacked ({kind}).", name=name, kind=type(error).__name__)) from None
