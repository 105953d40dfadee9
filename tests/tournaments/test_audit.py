"""What an audit of a cup's bundle finds: nothing in a true one, and every kind of edit in the others."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable

import msgspec
import pytest

from matches.record import Record, iter_replay_lines
from protocol.messages import ClockRule
from tests.helpers.toy import TOY
from tests.tournaments.cups_played import SECRET, bundled, files_of, played, record_of, settings
from tournaments.audit import aborted_matches_text, audit_bundle
from tournaments.bundle import FILE_BYTES, BadBundle, Bundle
from tournaments.cup import ClockSet
from tournaments.schedule import deal_seed

Files = dict[str, bytes]
GAMES = {"toy": TOY}
CUP, REPLAYS = played()
DROPPED = b'{"type":"dropped","at":102.0,"entrant":"%s"}\n'
WRITTEN = "%s is not as export writes it."
WHOLE = files_of(bundled(CUP, REPLAYS))
FIRST = ", ".join(CUP.entrant_names[one] for one in CUP.pairings()[0].entrants)


def found(files: Files, *, seal: bool = True) -> list[str]:
    """What an audit says of these files; the forger wrote their sums anew, or did not."""
    return audit_bundle(packed_anew(files, seal=seal), GAMES)


def packed_anew(files: Files, *, seal: bool = True) -> Bundle:
    if seal:
        files = {name: data for name, data in files.items() if name != "SHA256SUMS"}
        sums = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items()]
        files["SHA256SUMS"] = "".join(sums).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return Bundle(file)


def edited(name: str, old: bytes, new: bytes) -> Files:
    """The files of a true bundle with the first of something replaced in one of them."""
    assert old in WHOLE[name], (old, WHOLE[name])
    return {**WHOLE, name: WHOLE[name].replace(old, new, 1)}


def lines(change: Callable[[list[bytes]], object]) -> Files:
    """The files with another log."""
    log = WHOLE["log.jsonl"].splitlines(keepends=True)
    change(log)
    return {**WHOLE, "log.jsonl": b"".join(log)}


def without_leads() -> Files:
    """The files without anybody's lead."""
    rows = [{**row, "lead": None} for row in msgspec.json.decode(WHOLE["standings.json"])]
    return {**WHOLE, "standings.json": msgspec.json.encode(rows)}


def one_result(line: bytes) -> bytes:
    """The line of a match's end without the results of all seats but the first."""
    ended = msgspec.json.decode(line)
    return msgspec.json.encode({**ended, "results": ended["results"][:1]}) + b"\n"


def with_replay(table: str, record: Record) -> Files:
    return {**WHOLE, f"matches/{table}.jsonl": b"".join(iter_replay_lines(record.game, record.header, record.entries))}


@pytest.mark.parametrize(("kind", "deals"), [("round_robin", "duplicate"), ("swiss", "fresh"), ("knockout", "fresh")])
def test_nothing_is_found_in_a_true_bundle_and_the_same_cup_gives_the_same_bytes(kind: str, deals: str) -> None:
    cup, replays = played(settings(format=kind, deals=deals))
    assert bundled(cup, replays) == bundled(cup, replays)
    assert found(files_of(bundled(cup, replays)), seal=False) == []


def test_an_entrants_own_clock_stands_in_the_log_and_is_compared_with_its_matches() -> None:
    timed = ClockSet(100.0, "e2", ClockRule(5.0, 1.0))
    files = files_of(bundled(*played(None, record_of, timed)))
    assert b'{"type":"timed","at":100.0,"entrant":"e2","clock":{"main":5.0,"increment":1.0}}\n' in files["log.jsonl"]
    assert found(files) == []
    files["log.jsonl"] = files["log.jsonl"].replace(b'"main":5.0', b'"main":9.0', 1)
    assert {text.partition(": ")[2] for text in found(files)} == {
        f"seat {seat} was played with another clock than its entrant's." for seat in (1, 2, 3)
    }


