"""An evening of three in real terminals: they read the screen, and type only words that stand on it."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.terminal import DEADLINE, Terminal, Terminals, needs_tmux, terminals
from tests.people.test_tour import Reader

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
PROMPT = re.compile(r"^your turn>\s*$", re.MULTILINE)
ASKS = re.compile(r"^Your turn: (.*?)^your turn>", re.MULTILINE | re.DOTALL)
pytestmark = [needs_tmux, pytest.mark.timeout(180)]


class Player:
    """Somebody at a terminal who decides by the screen alone."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal, self._reader, self._typed_on = terminal, Reader(), ""

    def types(self, word: str) -> None:
        """Types a word that stands on the screen."""
        self.terminal.wait(lambda _seen: re.search(rf"\b{word}\b", self.terminal.screen()) is not None)
        self.terminal.type(word)

    def decides(self) -> bool:
        """Decides, if asked. Returns whether the match is over."""
        screen = self.terminal.screen()
        if "Type: rematch" in screen:
            return True
        if "The match is over." in screen and "Enter shows the board" in screen:
            self.terminal.press("Enter")
            self.terminal.wait(lambda _seen: "Type: rematch" in self.terminal.screen())
            return True
        is_old = screen == self._typed_on or ("Enter shows the board" in screen and self._reader.typed[-1:] != ["?"])
        if PROMPT.search(screen) and not is_old:
            question = ASKS.findall(screen)
            self._typed_on = screen
            self.terminal.type(
                self._reader.answer(screen.split("\n"), " ".join(question[-1].split()) if question else "")
            )
        return False


def test_a_host_a_guest_and_a_spectator_read_their_screens_pause_and_play_again(terminals: Terminals) -> None:
    hosting = f"{MAGEHALL} host ikasamage --port 0 --data :memory: --seats 3 --bots random --name ann"
    ann = Player(terminals.open("ann", hosting, columns=80, rows=24, cwd=ROOT))
    seen = ann.terminal.wait(lambda seen: re.search(r"--port \d+", seen) is not None)
    (port,) = re.findall(r"--port (\d+)", seen)[-1:]
    there = f"--host 127.0.0.1 --port {port}"
    bob = Player(terminals.open("bob", f"{MAGEHALL} play {there} --name bob", columns=45, rows=30, cwd=ROOT))
    ann.terminal.wait_for("The fighters: ")
    watching = f"{MAGEHALL} --lang fr watch {there} --name eve"
    eve = terminals.open("eve", watching, columns=200, rows=60, cwd=ROOT)
    eve.wait_for("Manche 1 sur 3")
    ann.terminal.type("pause")
    bob.types("pause")
    ann.terminal.wait(lambda _seen: "Paused: resume" in ann.terminal.screen())
    bob.types("resume")
    until = time.monotonic() + DEADLINE
    while not all([ann.decides(), bob.decides()]):
        assert time.monotonic() < until, (ann.terminal.screen(), bob.terminal.screen())
    for player in (ann, bob):
        assert re.search(r"1\. \S+ \d+ gold", player.terminal.screen())
    eve.wait(lambda _seen: re.search(r"1\. \S+ \d+ pièces? d'or", eve.screen()) is not None)
    assert "Tape : revue (F2), suivant ou quitter." in eve.screen()
    for player in (ann, bob):
        player.types("rematch")
        player.terminal.wait_for("t2 seat")
