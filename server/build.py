"""The version of magehall that is running."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_COMMIT = re.compile(r"[0-9a-f]{40}")


@cache  # cached, because it reads files
def build_version(root: Path = ROOT) -> str:
    """Returns the version of magehall that is running: that of the installed package, or in a git checkout the release
    and the commit.

    An editable installation keeps the version of the day of its installation, so the commit is read each time.

    Args:
        root: The folder that holds the packages.

    Returns:
        One word, such as `1.0.0.dev1809+g3c9db1b8`; "0" if magehall is neither installed nor in a checkout.
    """
    try:
        installed = version("magehall")
    except PackageNotFoundError:
        installed = "0"
    commit = _commit(root)
    if not commit:
        return installed
    release = re.match(r"[0-9]+(\.[0-9]+)*", installed)
    return f"{release[0] if release else installed}.dev+g{commit[:8]}"


def _commit(root: Path) -> str:
    """Returns the commit that is checked out in that folder; "" if it is no git checkout."""
    try:
        folder = root / ".git"
        if folder.is_file():  # in a git worktree, `.git` is a file that names the folder
            folder = root / folder.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head if _COMMIT.fullmatch(head) else ""
        name = head.removeprefix("ref:").strip()
        shared = folder / "commondir"
        common = folder / shared.read_text(encoding="utf-8").strip() if shared.is_file() else folder
        if (common / name).is_file():
            found = (common / name).read_text(encoding="utf-8").strip()
        else:
            packed = (common / "packed-refs").read_text(encoding="utf-8")
            found = next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {name}")), "")
    except (OSError, UnicodeDecodeError):
        return ""
    return found if _COMMIT.fullmatch(found) else ""