def test_a_bundle_is_text_that_says_which_deal_who_played() -> None:
    assert set(WHOLE) == {"cup.json", "log.jsonl", "standings.json", "SHA256SUMS"} | {
        f"{folder}/{table}.jsonl" for folder in ("matches", "ledger") for table in REPLAYS
    }
    with zipfile.ZipFile(io.BytesIO(bundled(CUP, REPLAYS))) as packed:
        assert {one.external_attr >> 16 for one in packed.infolist()} == {0o644}, "all may read what is unpacked"
    about = msgspec.json.decode(WHOLE["cup.json"])
    assert (about["secret"], about["commitment"]) == (SECRET.hex(), hashlib.sha256(SECRET).hexdigest())
    paired = msgspec.json.decode(next(line for line in WHOLE["log.jsonl"].splitlines() if b'"paired"' in line))
    assert (paired["match"], paired["deal"], paired["table"], len(paired["entrants"])) == (1, 1, "t11", 3)


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "SHA256SUMS"][:4])
def test_any_edit_is_named_as_long_as_the_sums_are_not_written_anew(name: str) -> None:
    assert f"{name} was changed after it was written." in found(edited(name, b",", b", "), seal=False)


def test_files_that_are_missing_added_or_twice_are_named() -> None:
    assert "matches/t11.jsonl is missing." in found(
        {name: data for name, data in WHOLE.items() if name != "matches/t11.jsonl"}, seal=False
    )
    added = found({**WHOLE, "matches/t99.jsonl": WHOLE["matches/t11.jsonl"]}, seal=False)
    assert "matches/t99.jsonl is not among those that were written." in added
    assert "matches/t99.jsonl is nothing of the cup's." in added
    file = io.BytesIO(bundled(CUP, REPLAYS))
    with zipfile.ZipFile(file, "a") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr("log.jsonl", b"")
    assert "log.jsonl is there twice." in audit_bundle(Bundle(file), GAMES)


def test_a_damaged_ledger_is_named_and_all_else_is_checked() -> None:
    data = bytearray(bundled(CUP, REPLAYS))
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        damaged = packed.getinfo("ledger/t11.jsonl")
    data[damaged.header_offset + 30 + len(damaged.filename) + 2] ^= 0xFF
    texts = audit_bundle(Bundle(io.BytesIO(data)), GAMES)
    assert texts[0].startswith("ledger/t11.jsonl cannot be unpacked")
    assert texts[1:] == ["Match 1 at t11: its ledger is missing."]


def test_another_secret_does_not_fit_the_commitment_or_the_deals() -> None:
    texts = found(edited("cup.json", SECRET.hex().encode(), (b"\1" * 32).hex().encode()))
    assert texts[0] == "The secret does not fit the commitment."
    assert "Match 1 at t11: it was played with a deal that was never declared, not with deal 1." in texts


