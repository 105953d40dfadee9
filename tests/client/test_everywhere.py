"""What works on every system and in every locale: modules that import, output that is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MISSING = ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty")

IMPORT_ALL = f"""
import pkgutil, select, signal, socket, sys
import asyncio, filelock, prompt_toolkit.shortcuts, prompt_toolkit.input.defaults, rich.progress, trio  # they know how
sys.modules.update(dict.fromkeys({MISSING!r}))  # to import one of them is an ImportError
del select.epoll, socket.AF_UNIX
names = [name for top in sys.argv[1:] for name in (top, *(m.name for m in pkgutil.walk_packages([top], top + ".")))]
for name in names:
    if not name.endswith("__main__"):
        __import__(name)
print(len(names))
"""


def test_every_module_imports_where_a_system_has_only_what_all_have() -> None:
    tops = ("games", "protocol", "matches", "tournaments", "people", "server", "bots", "client", "magehall")
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *tops], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr[-600:]
    assert int(done.stdout) > 200


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.soak)])  # which has more
def test_a_locale_without_the_letters_of_a_text_is_no_error(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "magehall", "cards", "mages-110m", "--lang", "fr"],
        capture_output=True,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Genoux de grenouille" in done.stdout.decode(encoding)
