"""A host whose evening ended in any way hosts again: one open table, at which the host sits and guests are let in."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.terminal import Terminal, Terminals, needs_tmux, terminals

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = f"{sys.executable} -m magehall"
pytestmark = [needs_tmux, pytest.mark.timeout(180)]
LIST = """
import json, secrets, sys, trio
from bots.sdk.link import Identity, open_link, tcp
from bots.sdk.seat import all_tables
async def main():
    async with open_link(tcp("127.0.0.1", int(sys.argv[1])), Identity(f"look-{secrets.token_hex(3)}")) as link:
        tables = await all_tables(link)
    print(json.dumps([[t.table, t.game, t.state, t.owner, [s.name for s in t.seats]] for t in tables]))
trio.run(main)
"""


class Evenings:
    """One host's evenings on the same data, at the same port."""

    def __init__(self, terminals: Terminals, folder: Path) -> None:
        self.terminals, self._folder, self._count = terminals, folder, 0
        self.port = _free_port()

    def hosts(self, words: str = "ikasamage --seats 3 --bots random", name: str = "ann") -> Terminal:
        """The host begins, in a new terminal."""
        self._count += 1
        pid = self._folder / f"pid{self._count}"
        named = f"--name {name}" if name else ""
        command = f"{MAGEHALL} host {words} {named} --port {self.port} --data {self._folder / 'hall'}"
        return self.terminals.open(f"host{self._count}", f"sh -c 'echo $$ > {pid}; exec {command}'", cwd=ROOT)

    def guest(self, name: str, words: str = "") -> Terminal:
        """A friend comes."""
        command = f"{MAGEHALL} play {words} --port {self.port} --name {name}"
        return self.terminals.open(f"{name}{self._count}", command, cwd=ROOT)

    def kill(self, how: signal.Signals) -> None:
        """Ends the host's program."""
        pid = int((self._folder / f"pid{self._count}").read_text())
        subprocess.run(["kill", f"-{how.value}", str(pid)], check=True)
        self.gone(pid)

    def close_window(self) -> None:
        """Closes the host's terminal."""
        self.terminals.tmux("kill-session", "-t", f"=host{self._count}")
        self.gone(int((self._folder / f"pid{self._count}").read_text()))

    def gone(self, pid: int) -> None:
        until = time.monotonic() + 20
        while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
            time.sleep(0.05)

    def tables(self) -> list[tuple[str, str, str, str, list[str]]]:
        """All that are not over: id, game, state, owner, seats."""
        command = [sys.executable, "-c", LIST, str(self.port)]
        listed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=30).stdout
        return [tuple(one) for one in json.loads(listed) if one[2] != "over"]


