"""`magehall admin` as it is typed, at a server in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
from typer.testing import CliRunner, Result

from client.cli.admin import _ask
from client.cli.admin import app as commands
from client.cli.app import app
from protocol.errors import CODES
from server.desk.operator import OperatorCommand, OperatorOutcome
from server.net.admin import AT_ONCE, SOCKET, AdminAnswer, serve_operator_socket
from tests.e2e.test_operation import dial, free_port
from tests.helpers.another_user import as_another_user
from tests.helpers.terminal import Terminals, needs_tmux, terminals

__all__ = ["terminals"]
MATCH = ("hello ann", "open ikasamage 3", "add greedy", "add random", "start")


class Operated:
    """A server with its data in a folder, and the commands that are given to it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "magehall", "serve", "--data", str(self.folder), "--port", str(self.port)]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True)

    def kill_and_start(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process = self._start()
        self.wait()

    def wait(self) -> None:
        """Until the server greets."""
        with dial(self.port) as sock:
            sock.recv(1)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "magehall", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=self.environment, check=False)

    def admin(self, *words: str) -> str:
        """What the command prints, which must succeed."""
        done = self._command(words)
        assert (done.exit_code, done.stderr) == (0, "")
        return done.stdout

    def refused(self, *words: str) -> str:
        """The sentence with which the command fails."""
        done = self._command(words)
        assert (done.exit_code, done.stdout) == (1, "")
        return done.stderr.rstrip("\n")

    def _command(self, words: tuple[str, ...]) -> Result:
        """In this process: what starts the command is tried below."""
        return CliRunner().invoke(app, ["admin", "--data", str(self.folder), *words])

    @contextmanager
    def playing(self) -> Iterator[Iterator[str]]:
        """Ann at her first decision of a match; gives the lines that she reads from then on."""
        with dial(self.port) as sock, sock.makefile("r", encoding="utf-8") as file:
            sock.sendall("".join(f"{line}\n" for line in MATCH).encode())
            while not next(file).startswith("> "):
                pass
            yield file

    def said_to(self, line: str) -> str:
        """All that somebody who types this line reads."""
        with dial(self.port) as sock, sock.makefile("r", encoding="utf-8") as file:
            sock.sendall(f"{line}\n".encode())
            sock.shutdown(socket.SHUT_WR)
            return file.read()


@pytest.fixture
def operated() -> Iterator[Operated]:
    with tempfile.TemporaryDirectory() as folder:  # of a short name: a socket's path has at most 107 bytes
        server = Operated(Path(folder) / "hall")
        try:
            server.wait()
            yield server
        finally:
            server.process.kill()
            server.process.wait()


def test_g12_nobody_but_its_user_can_open_the_operators_socket(operated: Operated) -> None:
    mode = (operated.folder / SOCKET).stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600
    assert stat.S_IMODE(operated.folder.stat().st_mode) == 0o700


def test_the_operator_looks_announces_and_kicks(operated: Operated) -> None:
    assert operated.admin("who") == "Nobody is here.\n"
    with operated.playing() as lines:
        assert operated.admin("who") == "ann (person) from 127.0.0.1, at t1\n"
        assert operated.admin("tables") == "t1   ikasamage, playing: 1 ann, 2 greedy, 3 random\n"
        told = operated.run("admin", "--data", str(operated.folder), "announce", "Tea at five.")
        assert (told.stdout, told.stderr) == ("Sent to 1.\n", "")
        assert operated.admin("kick", "ann") == "ann was disconnected, but may come back.\n"
        rest = list(lines)
    assert "server: Tea at five.\n" in rest
    assert rest[-1] == "Goodbye. The operator ended this connection.\n"
    assert operated.refused("kick", "zoe") == "magehall: Nobody is known as zoe."


