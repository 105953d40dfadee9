"""The terminal client in real terminals: people and bots at one table, and what Ctrl-C leaves behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.helpers.terminal import Terminal, Terminals, needs_tmux, terminals

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
pytestmark = needs_tmux


@pytest.fixture
def port(tmp_path: Path) -> Iterator[str]:
    """The port of a server that runs as a command."""
    command = [sys.executable, "-m", "magehall", "serve", "--data", ":memory:", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        try:
            serving = next(line for line in iter(process.stderr.readline, "") if "Ctrl-C" in line)
            yield serving.split("port ")[1].split(".")[0]
        finally:
            process.terminate()
            process.stderr.read()


def board_fills(columns: int, rows: int, seen: str) -> bool:
    """Whether the board stands there, the toolbar is in the last row, and the log stands beside them where it fits."""
    toolbar = "t1 seat 1" in "".join(seen.split("\n")[rows - 1 :])
    return toolbar and ">1 " in seen and ("|The match begins" in seen) is (columns == 120)


def decide(terminal: Terminal, decided: int) -> int:
    """Takes the first legal action if one is asked for; returns how often that was so."""
    asked = terminal.history().count("Your turn: ")
    if asked > decided or "your turn>" in terminal.screen():
        terminal.type("1")
        return decided + 1
    return decided


@pytest.mark.soak
def test_two_people_and_two_bots_play_a_whole_match(terminals: Terminals, port: str) -> None:
    ann = terminals.open("ann", f"{MAGEHALL} play --port {port} --name ann --seats 4 --bots random,random", cwd=ROOT)
    ann.wait_for("Waiting for 1 more")
    bob = terminals.open("bob", f"{MAGEHALL} play --port {port} --name bob --plain", columns=40, cwd=ROOT)
    bob.type("brief")
    spectator = terminals.open("eve", f"{MAGEHALL} watch t1 --port {port} --name eve --plain", cwd=ROOT)
    spectator.wait_for("You watch t1")
    bob.wait_for("The match begins")
    bob.type("say good luck, ann")
    assert "bob: good luck, ann" in ann.wait_for("good luck, ann")
    decided = {"ann": 0, "bob": 0}

    def over(seen: str) -> bool:
        for person, terminal in (("ann", ann), ("bob", bob)):
            decided[person] = decide(terminal, decided[person])
        return "ver: 1. " in seen

    ann.wait(over)
    assert min(decided.values()) > 6
    bob.wait_for("The match is over.")
    spectator.wait_for("ended=0")
    assert "* Round 3 begins." in spectator.history()
    assert "You draw" not in spectator.history()
    bob.type("q")
    bob.wait_for("ended=0")
    assert "| F2 review, rematch, q" in ann.screen()
    ann.press("C-c")
    ann.wait_for("ended=130")


def test_tab_completes_from_the_legal_actions_a_long_line_fits_and_history_comes_back(terminals: Terminals) -> None:
    first = terminals.open("first", f"{MAGEHALL} play --seed 7", cwd=ROOT)
    first.wait_for("Your turn: Place your bet")
    first.type("b 1 2")
    first.wait_for("Your turn: Cast a spell")
    first.press("c", "a", "s", "Tab", "f", "i", "Tab", "4", "Enter")
    first.wait_for("casts Fireball at fighter 4.")
    first.type("say " + "long " * 20)
    first.wait_for("Nobody else hears you.")
    first.wait(lambda seen: "your turn>" in seen)  # which a long line had pushed out
    first.press("C-c", "C-c")
    first.wait_for("ended=130")
    again = terminals.open("again", f"{MAGEHALL} play --seed 7", cwd=ROOT)
    again.wait_for("Your turn: Place your bet")
    again.press("Up", "Up", "Up", "Enter")
    again.wait_for("Your bet is on 1 2.")


@pytest.mark.parametrize("how", ["C-c", "TERM", "HUP"])
def test_the_terminal_is_sane_however_the_client_ends(terminals: Terminals, tmp_path: Path, how: str) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    play = f"{MAGEHALL} play ikasamage & echo $! > {tmp_path / 'pid'}; fg"
    command = f"stty -g > {before}; {play}; echo code=$?; stty -g > {after}"
    terminal = terminals.open("one", f"sh -m -c '{command}'", cwd=ROOT)
    terminal.wait_for("Your turn: ")
    terminal.press("b", "e", "t")
    terminal.wait(lambda seen: "your turn> bet" in seen)
    if how == "C-c":
        terminal.press("C-c")  # drops the line
        terminal.wait(lambda seen: "your turn> bet" not in seen)
        terminal.press("C-c")
        terminal.wait_for("Press it again to leave.")
        terminal.press("C-c")
    else:
        subprocess.run(["kill", f"-{how}", (tmp_path / "pid").read_text().strip()], check=True)
    terminal.wait_for("code=130")
    terminal.wait_for("ended=0")
    assert after.read_text() == before.read_text()
    terminal.type("echo typing is still seen")
    terminal.wait(lambda seen: seen.count("typing is still seen") == 2)  # what is typed, and what the shell answers


@pytest.mark.parametrize("bracketed", [["-p"], []], ids=["in brackets", "as if typed"])
def test_a_pasted_line_answers_the_question_on_the_screen_and_none_that_comes_later(
    terminals: Terminals, bracketed: list[str]
) -> None:
    terminal = terminals.open("one", f"{MAGEHALL} play --seed 7", rows=90, cwd=ROOT)
    terminal.wait_for("your turn>")
    terminals.tmux("set-buffer", "bet 2\npass\ndone\n")
    terminals.tmux("paste-buffer", *bracketed, "-t", "=one:")
    terminal.press("Enter")
    seen = terminal.wait_for("`done` was typed before this question appeared. Type it again.")
    assert "Your bet is on 2." in seen
    assert "`pass` was typed before" in seen
    assert "Round 2 begins." not in seen


def test_end_of_input_at_the_terminal_lets_a_house_bot_play_on(terminals: Terminals) -> None:
    terminal = terminals.open("one", f"{MAGEHALL} play ikasamage", cwd=ROOT)
    terminal.wait_for("Your turn: Place your bet")
    terminal.press("C-d")
    terminal.wait_for("Ctrl-D ends your typing: a house bot plays on for you.")
    terminal.press("C-d")
    seen = terminal.wait_for("ended=0")
    assert "The match is over." in seen


def test_a_line_typed_while_the_first_ones_are_written_is_not_lost(terminals: Terminals) -> None:
    terminal = terminals.open("one", f"{MAGEHALL} play ikasamage", cwd=ROOT)
    terminal.type("b 1 2")
    before = "`b 1 2` was typed before this question appeared. Type it again."
    terminal.wait(lambda seen: before in seen or "Bet: 1 2" in seen)
    terminal.press("C-d", "C-d")
    terminal.wait_for("ended=0")


def test_a_dumb_terminal_gets_plain_lines(terminals: Terminals) -> None:
    terminal = terminals.open("one", f"TERM=dumb {MAGEHALL} play --seed 7", cwd=ROOT)
    terminal.wait_for("Your turn: Place your bet")
    assert "your turn>" not in terminal.history()
    terminal.type("b 3")
    terminal.wait_for("Your bet is on 3.")
    terminal.press("C-c")
    terminal.wait_for("Press it again to leave.")
    terminal.press("C-c")
    terminal.wait_for("ended=130")


def test_the_same_command_brings_back_who_left_a_running_match(terminals: Terminals, port: str) -> None:
    command = f"{MAGEHALL} play --port {port} --name ann --bots random,random,random"
    terminal = terminals.open("one", command, cwd=ROOT)
    terminal.wait_for("Your turn: Place your bet")
    terminal.type("b 1 4")
    terminal.wait_for("Bet: 1 4")
    terminal.type("quit")
    terminal.wait_for("Your seat is held for a while")
    terminal.wait_for("ended=0")
    back = terminals.open("two", command, rows=40, cwd=ROOT)  # room for the whole log beside a full hand
    seen = back.wait_for("Your turn: ")
    assert "Bet: 1 4" in seen
    back.wait_for("- ann is back.")


def test_the_board_stays_through_resizing_and_a_stop_and_what_is_left_of_the_log_is_printed_at_the_end(
    terminals: Terminals,
) -> None:
    terminal = terminals.open("one", "sh -i", columns=40, rows=20, cwd=ROOT)
    terminal.type(f"{MAGEHALL} play mages-110m --seed 5")
    terminal.wait_for("your turn>")
    for columns, rows in ((120, 40), (80, 24), (40, 20)):
        terminals.tmux("resize-window", "-t", "=one:", "-x", str(columns), "-y", str(rows))
        terminal.wait(partial(board_fills, columns, rows))
    terminal.press("C-z")
    terminal.wait_for("Stopped")
    terminal.type("fg")
    terminal.wait_for("your turn>")
    terminal.press("C-c", "C-c")
    terminal.wait_for("leaves the match; magehall goes on with it.")