def other_deal(seed: bytes) -> Files:
    return with_replay("t11", record_of(CUP, CUP.pairings()[0], "t11", seed))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (other_deal(deal_seed(SECRET, 2)), "Match 1 at t11: it was played with deal 2, not with deal 1."),
        (other_deal(b"\7" * 32), "it was played with a deal that was never declared"),
        (with_replay("t11", record_of(CUP, CUP.pairings()[1], "t11")), "who does not play for that entrant"),
        (with_replay("t11", record_of(CUP, CUP.pairings()[0], "t12")), "its replay is of another table, t12."),
        (with_replay("t11", record_of(CUP, CUP.pairings()[0], "t12")), "it is match 1 again: no two tables"),
        (edited("matches/t11.jsonl", b'"card":', b'"card":1'), "Match 1 at t11: its replay does not hold, line 2"),
        ({name: data for name, data in WHOLE.items() if "t12" not in name}, "Match 2 at t12: its replay is missing."),
        (edited("log.jsonl", b'"score":', b'"score":1'), "Match 1 at t11: its result is not the one of its replay."),
        (edited("log.jsonl", b'"score":', b'"score":1'), "The standings are not those that follow"),
        (edited("standings.json", b'"score": ', b'"score": 1'), "The standings are not those that follow"),
        (edited("log.jsonl", b'"deal":1', b'"deal":2'), "match 1 has deal 1 by the format, not deal 2."),
        (
            edited("log.jsonl", b'"entrants":["', b'"entrants":["x'),
            f"match 1 is between {FIRST} by the format, not between x{FIRST}.",
        ),
        (edited("cup.json", b'"seed": 5', b'"seed": 5, "options": {"odd": 1}'), "under other settings than the cup's."),
        (
            edited("ledger/t11.jsonl", b'"thinking":0.0', b'"thinking":9.0'),
            "at t11: its ledger is not what follows from",
        ),
        ({name: data for name, data in WHOLE.items() if name != "ledger/t11.jsonl"}, "at t11: its ledger is missing."),
        ({**WHOLE, "ledger/t99.jsonl": WHOLE["ledger/t11.jsonl"]}, "ledger/t99.jsonl is nothing of the cup's."),
        ({**WHOLE, "ledger.jsonl": WHOLE["ledger/t11.jsonl"]}, "ledger.jsonl is nothing of the cup's."),
        ({name: data for name, data in WHOLE.items() if name != "matches/t11.jsonl"}, "ledger/t11.jsonl is nothing of"),
        (without_leads(), "The standings are not those that follow"),
        (edited("cup.json", b'"seed": 5', b'"seed": 6'), "by the format, not between"),
        (edited("cup.json", b'"main": 1.0', b'"main": 2.0'), "it was played under other settings than the cup's."),
        (
            lines(lambda log: log.__setitem__(0, log[0].replace(b"}", b',"clock":{"main":9.0,"increment":1.0}}'))),
            "Match 1 at t11: seat 2 was played with another clock than its entrant's.",
        ),
        (edited("cup.json", b'"rounds": 3', b'"rounds": 4'), "Match 7 was never played."),
        (edited("cup.json", b'"rounds": 3', b'"rounds": 2'), "match 5 is none that the format pairs there."),
        (lines(lambda log: log.insert(9, log[7])), "Line 10 of log.jsonl: match 1 was played twice, at t11 and"),
        (lines(lambda log: log.insert(9, log[8])), "Line 10 of log.jsonl: match 1 ended twice."),
        (lines(lambda log: log.pop(8)), "Match 1 has no result."),
        (lines(lambda log: log.pop(7)), "Line 8 of log.jsonl: match 1 ended, but never began."),
        (
            edited("log.jsonl", b'"results":[{"seat":1', b'"results":[{"seat":9'),
            "of match 1 are not those of seats 1 to 3.",
        ),
        (
            edited("log.jsonl", b'"results":[{"seat":1', b'"results":[{"seat":0'),
            "of match 1 are not those of seats 1 to 3.",
        ),
        (lines(lambda log: log.__setitem__(8, one_result(log[8]))), "of match 1 are not those of seats 1 to 3."),
        (lines(lambda log: log.pop()), "The cup is not over."),
        (edited("cup.json", b'"rules_version": "', b'"rules_version": "9'), "cup.json names other rules or cards than"),
        (edited("cup.json", b'"cards": "', b'"cards": "9'), "cup.json names other rules or cards than"),
        (lines(lambda log: log.insert(8, log[0].replace(b"e0", b"eve"))), "that cannot be: friday takes no more"),
        (
            lines(lambda log: log.insert(8, log[6].replace(b"running", b"open"))),
            "that cannot be: friday cannot be open any more",
        ),
        (
            edited("log.jsonl", b'"match":1,"table":"t11",', b'"match":1,"table":"t11","absent":[4],'),
            "cannot begin at t11",
        ),
        (lines(lambda log: log.insert(7, DROPPED % b"e2")), "e2 had given up, and is not said to be absent."),
        (edited("cup.json", b'"secret": ', b'"secret": "00", "secret": '), WRITTEN % "cup.json"),
        (edited("cup.json", b'"owner": ', b'"note": 1, "owner": '), WRITTEN % "cup.json"),
        (edited("log.jsonl", b'"table":', b'"note":1,"table":'), WRITTEN % "log.jsonl"),
        (edited("standings.json", b'"score": ', b'"score": 9, "score": '), WRITTEN % "standings.json"),
        (edited("standings.json", b'"score": ', b'"note": 1, "score": '), WRITTEN % "standings.json"),
    ],
)
def test_a_forger_who_writes_the_sums_anew_is_found_by_what_follows_from_what(files: Files, says: str) -> None:
    texts = found(files)
    assert any(says in text for text in texts), texts


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "It has no file cup.json"),
        ({**WHOLE, "cup.json": b"{"}, "cup.json cannot be read"),
        (edited("cup.json", b'"bundle": 4', b'"bundle": 5'), "Bundles of version 4"),
        (edited("cup.json", b'"bundle": 4', b'"bundle": 3'), "Bundles of version 4"),
        (edited("cup.json", SECRET.hex().encode(), b"zz"), "The settings in cup.json cannot be read"),
        ({**WHOLE, "log.jsonl": b"{}\n"}, "Line 1 of log.jsonl cannot be read"),
        ({**WHOLE, "log.jsonl": WHOLE["log.jsonl"] + b"junk"}, r"Line \d+ of log.jsonl cannot be read"),
        ({**WHOLE, "cup.json": b'{"settings":' + b'{"a":' * 100_000}, "cup.json cannot be read"),
        ({**WHOLE, "log.jsonl": b'{"a":' * 100_000}, "Line 1 of log.jsonl cannot be read"),
        ({**WHOLE, "cup.json": b" " * (FILE_BYTES + 1)}, "cup.json is too big"),
        (edited("cup.json", b'"owner": "', b'"owner": "\xff'), "cup.json cannot be read"),
        (edited("log.jsonl", b'"entrant":"', b'"entrant":"\xff'), "Line 1 of log.jsonl cannot be read"),
        (edited("log.jsonl", b'"players":', b'"nonce":"\xc3\xa9","players":'), "Line 1 of log.jsonl cannot be read"),
    ],
)
def test_what_is_no_bundle_is_refused_with_a_sentence(files: Files, says: str) -> None:
    with pytest.raises(BadBundle, match=says):
        found(files)
    with pytest.raises(BadBundle, match="no bundle"):
        Bundle(io.BytesIO(b"not a zip"))


