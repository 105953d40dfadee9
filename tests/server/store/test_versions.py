"""Data that each version of the file's layout wrote is read, and played on, by every later version.

`python -m tests.server.store.test_versions FILE` wrote the files that lie beside this one, each by the server of its
time; they are not to be written again, or they would prove nothing.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
import trio

from protocol.proof import token_key
from server.config import Config
from server.store import file as data_file
from server.store import sqlite
from server.store.file import FIRST_VERSION, MIGRATIONS, VERSION, CannotOpen, open_read_only
from server.store.housekeeping import restore_backup
from server.store.reading import FILE, current_subjects, last_write_times, read_rows, readable_subjects
from server.store.sqlite import open_store
from tests.helpers.hall import Hall

STORED = {version: Path(__file__).parent / f"version-{version}.db" for version in range(FIRST_VERSION, VERSION + 1)}
CONFIG = Config(port=0, house_seconds=0.0, keep_seconds=0.0)
TOKEN = "0123456789abcdef0123456789abcdef"  # ann's


async def write(file: Path) -> None:
    """A finished match t1, a running one t2 after a turn and some talk, an open table t3, and two names."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        async with trio.open_nursery() as nursery:
            hall = Hall(nursery, CONFIG, store=store)
            ann, bob = await hall.table_of("ann", "bob")
            async with trio.open_nursery() as playing:
                playing.start_soon(ann.play_on)
                playing.start_soon(bob.play_on)
            await ann.ask("open", game="toy", seats=3, clock={"main": 60, "increment": 30})
            await bob.ask("join", table="t2", nonce="luck")
            await ann.ask("add", table="t2", bot="first")
            await ann.ask("start", table="t2")
            turn = await ann.next("turn")
            await ann.ask("act", table="t2", turn=1, action=turn["legal"][0])
            await bob.ask("say", table="t2", text="well played")
            await ann.ask("open", game="toy", seats=2)
            await hall.lobby.journal.wait_until_written()
            await trio.sleep(1.1)
            hall.lobby.tables.remove_stale_tables()
            await hall.lobby.journal.wait_until_written()
            player = hall.lobby.people.find_player("ann")
            assert player is not None
            player.key = token_key(TOKEN)
            player.save()
            await hall.lobby.journal.wait_until_written()
            store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy(Path(folder) / FILE, file)
            nursery.cancel_scope.cancel()
        store.close()


@pytest.mark.parametrize("version", STORED)
async def test_data_of_every_version_is_read_and_played_on(tmp_path: Path, version: int) -> None:
    shutil.copy(STORED[version], tmp_path / FILE)
    store = open_store(tmp_path)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, CONFIG, store=store)
        assert {table.id: table.state for table in hall.lobby.tables.values()} == {"t2": "playing", "t3": "open"}
        stranger = await hall.connect()
        assert (await stranger.ask("hello", name="bob"))["code"] == "name_taken"
        ann = await hall.again("ann", TOKEN)
        answer = await ann.ask("resume", table="t2", after=0)
        assert answer["type"] == "resumed"
        assert (await ann.next("chat"))["text"] == "well played"
        table = hall.lobby.tables["t2"]
        assert [seat_state.name for seat_state in table.seating.seat_states] == ["ann", "bob", "first"]
        assert table.require_match().header.nonces == ("", "luck", "")
        bob = hall.lobby.people.find_player("bob")
        assert bob is not None
        table.require_live_match().take_over(table.seating.seat_state(2), "left")
        assert (await ann.play_on())["type"] == "over"
        nursery.cancel_scope.cancel()
    assert len(store.read("t1")) > 6, "what was played is kept"
    store.close()


@pytest.mark.parametrize("version", STORED)
def test_the_stored_file_has_its_version_and_opening_it_brings_it_up_to_date(tmp_path: Path, version: int) -> None:
    with closing(sqlite3.connect(f"{STORED[version].as_uri()}?mode=ro&immutable=1", uri=True)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (version,)
    shutil.copy(STORED[version], tmp_path / FILE)
    store = open_store(tmp_path)
    assert store._file.execute("PRAGMA user_version").fetchone() == (VERSION,)
    store.close()


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next version of the layout has one more column."""
    monkeypatch.setattr(data_file, "MIGRATIONS", (*MIGRATIONS, ("ALTER TABLE rows ADD COLUMN more",)))
    for module in (data_file, sqlite):
        monkeypatch.setattr(module, "VERSION", VERSION + 1)


@pytest.mark.usefixtures("newer")
def test_data_of_an_older_layout_are_copied_before_they_change_and_the_log_names_the_copy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copy(STORED[VERSION], tmp_path / FILE)
    for _ in range(2):
        open_store(tmp_path).close()
    (copy,) = tmp_path.glob("magehall-layout-*")
    assert [record.getMessage() for record in caplog.records] == [
        f"the layout of the data changes from version {VERSION} to {VERSION + 1}; the old data is kept in {copy}"
    ]
    restore_backup(tmp_path / "back", copy, lambda _file: None)
    before = tmp_path / "before.db"
    shutil.copy(STORED[VERSION], before)
    with open_read_only(tmp_path / "back" / FILE) as file, open_read_only(before) as stored:
        assert file.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert [*file.execute("SELECT * FROM rows")] == [*stored.execute("SELECT * FROM rows")]


@pytest.mark.usefixtures("newer")
def test_a_layout_is_not_changed_where_the_copy_has_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_file: sqlite3.Connection, _target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    shutil.copy(STORED[VERSION], tmp_path / FILE)
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "copy_database", fail)
        with pytest.raises(CannotOpen, match=r"No space left on device\. Nothing was changed\."):
            open_store(tmp_path)
    with open_read_only(tmp_path / FILE) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (VERSION,)
    open_store(tmp_path).close()


@pytest.mark.parametrize("version", range(1, FIRST_VERSION))
def test_data_from_before_the_first_release_are_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    open_store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        file.execute(f"PRAGMA user_version = {version}")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(CannotOpen, match="before the first release"):
        open_store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_new_server_copies_nothing(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    assert not list(tmp_path.glob("magehall-*"))


@pytest.mark.parametrize("version", STORED)
def test_data_of_every_version_is_looked_at_without_changing_it(tmp_path: Path, version: int) -> None:
    shutil.copy(STORED[version], tmp_path / FILE)
    with open_read_only(tmp_path / FILE) as file:
        assert {"lobby", "name:ann", "name:bob", "t1", "t2", "t3"} == {*readable_subjects(file)}
        assert current_subjects(file) == ["name:ann", "name:bob", "t2", "t3"]
        assert last_write_times(file).keys() >= {"t1", "t2"}
        assert len(read_rows(file, "t1")) > 6
    assert (tmp_path / FILE).read_bytes() == STORED[version].read_bytes()


if __name__ == "__main__":
    trio.run(write, Path(sys.argv[1]))
