"""Data that another user of the machine could change are refused, with the command that mends it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from server.store.file import CannotOpen
from server.store.folder_permissions import check_folder_private
from server.store.reading import FILE, FILES, LOCK
from server.store.sqlite import open_store


def why_not(folder: Path) -> str:
    """The sentence with which the folder is refused, without anything being made in it."""
    before = sorted(folder.iterdir()) if folder.exists() else []
    with pytest.raises(CannotOpen) as refused:
        open_store(folder)
    assert (sorted(folder.iterdir()) if folder.exists() else []) == before
    return str(refused.value)


def mended(text: str) -> None:
    """Does what the sentence says."""
    command = re.search("`(.+?)`", text)
    assert command, text
    subprocess.run(shlex.split(command[1]), check=True)


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777, 0o720])
def test_a_data_folder_that_others_can_write_is_refused_until_it_is_mended(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "my data"
    folder.mkdir()
    folder.chmod(mode)
    text = why_not(folder)
    assert text.startswith(f"Other users of this machine can write to {folder}")
    mended(text)
    open_store(folder).close()


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_a_data_folder_that_others_can_only_read_is_taken(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(mode)
    open_store(folder).close()


@pytest.mark.parametrize("name", [FILE, LOCK, f"{FILE}-wal"])
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_of_the_data_that_others_can_write_is_refused(tmp_path: Path, name: str, mode: int) -> None:
    open_store(tmp_path / "data").close()
    file = tmp_path / "data" / name
    file.touch()
    file.chmod(mode)
    text = why_not(tmp_path / "data")
    assert str(file) in text
    mended(text)
    open_store(tmp_path / "data").close()


def test_a_data_folder_that_is_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    open_store(tmp_path / "data").close()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert why_not(tmp_path / "link").endswith(f"--data {tmp_path / 'data'}")
    (tmp_path / "nowhere").symlink_to(tmp_path / "not there")
    assert "symbolic link" in why_not(tmp_path / "nowhere")


@pytest.mark.parametrize("name", [FILE, LOCK])
def test_a_file_of_the_data_that_is_a_symbolic_link_is_refused(tmp_path: Path, name: str) -> None:
    folder, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    open_store(folder).close()
    (folder / name).rename(elsewhere)
    (folder / name).symlink_to(elsewhere)
    text = why_not(folder)
    assert str(folder / name) in text
    mended(text)
    open_store(folder).close()


def test_a_data_folder_below_one_that_everybody_can_write_is_refused_unless_that_is_sticky(tmp_path: Path) -> None:
    above, folder = tmp_path / "shared", tmp_path / "shared" / "mine" / "data"
    folder.mkdir(parents=True)
    above.chmod(0o777)
    text = why_not(folder)
    assert str(above) in text
    mended(text)
    open_store(folder).close()
    above.chmod(0o1777)
    open_store(folder).close()


@pytest.mark.parametrize("whose", ["folder", FILE])
def test_data_of_another_user_are_refused(tmp_path: Path, whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(tmp_path).close()
    path, status = tmp_path if whose == "folder" else tmp_path / whose, Path.lstat

    def lstat(one: Path) -> os.stat_result:
        found = list(status(one))
        if one == path:
            found[4] = 12_345
        return os.stat_result(found)

    monkeypatch.setattr(Path, "lstat", lstat)
    with pytest.raises(CannotOpen, match=f"{path} belongs to 12345"):
        check_folder_private(tmp_path, FILES)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
def test_data_that_were_given_to_another_user_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    os.chown(folder, 12_345, -1)
    text = why_not(folder)
    assert text.startswith(f"{folder} belongs to 12345")
    mended(text.replace("sudo ", ""))
    open_store(folder).close()