def test_a_match_that_is_said_to_be_aborted_has_a_replay_that_says_so_too() -> None:
    files = lines(lambda log: log.__setitem__(8, b'{"type":"ended","at":103.0,"match":1,"table":"t11"}\n'))
    assert "Match 1 at t11: its result is not the one of its replay." in found(files)
    del files["matches/t11.jsonl"]
    assert "Match 1 at t11: its replay is missing." in found(files)


def test_what_was_broken_off_is_told_though_it_may_be_true() -> None:
    def stop(log: list[bytes]) -> None:
        log[8:] = [b'{"type":"ended","at":103.0,"match":1,"table":"t11"}\n', log[9]]
        log.append(b'{"type":"turned","at":104.0,"state":"stopped"}\n')

    assert aborted_matches_text(packed_anew(WHOLE)) == []
    assert aborted_matches_text(packed_anew(lines(stop))) == [
        "The cup was stopped after 0 of 6 matches.",
        "Match 1 at t11 was broken off and counts for nobody.",
        "Match 2 at t12 was broken off and counts for nobody.",
    ]


def test_who_was_sent_away_before_the_start_changes_nothing_and_does_not_enter_without_a_pardon() -> None:
    entered = b'{"type":"entered","at":100.0,"entrant":"eve","players":["eve"]}\n'
    kicked, pardoned = (b'{"type":"%s","at":100.0,"entrant":"eve"}\n' % word for word in (b"kicked", b"pardoned"))
    assert found(lines(lambda log: log.__setitem__(slice(0), [entered, kicked]))) == []
    again = [entered, kicked, pardoned, entered, kicked]
    assert found(lines(lambda log: log.__setitem__(slice(0), again))) == []
    (told,) = found(lines(lambda log: log.__setitem__(slice(0), [entered, kicked, entered])))
    assert "You were sent away" in told
