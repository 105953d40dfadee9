"""Files that are there whole, or not at all."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

import pytest

from server.store.whole import half_of, whole


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_f04_what_cannot_be_written_to_its_end_leaves_nothing_and_what_was_there_stays(
    tmp_path: Path, error: BaseException
) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")

    def write() -> None:
        with whole(page) as half:
            half.write_text("ha")
            half.with_name(f"{half.name}-wal").write_text("SQLite's")
            raise error

    with pytest.raises(type(error)):
        write()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert page.read_text() == "old"


def test_a_half_file_that_a_kill_left_is_written_anew_and_may_be_read_by_whom_it_is_for(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    half_of(copy).write_text("the half of an earlier one")
    with whole(copy, new=True, mode=0o600) as half:
        assert half.read_bytes() == b""
        assert not copy.exists()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError), whole(copy, new=True):
        pass
