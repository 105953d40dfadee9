"""The operator's word as `magehall serve` prints it, and how it gets from a client to the server."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.test_operation import dial, free_port
from tests.helpers.terminal import Terminals, needs_tmux, terminals

__all__ = ["terminals"]
MAGEHALL = [sys.executable, "-m", "magehall"]
WORD = re.compile(r"operator ([0-9a-f]{16})")


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[int, Path]]:
    """A server whose stderr is a file; gives its port and that file once it listens."""
    port, log = free_port(), folder / "log"
    with log.open("wb") as file:
        command = [*MAGEHALL, "serve", "--port", str(port), "--data", str(folder / "data"), *words]
        process = subprocess.Popen(command, stderr=file)
    try:
        with dial(port) as sock:
            sock.recv(1)
        deadline = time.monotonic() + 20
        while b"magehall admin" not in log.read_bytes() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield port, log
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


@pytest.mark.parametrize("words", [[], ["--log-json"], ["--no-operator-word"]], ids=" ".join)
def test_c19_no_log_that_is_redirected_holds_a_word_and_it_says_what_to_do(tmp_path: Path, words: list[str]) -> None:
    with served(tmp_path, *words) as (port, log):
        text = log.read_text()
        assert not WORD.search(text)
        command = re.search(r"type what this prints: magehall (admin .*operator)", text)
        assert command, text
        done = subprocess.run([*MAGEHALL, *shlex.split(command[1])], capture_output=True, text=True, check=True)
        code = done.stdout.split()[-1]
        with dial(port) as sock, sock.makefile("r", encoding="utf-8") as file:
            sock.sendall(f"hello ann\noperator {code}\nmute ann all\nquit\n".encode())
            said = file.read()
        assert "You are the operator on this connection." in said
        assert "ann is muted everywhere." in said
        assert code not in log.read_text()


class Overhears:
    """Stands between a client and a server, and keeps all bytes that cross."""

    def __init__(self, port: int) -> None:
        self.crossed = bytearray()
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            try:
                near, _address = self._listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._to))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65_536):
                self.crossed += data
                other.sendall(data)
        except OSError:
            pass
        finally:
            other.close()

    def close(self) -> None:
        """No more connections are taken."""
        self._listening.close()


@needs_tmux
def test_c19_the_word_on_the_terminal_makes_a_client_the_operator_and_does_not_cross_the_wire(
    terminals: Terminals, tmp_path: Path
) -> None:
    port = free_port()
    serve = shlex.join([*MAGEHALL, "serve", "--port", str(port), "--data", str(tmp_path / "data")])
    seen = terminals.open("server", serve, columns=160, cwd=tmp_path).wait(lambda text: bool(WORD.search(text)))
    found = WORD.search(seen)
    assert found
    between = Overhears(port)
    try:
        play = shlex.join([*MAGEHALL, "play", "ikasamage", "--host", f"127.0.0.1:{between.port}", "--name", "ann"])
        client = terminals.open("client", play, columns=100, rows=30, cwd=tmp_path)
        client.wait_for("t1")
        client.type(f"operator {found[1]}")
        client.wait_for("You are the operator on this connection.")
        client.type("mute ann all")
        client.wait_for("ann is muted everywhere.")
        assert b"operator" in between.crossed
        assert found[1].encode() not in between.crossed
    finally:
        between.close()
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and found[1].encode() in path.read_bytes()]
    assert kept == [], "neither in the history nor in the data"
    other = shlex.join([*MAGEHALL, "serve", "--port", "0", "--data", str(tmp_path / "other"), "--no-operator-word"])
    quiet = terminals.open("quiet", other, columns=200, cwd=tmp_path)
    assert not WORD.search(quiet.wait_for("type what this prints"))