def test_c13_a_ban_outlives_a_server_that_was_killed(operated: Operated) -> None:
    assert operated.admin("ban", "eve") == "Banned: eve, for good.\n"
    operated.kill_and_start()
    assert "! You are banned from this server." in operated.said_to("hello eve")
    assert operated.admin("bans") == "eve, for good\n"
    assert operated.admin("unban", "eve") == "eve is no longer banned.\n"
    assert "Welcome, eve" in operated.said_to("hello eve")
    assert operated.run("admin", "--data", str(operated.folder), "ban", "eve", "--for", "soon").returncode == 2


def test_a_name_given_anew_is_its_owners_again_with_a_token_of_their_own(operated: Operated) -> None:
    operated.said_to("hello ann")
    play = ["bot", "run", "random", "--name", "ann", "--port", str(operated.port)]
    play += ["--open", "ikasamage", "--seats", "3", "--add", "random", "--add", "random"]
    assert "That name is taken" in operated.run(*play).stderr
    code = operated.admin("code", "ann").splitlines()[1].split()[-1]
    wrong = operated.run(*play, "--code", "guess")
    refusal = wrong.stderr.removeprefix("magehall is starting.\n")  # told where the machine is slow
    assert (wrong.returncode, refusal) == (1, f"magehall: {CODES['bad_proof'].translated_text}\n")
    for words in (["--code", code], []):
        done = operated.run(*play, *words)
        assert done.returncode == 0, done.stderr


def test_every_command_of_the_operator_answers_in_json(operated: Operated) -> None:
    words = {name: ["ann"] for name in ("kick", "mute", "unmute", "unlock", "ban", "unban")}
    words |= {"code": ["ann", "--yes"], "forget": ["bob"], "close": ["t1"], "announce": ["Tea at five."]}
    last = ("drain", "accept", "close", "kick", "code", "ban", "unban")
    facts = {"who": "people", "tables": "tables", "bans": "bans", "status": "uptime", "operator": "code"}
    operated.said_to("hello bob")
    with operated.playing():
        names = [command.name or command.callback.__name__ for command in commands.registered_commands]  # type: ignore[union-attr]
        for name in [*sorted({*names} - {*last}), *last]:
            told = json.loads(operated.admin(name, *words.get(name, []), "--json"))
            assert told["ok"] is True, name
            assert isinstance(told["lines"], list), name
            assert facts.get(name, "ok") in told, name
    done = operated._command(("kick", "zoe", "--json"))
    assert json.loads(done.stdout) == {"ok": False, "lines": ["Nobody is known as zoe."]}
    assert (done.exit_code, done.stderr) == (1, "magehall: Nobody is known as zoe.\n")


def test_the_status_of_the_server_is_told_in_lines_and_in_json(operated: Operated) -> None:
    with operated.playing():
        lines = operated.admin("status").splitlines()
        told = json.loads(operated.admin("status", "--json"))
    assert lines[0].startswith(f"magehall {told['build']}, up for 00:0")
    assert lines[1] == "People: 1 and 0 bots online, 1 names known, 1 connections"
    assert lines[2] == "Tables: 1 playing, 0 open, 0 over"
    assert told["tables"] == {"open": 0, "playing": 1, "over": 0}
    assert told["process"]["pid"] == operated.process.pid
    assert 10 < told["process"]["descriptors"] < told["process"]["descriptors_limit"]
    assert (told["store"]["folder"], told["store"]["failing"]) == (str(operated.folder), False)
    assert told["store"]["bytes"] > 4_096
    assert told["store"]["last_commit"].endswith("Z")


