"""Makes the pictures of the pages from the real programs: `python -m tests.helpers.pictures`.

It needs tmux and chromium. Two pictures are SVGs of a terminal: a match in the client, and the standings of a
tournament. One is a PNG of a match in a browser on a phone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
MAGEHALL = Path(sys.executable).with_name("magehall")
PATIENCE_SECONDS = 60.0
FONT = re.compile(r" *@font-face \{.*?\}\n", re.DOTALL)  # of another site; a browser has a monospaced one
BOARD = ("play", "ikasamage", "--seats", "4", "--name", "Ada", "--seed", "7")
STANDINGS = (
    *("tournament", "run", "ikasamage", "--bot", "random", "--bot", "greedy:easy", "--bot", "greedy"),
    *("--bot", "greedy:hard", "--seats", "4", "--rounds", "20", "--seed", "7", "--local"),
)

PHONE = (360, 740)
PHONE_LINES = (
    ("open ikasamage 3", "You have seat 1."),
    ("add greedy", "2 greedy"),
    ("add greedy", "Every seat is taken"),
    ("start", "The match begins"),
    ("bet 2 3", "Your bet is on 2 3"),
)


class Terminal:
    """A program in a terminal of that size, driven by tmux.

    Args:
        command: The program and its arguments.
        columns: Width in characters.
        rows: Height in lines.
        home: A folder for what the program keeps.
    """

    def __init__(self, command: Sequence[str], columns: int, rows: int, home: Path) -> None:
        self._socket = str(home / "tmux")
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        size = ("-x", str(columns), "-y", str(rows))
        self._tmux("new-session", "-d", *size, *command, environment=environment)

    def _tmux(self, *arguments: str, environment: dict[str, str] | None = None) -> str:
        made = ["tmux", "-S", self._socket, *arguments]
        return subprocess.run(made, check=True, capture_output=True, text=True, env=environment).stdout

    def type(self, line: str) -> None:
        """Types a line."""
        self._tmux("send-keys", line, "Enter")

    def wait_for(self, text: str) -> None:
        """Waits until the screen shows the text. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE_SECONDS
        while text not in self._tmux("capture-pane", "-p"):
            if time.monotonic() > until:
                raise TimeoutError(f"the screen does not show {text!r}")
            time.sleep(0.1)

    def screen(self) -> str:
        """Returns what the screen shows, with its colours as escape sequences."""
        return self._tmux("capture-pane", "-e", "-p").rstrip("\n")

    def close(self) -> None:
        """Ends the program."""
        self._tmux("kill-server")


def phone(home: Path) -> None:
    """Writes a picture of a match in a browser of the size of a phone."""
    from tests.helpers.browser import open_browser

    environment = {**os.environ, "XDG_STATE_HOME": str(home)}
    command = [str(MAGEHALL), "serve", "--port", "0", "--web", "0", "--data", "", "--no-operator-word"]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server,
        open_browser() as browser,
    ):
        assert server.stderr is not None
        address = next(line.strip() for line in server.stderr if line.strip().startswith("http"))
        tab = browser.open(address, *PHONE)
        tab.wait("!document.getElementById('enter').hidden")
        tab.tap("document.getElementById('name')")
        tab.type("Ada")
        tab.tap("document.querySelector('#enter button')")
        tab.wait_for("Welcome, Ada.")
        for line, shown in PHONE_LINES:
            tab.run(f"send({line!r})")
            tab.wait_for(shown)
        tab.wait("document.body.classList.contains('awaited')")
        time.sleep(0.5)
        tab.screenshot(FOLDER / "phone.png")
        server.terminate()


def to_svg(shown: str, columns: int, title: str, path: Path) -> None:
    """Writes a screen as SVG."""
    console = Console(record=True, width=columns, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi(shown))
    svg = console.export_svg(title=title)
    path.write_text(FONT.sub("", svg), encoding="utf-8")


def main() -> None:
    """Makes all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal([str(MAGEHALL), *BOARD], 92, 28, Path(folder))
        terminal.wait_for("bet 2 5")
        terminal.type("bet 2 3")
        terminal.wait_for("Cast a spell")
        time.sleep(1.0)
        to_svg(terminal.screen(), 92, "magehall play ikasamage", FOLDER / "board.svg")
        terminal.close()
        phone(Path(folder))
    standings = subprocess.run([MAGEHALL, *STANDINGS], check=True, capture_output=True, text=True, cwd=ROOT)
    to_svg(standings.stdout.split("\nscore: ")[0], 112, "magehall tournament run", FOLDER / "standings.svg")


if __name__ == "__main__":
    main()
