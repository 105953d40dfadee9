"""An evening in real terminals: a guided first match, and a host with a guest."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.helpers.terminal import Terminals, needs_tmux, terminals

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
pytestmark = needs_tmux


def test_the_first_lessons_fit_a_small_terminal_and_a_wide_one(terminals: Terminals) -> None:
    terminal = terminals.open("one", f"{MAGEHALL} learn ikasamage --name ann", columns=40, rows=20, cwd=ROOT)
    terminal.wait(lambda seen: "Lesson 1 of 12: a secret bet" in seen and "Type: bet 5" in seen)
    terminals.tmux("resize-window", "-t", "=one:", "-x", "120", "-y", "40")
    terminal.type("bett 5")
    terminal.wait(lambda seen: "mean: bet 5?" in seen and seen.count("Type: bet 5") == 2)
    terminal.type("bet 3")
    terminal.wait(lambda seen: "That bet is as good as any" in seen and "Lesson 2 of 12" in seen)
    terminal.press("C-c", "C-c")
    terminal.wait_for("ended=130")


def test_a_host_serves_and_plays_and_is_warned_before_the_server_ends_for_a_guest(terminals: Terminals) -> None:
    serving = f"{MAGEHALL} host --port 0 --data :memory: --seats 3 --bots random --name ann"
    ann = terminals.open("ann", serving, cwd=ROOT)
    seen = ann.wait(lambda seen: re.search(r"The others type: .*--port \d+", seen) is not None)
    (port,) = re.findall(r"The others type: .*--port (\d+)", seen)[-1:]
    ann.wait_for("Waiting for 1 more")
    bob = terminals.open("bob", f"{MAGEHALL} play --host 127.0.0.1 --port {port} --name bob --plain", cwd=ROOT)
    bob.wait_for("The match begins: 1 ann, 2 random, 3 bob.")
    ann.type("invite qr")
    ann.wait_for("\N{FULL BLOCK}" * 20)
    ann.press("C-c")
    ann.wait_for("The server ends with you, and bob is here. Press Ctrl-C again to leave.")
    ann.press("C-c")
    ann.wait_for("ended=130")
    bob.wait_for("The server is stopping.")