def test_a_class_list_lets_each_person_in_once_and_takes_no_token_away(operated: Operated) -> None:
    """Made again, it has the same codes, as far as they were not used."""
    operated.said_to("hello ann")
    operated.said_to("hello bob")
    play = ["bot", "run", "random", "--name", "prog", "--port", str(operated.port)]
    play += ["--open", "ikasamage", "--seats", "3", "--add", "random", "--add", "random"]
    assert operated.run(*play).returncode == 0
    rows = operated.admin("code", "--all", "--csv").splitlines()
    assert rows == operated.admin("code", "--all", "--csv").splitlines()
    assert rows[0] == "name,code"
    codes = dict(row.split(",") for row in rows[1:])
    assert codes.keys() == {"ann", "bob"}, "programs keep their tokens"
    assert [one["name"] for one in json.loads(operated.admin("code", "--all", "--json"))["codes"]] == ["ann", "bob"]
    assert operated.admin("code", "--all") == "".join(f"{name}  {code}\n" for name, code in codes.items())
    operated.kill_and_start()
    for name, code in codes.items():
        assert f"Welcome, {name}" in operated.said_to(f"hello {name} {code}")
    again = dict(row.split(",") for row in operated.admin("code", "--all", "--csv").splitlines()[1:])
    assert not set(again.values()) & set(codes.values())
    assert operated.run(*play).returncode == 0, "the program's token is good"
    for wrong in (["code"], ["code", "ann", "--all"], ["code", "ann", "--csv"]):
        assert operated._command(tuple(wrong)).exit_code == 2, wrong


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_folder_of_another_user_is_refused_with_the_user_to_be(operated: Operated) -> None:
    operated.admin("who")
    command = [*as_another_user(), sys.executable, "-m", "magehall", "admin", "--data", str(operated.folder), "who"]
    operated.folder.parent.chmod(0o711)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"magehall: The data in {operated.folder} belong to root."
        f" As that user: sudo -u root magehall admin --data {operated.folder} who\n"
    )


def test_a_drain_that_is_waited_for_returns_when_the_data_are_given_up(operated: Operated) -> None:
    with operated.playing():
        goes_on = operated._command(("drain", "--wait", "1s"))
        assert (goes_on.exit_code, "The server is still running" in goes_on.stderr) == (1, True)
        operated.admin("close", "t1")
    assert operated.admin("drain", "--wait", "30s").startswith("The server accepts no new players")
    assert operated.run("data", "prune", "--older-than", "9", "--data", str(operated.folder)).returncode == 0
    assert operated.process.wait(10) == 0


