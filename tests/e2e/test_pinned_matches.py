"""A whole match of each game in the pinned screen, in real terminals, resized in the middle.

At every decision the screen shows what it is about: whose turn it is, what is asked, the prompt, and every row of the
board that the game draws for that room; nothing is wider than the terminal, and there is no traceback.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from games.registry import all_games
from tests.helpers.terminal import Terminal, Terminals, needs_tmux, terminals

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
SIZES = ((80, 24), (120, 40), (40, 20))
EACH = 4  # decisions before the window has another size
MOST = 160  # decisions that are typed; then a house bot plays on
SECONDS = 900.0
OVER = re.compile(r"(The match is over|Over): 1\. ")
BOARD = {  # what stands on the board, whatever its size
    "ikasamage": (r"R(ound )?\d( of |/)3", r"^[* ]*5 \w+", r"Hand|hand"),
    "cheaty-mages": (r"R(ound )?\d( of |/)3", r"^[* ]*5 \w+", r"Hand|hand"),
    "magecraft": (r"life", r"hand", r"Academy"),
    "mages-110m": (r"Turn \d+|Round \d+|turn \d+", r"hand|Hand|c\d", r"a\dl\d|legs"),
}
pytestmark = [needs_tmux, pytest.mark.soak, pytest.mark.timeout(SECONDS + 60)]


@pytest.mark.parametrize("game", sorted(all_games()))
def test_a_whole_match_shows_what_each_decision_needs_at_every_size(terminals: Terminals, game: str) -> None:
    command = f"{sys.executable} -m magehall play {game} --seed 11 --bots random,random --name ann"
    terminal = terminals.open("one", command, cwd=ROOT)
    decided, size, until = 0, SIZES[0], time.monotonic() + SECONDS
    terminal.wait_for("your turn>")
    while time.monotonic() < until:
        screen = terminal.screen()
        assert "Traceback" not in screen, screen
        rows = screen.rstrip("\n").split("\n")
        assert len(rows) <= size[1], screen
        assert max(map(len, rows)) <= size[0], screen
        if OVER.search(screen):
            break
        if decided < MOST and re.search(r"^your turn> *$", screen, re.MULTILINE):
            _shows_the_decision(screen, game, size)
            if decided % EACH == EACH - 1:
                size = SIZES[(decided // EACH + 1) % len(SIZES)]
                terminals.tmux("resize-window", "-t", "=one:", "-x", str(size[0]), "-y", str(size[1]))
                time.sleep(0.5)
                if "your turn>" not in (screen := terminal.screen()):
                    continue  # what was typed last was done meanwhile
                _shows_the_decision(screen, game, size)
            terminal.type("1" if decided % 3 else _hinted(terminal) or "1")
            decided += 1
            _moves_on(terminal, screen)
        elif decided == MOST:
            terminal.press("C-d", "C-d")
            decided += 1
        time.sleep(0.05)
    assert OVER.search(terminal.history()), terminal.screen()
    assert decided > 6
    terminal.press("F2")
    terminal.wait_for("Before decision 1 of")
    terminal.type("q")
    terminal.type("q")
    terminal.wait_for("ended=0")
    print(f"\n{game}: {min(decided, MOST)} decisions typed")


def _shows_the_decision(screen: str, game: str, size: tuple[int, int]) -> None:
    """Nothing that the decision needs has scrolled away."""
    assert "Your turn" in screen, screen
    assert "your turn>" in screen, screen
    assert "t1 seat 1" in screen or "Enter shows the board again" in screen, screen  # after a hint on a short one
    for wanted in BOARD[game]:
        assert re.search(wanted, screen, re.MULTILINE), (wanted, size, screen)


def _hinted(terminal: Terminal) -> str:
    """What a house bot would do, as the client says it; "" where it cannot be read."""
    terminal.type("hint")
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if found := re.search(r"would do this: (.+?)\.(?: |$)", " ".join(terminal.screen().split())):
            return found[1]
        time.sleep(0.05)
    return ""


def _moves_on(terminal: Terminal, before: str) -> None:
    until = time.monotonic() + 5
    while terminal.screen() == before and time.monotonic() < until:
        time.sleep(0.02)
