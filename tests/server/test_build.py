"""Which build runs, as a server says it."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from server import build
from server.build import build_version

COMMIT, OTHER = "3c9db1b8" + 32 * "0", "f" * 40


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    build_version.cache_clear()
    monkeypatch.setattr(build, "version", lambda _name: "1.0.0.dev1809+g11111111")


def test_an_installed_build_says_its_version(tmp_path: Path) -> None:
    assert build_version(tmp_path) == "1.0.0.dev1809+g11111111"


def test_a_build_that_is_not_installed_says_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(build, "version", missing)
    assert build_version(tmp_path) == "0"


def test_a_checkout_says_the_commit_wherever_git_keeps_it(tmp_path: Path) -> None:
    git = tmp_path / "main" / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
    assert build_version(tmp_path / "main") == "1.0.0.dev+g3c9db1b8"
    build_version.cache_clear()
    (git / "refs" / "heads" / "main").unlink()
    (git / "packed-refs").write_text(f"# pack-refs\n{OTHER} refs/heads/other\n{COMMIT} refs/heads/main\n")
    assert build_version(tmp_path / "main") == "1.0.0.dev+g3c9db1b8"
    build_version.cache_clear()
    (git / "HEAD").write_text(f"{OTHER}\n")
    assert build_version(tmp_path / "main") == "1.0.0.dev+gffffffff", "no branch is checked out"
    tree = git / "worktrees" / "tree"
    tree.mkdir(parents=True)
    (tree / "HEAD").write_text("ref: refs/heads/main\n")
    (tree / "commondir").write_text("../..\n")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text(f"gitdir: {tree}\n")
    assert build_version(tmp_path / "tree") == "1.0.0.dev+g3c9db1b8"


@pytest.mark.parametrize("head", ["", "ref: refs/heads/none", "nonsense", "\udcff"])
def test_a_damaged_checkout_says_the_installed_version(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(head.encode("utf-8", "surrogateescape"))
    assert build_version(tmp_path) == "1.0.0.dev1809+g11111111"
