"""Does with a unit what systemd would: `python -m tests.e2e.systemctl start magehall`, for a test without systemd.

The environment names the folder below which everything is (TOP) and a port that is free (PORT).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

FOLDERS = (
    "/opt/magehall",
    "/var/lib/magehall",
    "/var/backups/magehall",
    "/var/log/magehall",
    "/etc/",
    "/usr/local/bin/",
)


def moved(text: str, top: str) -> str:
    """The text with the page's folders below that one."""
    for folder in FOLDERS:
        text = re.sub(rf"(?<![\w/]){re.escape(folder)}", f"{top}{folder}", text)
    return text


def settings(text: str) -> dict[str, str]:
    """The lines of a unit or an environment file by name."""
    return dict(line.split("=", 1) for line in text.splitlines() if re.match(r"\w+=", line))


def main(words: list[str]) -> None:
    """Raises CalledProcessError, TimeoutError."""
    top = Path(os.environ["TOP"])
    pid = top / "pid"
    unit = settings(moved((top / "etc/systemd/system/magehall.service").read_text(encoding="utf-8"), str(top)))
    command, *names = [word for word in words if not word.startswith("-")]
    if names not in ([], ["magehall"]):
        raise SystemExit(f"no unit {names}")
    if command == "reload":
        subprocess.run(unit["ExecReload"].replace("$MAINPID", pid.read_text()).split(), check=True)
    if command in ("stop", "restart"):
        subprocess.run(unit["ExecStop"].removeprefix("-").split(), check=False, stdout=subprocess.DEVNULL)
    if command in ("stop", "restart", "kill"):
        _end(int(pid.read_text()))
    if command in ("enable", "start", "restart"):
        _start(unit, top, pid)


def _start(unit: dict[str, str], top: Path, pid: Path) -> None:
    """Returns once the server answers its operator."""
    options = ""
    with suppress(FileNotFoundError):
        options = settings(Path(unit["EnvironmentFile"].removeprefix("-")).read_text(encoding="utf-8"))["OPTIONS"]
    for folder in ("lib", "log"):
        (top / "var" / folder / "magehall").mkdir(mode=0o700, parents=True, exist_ok=True)
    words = [*moved(unit["ExecStart"].replace("$OPTIONS", options), "").split(), "--port", os.environ["PORT"]]
    words[words.index("--lan")] = "--host=127.0.0.1"
    with (top / "journal").open("ab") as journal:
        server = subprocess.Popen(
            words, stdout=journal, stderr=journal, stdin=subprocess.DEVNULL, start_new_session=True
        )
    pid.write_text(str(server.pid))
    for _ in range(600):
        if (top / "var/lib/magehall/admin").is_socket():
            return
        if server.poll() is not None:
            raise SystemExit((top / "journal").read_text(encoding="utf-8"))
        time.sleep(0.05)
    raise TimeoutError("the server does not listen")


def _end(pid: int) -> None:
    """Has it end as a stop does, and waits."""
    for number in range(600):
        try:
            os.kill(pid, 0 if number else signal.SIGTERM)
            if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.05)
    raise TimeoutError("the server does not end")


if __name__ == "__main__":
    main(sys.argv[1:])