def test_a_drain_whose_server_is_killed_is_waited_for_no_longer(operated: Operated) -> None:
    with operated.playing():
        command = [sys.executable, "-m", "magehall", "admin", "--data", str(operated.folder), "drain", "--wait", "1m"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as waiting:
            assert waiting.stdout is not None
            waiting.stdout.readline()
            operated.process.kill()
            operated.process.wait()
            assert waiting.wait(30) == 0


def test_a_drain_that_was_taken_back_is_waited_for_no_longer(operated: Operated) -> None:
    with operated.playing():
        command = [sys.executable, "-m", "magehall", "admin", "--data", str(operated.folder), "drain", "--wait", "1m"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as waiting:
            assert waiting.stdout is not None
            waiting.stdout.readline()
            operated.admin("accept")
            _out, told = waiting.communicate(timeout=30)
        assert (waiting.returncode, told) == (1, "magehall: The server keeps running: the drain was cancelled.\n")
    assert operated.process.poll() is None


@needs_tmux
def test_a_code_that_would_cut_somebody_who_plays_is_asked_about_first(
    operated: Operated, terminals: Terminals, tmp_path: Path
) -> None:
    code = ["admin", "--data", str(operated.folder), "code", "ann"]
    with operated.playing() as lines:
        done = operated.run(*code)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("magehall: ann is online and plays at t1.")
        assert done.stderr.endswith(" Add --yes to do it anyway.\n")
        for typed, exit_code in (("", 1), ("n", 1), ("y", 0)):
            assert operated.admin("who") == "ann (person) from 127.0.0.1, at t1\n"
            terminal = terminals.open(
                f"typed{typed}", shlex.join([sys.executable, "-m", "magehall", *code]), cwd=tmp_path
            )
            terminal.wait_for("Go on? [y/N]")
            terminal.type(typed)
            terminal.wait_for(f"ended={exit_code}")
        assert list(lines)[-1] == "Goodbye. The operator ended this connection.\n"
    assert "hello ann" in operated.admin("code", "ann", "--yes")


def test_a_drained_server_says_goodbye_when_the_last_match_is_over(operated: Operated) -> None:
    with operated.playing() as lines:
        operated.admin("drain")
        assert "! For now the server only admits players of running matches." in operated.said_to("hello bob")
        assert operated.process.poll() is None
        operated.admin("close", "t1")
        assert list(lines)[-1] == "Goodbye. The server is stopping.\n"
    assert operated.process.wait(10) == 0
    assert not (operated.folder / SOCKET).exists()
    why = f"magehall: No server runs on the data in {operated.folder}; --data names another folder."
    assert operated.refused("who") == why


def test_a_server_that_is_told_to_stop_takes_its_socket_away(operated: Operated) -> None:
    operated.admin("who")
    operated.process.send_signal(signal.SIGTERM)
    assert operated.process.wait(10) == 0
    assert not (operated.folder / SOCKET).exists()


async def test_the_operator_gets_in_however_long_the_name_of_the_data_folder_is(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    async def obey(command: OperatorCommand) -> OperatorOutcome:
        return OperatorOutcome([command.do])

    folder = tmp_path / ("of many letters, é " * 9)
    folder.mkdir()
    await nursery.start(serve_operator_socket, folder, SimpleNamespace(execute=obey))
    assert await trio.to_thread.run_sync(_ask, folder, OperatorCommand("who")) == AdminAnswer(True, ["who"])
    nursery.cancel_scope.cancel()


def test_what_is_no_command_is_answered_with_a_sentence_and_ends_nothing(operated: Operated) -> None:
    operated.admin("who")
    for sent in (b"hello\n", b'{"do": "dance"}\n', b'{"do": "who", "x": 1}\n', b"x" * 10_000, b'{"do": "\xff"}\n', b""):
        with socket.socket(socket.AF_UNIX) as sock, sock.makefile("rb") as file:
            sock.connect(str(operated.folder / SOCKET))
            sock.sendall(sent)
            sock.shutdown(socket.SHUT_WR)
            assert file.read(11) == b'{"ok":false', sent
    assert operated.admin("who") == "Nobody is here.\n"
    assert operated.run("admin", "--data", str(operated.folder), "kick", "\udcff").stderr == (
        "magehall: The text that you typed is not valid UTF-8.\n"
    )


def test_g12_half_a_command_and_many_of_them_keep_the_operator_waiting_no_longer_than_their_time(
    operated: Operated,
) -> None:
    with ExitStack() as held:
        for _ in range(2 * AT_ONCE):
            sock = held.enter_context(socket.socket(socket.AF_UNIX))
            sock.connect(str(operated.folder / SOCKET))
            sock.sendall(b'{"do":')
        with dial(operated.port) as player:
            assert player.recv(8) == b"magehall"
    assert operated.admin("who") == "Nobody is here.\n"


def test_g12_the_operator_gets_in_while_strangers_have_all_descriptors(operated: Operated) -> None:
    operated.admin("who")
    pid = operated.process.pid
    few = len(os.listdir(f"/proc/{pid}/fd")) + 5
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, few))
    with ExitStack() as held:
        for _ in range(10):
            held.enter_context(dial(operated.port))
        assert operated.admin("ban", "127.0.0.1") == "Banned: 127.0.0.1, for good.\n"


def test_what_stands_in_place_of_the_socket_at_the_end_keeps_no_server_from_saying_goodbye(operated: Operated) -> None:
    operated.admin("who")
    (operated.folder / SOCKET).unlink()
    (operated.folder / SOCKET).mkdir()
    operated.process.send_signal(signal.SIGTERM)
    assert operated.process.wait(10) == 0


def test_where_nothing_is_kept_there_is_no_operators_socket() -> None:
    command = [sys.executable, "-m", "magehall", "admin", "--data", ":memory:", "who"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "magehall: A server that stores nothing has no operator's socket. Name another folder with --data.\n",
    )
