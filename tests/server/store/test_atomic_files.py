"""Files that are there whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path

import pytest

from server.store.atomic_files import LEFT_SECONDS, atomic_write, create_temporary


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_f04_what_cannot_be_written_to_its_end_leaves_nothing_and_what_was_there_stays(
    tmp_path: Path, error: BaseException
) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")

    def write() -> None:
        with atomic_write(page) as half:
            half.write_text("ha")
            half.with_name(f"{half.name}-wal").write_text("SQLite's")
            raise error

    with pytest.raises(type(error)):
        write()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert page.read_text() == "old"


def test_a_half_file_that_a_kill_left_is_taken_away_and_the_new_one_may_be_read_by_whom_it_is_for(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    left = create_temporary(copy)
    left.write_text("the half of an earlier one")
    os.utime(left, (0, time.time() - LEFT_SECONDS - 1))
    with atomic_write(copy, new=True, mode=0o600) as half:
        assert half.read_bytes() == b""
        assert not copy.exists()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [copy]
    with pytest.raises(FileExistsError), atomic_write(copy, new=True):
        pass


@pytest.mark.parametrize("links", [True, False])
def test_of_two_who_write_the_same_new_file_at_once_one_is_refused_and_the_other_s_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    copy = tmp_path / "copy"

    def link(_half: Path, _file: Path) -> None:
        raise PermissionError

    if not links:  # on a stick, say
        monkeypatch.setattr(os, "link", link)
    late = atomic_write(copy, new=True)
    late.__enter__().write_text("the late one's")
    with atomic_write(copy, new=True) as early:
        early.write_text("the early one's")
    with pytest.raises(FileExistsError):
        late.__exit__(None, None, None)
    assert copy.read_text() == "the early one's"
    assert list(tmp_path.iterdir()) == [copy]


def test_without_links_who_comes_between_the_last_look_and_the_move_is_refused_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, replace = tmp_path / "copy", os.replace
    refused = list[FileExistsError]()

    def link(_half: Path, _file: Path) -> None:
        raise PermissionError

    def move(half: Path, file: Path) -> None:
        monkeypatch.setattr(os, "replace", replace)
        try:
            with atomic_write(copy, new=True) as other:
                other.write_text("the other one's")
        except FileExistsError as error:
            refused.append(error)
        replace(half, file)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "replace", move)
    with atomic_write(copy, new=True) as half:
        half.write_text("the first one's")
    assert (copy.read_text(), len(refused)) == ("the first one's", 1)


def test_two_who_write_one_file_again_do_not_meet_in_its_half(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with atomic_write(page) as one:
        one.write_text("one's")
        with atomic_write(page) as another:
            another.write_text("another's")
        assert page.read_text() == "another's"
    assert page.read_text() == "one's"