def _free_port() -> int:
    """One that the kernel gives to no connection between two evenings."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


@pytest.fixture
def evenings(terminals: Terminals, tmp_path: Path) -> Evenings:
    return Evenings(terminals, tmp_path)


def ctrl_c(_evenings: Evenings, host: Terminal) -> None:
    host.press("C-c")
    if "again to leave" in host.wait(lambda seen: "again to leave" in seen or "ended=" in seen):
        host.press("C-c")
    host.wait_for("ended=130")


def window(evenings: Evenings, _host: Terminal) -> None:
    evenings.close_window()


def killed(evenings: Evenings, _host: Terminal) -> None:
    evenings.kill(signal.SIGKILL)


@pytest.mark.parametrize("ends", [ctrl_c, window, killed], ids=lambda end: end.__name__)
def test_h08_who_hosts_again_has_one_open_table_where_guests_find_them(
    evenings: Evenings, ends: Callable[[Evenings, Terminal], None]
) -> None:
    host = evenings.hosts()
    host.wait_for("Waiting for 1 more")
    first = evenings.terminals.open("ed", f"{MAGEHALL} watch --port {evenings.port} --name ed", cwd=ROOT)
    first.wait_for("You watch t1")
    ends(evenings, host)
    first.wait_for("The connection is lost")
    host = evenings.hosts()
    host.wait_for("Waiting for 1 more")
    ((table, _game, state, owner, seats),) = evenings.tables()
    assert (table, state, owner, seats) == ("t1", "open", "ann", ["ann", "random", ""])
    spectator = evenings.terminals.open("eve", f"{MAGEHALL} watch --port {evenings.port} --name eve --plain", cwd=ROOT)
    spectator.wait_for(f"You watch {table}")
    telnet = evenings.terminals.open("tel", f"telnet 127.0.0.1 {evenings.port}", cwd=ROOT)
    telnet.wait_for("type help")
    telnet.type("hello tel")
    telnet.wait_for("come back with")
    telnet.type("tables")
    telnet.wait(lambda seen: re.search(rf"{table} +ikasamage, open.*: 1 ann, 2 random, 3 ", seen) is not None)
    bob = evenings.guest("bob")
    bob.wait(lambda seen: re.search(r"R(ound )?1( of |/)3", seen) is not None)
    spectator.wait_for("The match begins: 1 ann, 2 random, 3 bob.")
    first.wait(lambda seen: re.search(r"R(ound )?1( of |/)3", seen) is not None)
    assert [(one[0], one[2]) for one in evenings.tables()] == [(table, "playing")]


def test_h08_a_wrong_word_opens_nothing_and_hides_no_table(evenings: Evenings) -> None:
    for words, why in {
        "ikasamage --bots grady": "There is no bot 'grady' for ikasamage",
        "ikasamage --seats 3 --bots random,random,random": "A table of 3 has no seats for 3 bots and you.",
        "ikasamage --seats 9": "3 to 6 players, not 9",
        "ikasamage --clock soon": "A clock is seconds",
        "ikasamage --option speed=9": "speed",
        "ikasamage --delay 1s": "Hands are shown",
    }.items():
        host = evenings.hosts(words)
        host.wait(lambda seen: "ended=" in seen)
        assert why in " ".join(host.history().split()), words
        assert "The others type" not in host.history()
    host = evenings.hosts(name="greedy")
    host.wait_for("take another")
    host = evenings.hosts()
    host.wait_for("Waiting for 1 more")
    assert [(one[0], one[4]) for one in evenings.tables()] == [("t1", ["ann", "random", ""])]


@pytest.mark.parametrize(
    ("words", "name", "ends"), [("magecraft", "ann", ctrl_c), ("ikasamage --seats 3 --bots random", "bea", killed)]
)
def test_h08_who_hosts_another_table_has_that_one_alone(
    evenings: Evenings, ends: Callable[[Evenings, Terminal], None], words: str, name: str
) -> None:
    host = _waiting(evenings.hosts())
    spectator = evenings.terminals.open("ed", f"{MAGEHALL} watch --port {evenings.port} --name ed", cwd=ROOT)
    spectator.wait_for("You watch t1")
    ends(evenings, host)
    host = evenings.hosts(words, name)
    host.wait_for("Waiting for")
    ((_table, game, _state, owner, _seats),) = evenings.tables()
    assert (game, owner) == (words.split()[0], name)
    spectator.wait(lambda seen: "The server no longer has table t1." in seen or "- ann closed t1." in seen)
    if name == "ann":
        spectator.wait_for("You watch t2 now, where they went on.")


def _waiting(host: Terminal) -> Terminal:
    host.wait_for("Waiting for 1 more")
    return host


def _playing(evenings: Evenings) -> tuple[Terminal, Terminal]:
    """A host and a friend whose match has begun."""
    host = _waiting(evenings.hosts())
    bob = evenings.guest("bob")
    for terminal in (host, bob):
        terminal.wait(lambda seen: re.search(r"R(ound )?1( of |/)3", seen) is not None)
    return host, bob


@pytest.mark.parametrize(
    ("answer", "words", "tables"),
    [
        ("", "", [("t1", "playing", "ikasamage")]),
        ("c", "", [("t2", "open", "magecraft")]),
        ("n", "", [("t1", "playing", "ikasamage"), ("t2", "open", "magecraft")]),
        (None, "--resume", [("t1", "playing", "ikasamage")]),
        (None, "--new", [("t1", "playing", "ikasamage"), ("t2", "open", "magecraft")]),
    ],
)
def test_h08_a_host_is_asked_what_becomes_of_the_match_that_is_not_finished(
    evenings: Evenings, answer: str | None, words: str, tables: list[tuple[str, str, str]]
) -> None:
    host, bob = _playing(evenings)
    evenings.kill(signal.SIGKILL)
    bob.wait_for("The connection is lost")
    host = evenings.hosts(f"magecraft --seats 3 {words}")
    if answer is not None:
        host.wait_for("t1 (ikasamage) is not finished: ann, random, bob.")
        host.type("what?")
        host.type(answer)
    host.wait(lambda seen: ("| t1 seat 1" in seen) or ("| t2 seat 1" in seen))
    if answer == "c":
        bob.wait_for("The match is over")
    else:
        bob.wait(lambda seen: "Connected again" in seen or "bob is back." in seen)  # which is drawn over the first
    assert [(one[0], one[2], one[1]) for one in evenings.tables()] == tables


def test_h08_without_a_terminal_an_unfinished_match_needs_a_word(evenings: Evenings, tmp_path: Path) -> None:
    _playing(evenings)
    evenings.kill(signal.SIGTERM)
    command = [*MAGEHALL.split(), "host", "magecraft", "--name", "ann", "--port", "0", "--data", str(tmp_path / "hall")]
    state = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, env=state, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "magehall: t1 (ikasamage) is not finished: ann, random, bob. Say --resume to go back there, or --new to open"
        " another table beside.\n"
    )
