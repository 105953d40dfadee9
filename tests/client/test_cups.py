"""`magehall tournament export`, `audit` and `standings`: a cup in a server's folder, from outside."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sqlite3
import zipfile
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from typer.testing import CliRunner

from client.cli.app import app
from client.cli.serving import load_games
from client.house import BotHouse
from protocol.messages import ClockRule
from server.app import App, serve
from server.config import Config
from server.cups.cup_rows import cup_subject
from server.cups.kept_cups import read_stored_cup
from server.cups.live_cup import LiveCup
from server.store.reading import FILE
from server.store.rows import DamagedData
from server.store.sqlite import open_store
from tournaments.cup import FINISHED, PAUSED, RUNNING, STOPPED, Cup, CupSettings, Entry, MatchEnded

cli = CliRunner()
CONFIG = Config(port=0, grace=0.01, house_seconds=0.0, goodbye_seconds=0.1)
PLAYED: dict[tuple[int, str, tuple[str, ...], int], dict[str, bytes]] = {}  # the files of cups, by how they were held


async def kept(
    folder: Path, *, matches: int = 0, then: str = PAUSED, cards: tuple[str, ...] = (), rounds: int = 1
) -> None:
    """A cup in that folder whose entrants are all away, so that house bots play it, two matches a round; paused or
    stopped after so many matches. One that was played is copied."""
    known = PLAYED.setdefault((matches, then, cards, rounds), {})
    if not known:
        await hold(folder, matches, then, cards, rounds)
        known.update({path.name: path.read_bytes() for path in folder.iterdir()})  # noqa: ASYNC240
    folder.mkdir(exist_ok=True)  # noqa: ASYNC240
    for name, data in known.items():
        (folder / name).write_bytes(data)


async def hold(folder: Path, matches: int, then: str, cards: tuple[str, ...], rounds: int) -> None:
    store = open_store(folder)
    async with trio.open_nursery() as nursery:
        server: App = await nursery.start(partial(serve, CONFIG, load_games(cards), BotHouse(), store=store))
        live = server.lobby.cups.open_cup(
            CupSettings(
                "friday", "ann", "mages-110m", 2, ClockRule(), "round_robin", "fresh", rounds, 1, bytes(range(32))
            )
        )
        for name in ("ann", "bob"):
            server.lobby.cups.enter_entrant(live, name, (name,), 1)
        await played(server, live, matches, then)
        server.stopping.set()
    store.close()


async def played(server: App, live: LiveCup, matches: int, then: str) -> None:
    enough = trio.Event()

    def note(entry: Entry) -> None:
        if isinstance(entry, MatchEnded) and len(live.cup.results) == matches:
            server.lobby.cups.change_state(live, then)
        if live.cup.state in (then, FINISHED):
            enough.set()

    live.on_entry = note
    server.lobby.cups.change_state(live, RUNNING)
    await enough.wait()
    await server.lobby.journal.wait_until_written()


async def test_a_cup_is_exported_and_audited_and_a_match_that_was_changed_is_named(tmp_path: Path) -> None:
    await kept(tmp_path / "data")
    data = ["--data", str(tmp_path / "data")]
    assert cli.invoke(app, ["data", "check", *data]).stdout.endswith("damaged: 0.\n")
    bundle, forged = tmp_path / "friday.zip", tmp_path / "forged.zip"
    result = cli.invoke(app, ["tournament", "export", "Friday", str(bundle), *data])
    assert (result.exit_code, result.stdout.split(":")[1][:11]) == (0, " 2 matches,"), result.output
    digest = f"SHA-256 {hashlib.sha256(bundle.read_bytes()).hexdigest()}"
    assert digest in result.stdout
    again = cli.invoke(app, ["tournament", "export", "friday", str(bundle), *data])
    assert (again.exit_code, "already exists" in again.stderr) == (1, True)
    result = cli.invoke(app, ["tournament", "audit", str(bundle)])
    assert (result.exit_code, "is valid. friday, 2 matches" in result.stdout) == (0, True), result.output
    assert digest.replace(" ", " is ") in result.stdout
    result = cli.invoke(app, ["tournament", "audit", str(bundle), "--commitment", "00"])
    assert (result.exit_code, "--commitment" in result.stdout) == (1, True)
    assert result.stdout.endswith("friday, 2 matches: 1 error was found.\n")
    told = CupSettings("", "", "", 2, ClockRule(), "", "", 1, 1, bytes(range(32))).commitment
    assert cli.invoke(app, ["tournament", "audit", str(bundle), "--commitment", told.upper()]).exit_code == 0
    with zipfile.ZipFile(bundle) as there, zipfile.ZipFile(forged, "w") as packed:
        for name in there.namelist():
            old = b'"left":' if name == "matches/t2.jsonl" else b"nothing"
            packed.writestr(name, there.read(name).replace(old, b'"left":1', 1))
    result = cli.invoke(app, ["tournament", "audit", str(forged)])
    assert result.exit_code == 1
    assert "matches/t2.jsonl was changed after it was written.\nMatch 2 at t2: its replay does not" in result.stdout
    assert result.stdout.endswith(" errors were found.\n")
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    for source in (str(bundle), "friday"):
        result = cli.invoke(app, ["tournament", "report", source, str(page), "--json", str(figures), *data])
        assert result.exit_code == 0, result.output
        assert (
            page.read_text().count(">step through</a>")
            == len(msgspec.json.decode(figures.read_bytes())["matches"])
            == 2
        )
        page.unlink()
    result = cli.invoke(app, ["tournament", "standings", "friday", *data])
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "friday is finished: 2 of 2 matches of mages-110m")


async def test_a_cup_with_a_card_file_is_exported_audited_and_reported_with_that_file(tmp_path: Path) -> None:
    cards = "mages-110m=games/mages_110m/tiny-race.toml"
    await kept(tmp_path / "data", cards=(cards,))
    export = ["tournament", "export", "friday", "--data", str(tmp_path / "data")]
    assert cli.invoke(app, [*export, str(tmp_path / "without.zip")]).exit_code == 1
    bundle = str(tmp_path / "friday.zip")
    result = cli.invoke(app, [*export, bundle, "--cards", cards])
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert cli.invoke(app, ["tournament", "audit", bundle, "--cards", cards]).exit_code == 0
    page = tmp_path / "page.html"
    report = ["tournament", "report", "friday", str(page), "--data", str(tmp_path / "data")]
    assert cli.invoke(app, report).stderr.count("cards") == 2, "of each match"
    assert cli.invoke(app, [*report, "--cards", cards]).stderr.count("cards") == 0
    assert page.read_text().count(">step through</a>") == 2
    assert f"magehall tournament audit friday.zip --cards {cards}" in page.read_text()
    result = cli.invoke(app, ["tournament", "audit", bundle])
    assert result.stdout.startswith("cup.json names other rules or cards than those that are here.\n")
    assert cli.invoke(app, ["tournament", "audit", bundle, "--cards", "chess=x"]).exit_code == 2


async def test_a_cup_that_is_not_over_is_not_exported(tmp_path: Path) -> None:
    await kept(tmp_path / "data", matches=1, rounds=2)
    data = ["--data", str(tmp_path / "data")]
    result = cli.invoke(app, ["tournament", "export", "friday", str(tmp_path / "friday.zip"), *data])
    assert (result.exit_code, "friday is paused. Its secret" in result.stderr) == (1, True), result.output
    assert not (tmp_path / "friday.zip").exists()
    result = cli.invoke(app, ["tournament", "export", "monday", str(tmp_path / "friday.zip"), *data])
    assert "There is no cup monday" in result.stderr
    assert "There are: friday." in result.stderr


async def test_a_cup_that_was_stopped_holds_as_far_as_it_was_played(tmp_path: Path) -> None:
    await kept(tmp_path / "data", matches=1, then=STOPPED, rounds=2)
    result = cli.invoke(
        app, ["tournament", "export", "friday", str(tmp_path / "cup.zip"), "--data", str(tmp_path / "data")]
    )
    assert result.exit_code == 0, result.output
    result = cli.invoke(app, ["tournament", "audit", str(tmp_path / "cup.zip")])
    assert result.exit_code == 0, result.output
    told = result.stdout.splitlines()
    assert re.fullmatch(r"The cup was stopped after [12] of 4 matches\.", told[0]), "two may end together"
    assert all(one.endswith(" was broken off and counts for nobody.") for one in told[1:-3])
    assert "cup.zip is valid" in told[-3]


async def test_a_cup_that_was_read_before_reads_on_and_nothing_twice(tmp_path: Path) -> None:
    await kept(tmp_path)
    whole = read_stored_cup(tmp_path, "friday")
    known = Cup(whole.settings)
    for entry in whole.entries[:7]:
        known.apply(entry)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as file:
        file.execute("UPDATE rows SET data = x'00' WHERE subject = ? AND part <= 7", (cup_subject("friday"),))
    with pytest.raises(DamagedData):
        read_stored_cup(tmp_path, "friday")
    for _again in range(2):
        assert read_stored_cup(tmp_path, "friday", known) is known
        assert (known.entries, known.state) == (whole.entries, FINISHED)


async def test_a_match_that_is_damaged_is_named_and_the_report_has_the_others(tmp_path: Path) -> None:
    await kept(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as file:
        file.execute("UPDATE rows SET data = x'00' WHERE subject = 't2' AND part = 3")
    page = tmp_path / "page.html"
    result = cli.invoke(app, ["tournament", "report", "friday", str(page), "--data", str(tmp_path)])
    assert (result.exit_code, result.stderr) == (0, "t2: part 3 of t2 differs from what was written\n"), result.output
    assert page.read_text().count(">step through</a>") == 1


async def test_f04_a_disk_that_is_full_leaves_no_half_bundle_or_page_or_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_half: Path, file: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    await kept(tmp_path / "data")
    data = ["--data", str(tmp_path / "data")]
    (tmp_path / "there").mkdir()
    file = str(tmp_path / "there" / "file")
    commands = (["tournament", "export", "friday"], ["tournament", "report", "friday"], ["data", "backup"])
    for moving in ("os.link", "os.replace"):
        monkeypatch.setattr(moving, full)
    for words in commands:
        result = cli.invoke(app, [*words, file, *data])
        assert (result.exit_code, result.stdout) == (1, ""), words
        assert result.stderr == f"magehall: {file} cannot be written: No space left on device.\n"
        assert not list((tmp_path / "there").iterdir()), words
    monkeypatch.undo()
    for words in commands:
        result = cli.invoke(app, [*words, file, *data])
        assert result.exit_code == 0, result.output
        (tmp_path / "there" / "file").unlink()


async def test_a_report_goes_into_a_pipe_and_through_a_link_and_takes_the_place_of_neither(tmp_path: Path) -> None:
    await kept(tmp_path / "data")
    report = ["tournament", "report", "friday", "--data", str(tmp_path / "data")]
    pipe, link, page = tmp_path / "pipe", tmp_path / "link", tmp_path / "page"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)  # has room for the table, not for the page
    link.symlink_to(page)
    result = cli.invoke(app, [*report, str(link), "--csv", str(pipe)])
    assert result.exit_code == 0, result.output
    assert os.read(reader, 9) == b"rank,entr"
    os.close(reader)
    assert (pipe.is_fifo(), link.is_symlink(), page.read_text()[:5]) == (True, True, "<!doc")
    twice = cli.invoke(app, [*report, str(page), "--csv", str(page)])
    assert (twice.exit_code, "named twice" in twice.stderr) == (2, True)


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    result = cli.invoke(app, ["tournament", "audit", str(tmp_path / "x")])
    assert (result.exit_code, "It is no bundle" in result.stderr) == (1, True)
    result = cli.invoke(app, ["tournament", "audit", str(tmp_path / "y")])
    assert (result.exit_code, "cannot be read: No such file" in result.stderr) == (1, True)
