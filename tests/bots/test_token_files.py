"""The files in which a user's tokens are kept: nobody else's to read, whole or not there."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from bots.sdk.tokens import Tokens, state_folder


def test_tokens_are_kept_in_files_that_nobody_else_can_read(tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    Tokens(folder).put("here:1", "ann", "secret")
    assert Tokens(folder).get("here:1", "ann") == "secret"
    assert Tokens(folder).get("here:2", "ann") == ""
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_token_that_cannot_be_written_is_kept_in_memory_and_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    reports: list[str] = []
    tokens = Tokens(tmp_path / "file" / "tokens", reports.append)
    tokens.put("here:1", "ann", "secret")
    assert tokens.get("here:1", "ann") == "secret"
    assert len(reports) == 1
    assert reports[0].startswith("The name ann is yours only until this program ends")


@pytest.mark.parametrize("step", ["write", "fsync"])
def test_a_token_that_the_disk_has_no_room_for_leaves_no_empty_file_that_is_in_the_way_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(_file: int, *_data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    reports: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(os, step, full)
        Tokens(tmp_path, reports.append).put("here:1", "ann", "secret")
    assert len(reports) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_where_a_token_should_be_is_none(tmp_path: Path) -> None:
    (tmp_path / "here:1:ann").write_text("")
    assert Tokens(tmp_path).put("here:1", "ann", "secret") == "secret"
    assert Tokens(tmp_path).get("here:1", "ann") == "secret"
    assert Tokens(tmp_path).put("here:1", "ann", "later") == "secret"


def test_tokens_follow_the_users_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert state_folder() == Path("/somewhere/magehall")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert state_folder() == Path.home() / ".local/state/magehall"


def test_of_two_processes_that_make_a_token_at_once_both_have_the_first_ones(tmp_path: Path) -> None:
    first, second = Tokens(tmp_path), Tokens(tmp_path)
    assert first.put("here:1", "ann", "one") == "one"
    assert second.put("here:1", "ann", "two") == "one"
    assert second.get("here:1", "ann") == "one"
