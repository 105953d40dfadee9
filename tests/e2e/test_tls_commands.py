"""The commands over TLS: `serve` with its settings in a file, `host`, `tournament run`, and those that connect."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from client.house import BotHouse
from games.registry import all_games
from protocol.messages import ClockRule
from server.app import App, serve
from server.config import Config
from server.net.tls import ServerCertificate
from tests.helpers.certificates import Files, made
from tests.helpers.confinement import UNCONFINED
from tests.helpers.terminal import Terminals, needs_tmux, terminals
from tournaments.cup import FINISHED, RUNNING, CupSettings

__all__ = ["terminals"]

ROOT = Path(__file__).parents[2]
MAGEHALL = [sys.executable, "-m", "magehall"]
pytestmark = pytest.mark.timeout(180)


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_STATE_HOME": str(folder / "state")}


async def magehall(folder: Path, *words: str) -> str:
    """What a command prints that ends well."""
    with trio.fail_after(90):
        done = await trio.run_process(
            [*MAGEHALL, *words],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            env=environment(folder),
            cwd=ROOT,
        )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode() + done.stderr.decode()


@asynccontextmanager
async def server_with_a_cup(files: Files) -> AsyncIterator[App]:
    """A server with a cup that house bots have played for two who are away."""
    config = Config(port=0, grace=0.01, house_seconds=0.0, goodbye_seconds=0.1)
    run = partial(serve, config, all_games(), BotHouse(), certificate=ServerCertificate(files.certificate, files.key))
    async with trio.open_nursery() as nursery:
        server: App = await nursery.start(run)
        cups = server.lobby.cups
        live = cups.open_cup(
            CupSettings("friday", "ann", "mages-110m", 2, ClockRule(), "round_robin", "fresh", 1, 1, bytes(32))
        )
        for name in ("ann", "bob"):
            cups.enter_entrant(live, name, (name,), 1)
        cups.change_state(live, RUNNING)
        while live.cup.state != FINISHED:  # noqa: ASYNC110
            await trio.sleep(0.01)
        yield server
        nursery.cancel_scope.cancel()


async def test_every_command_that_connects_speaks_tls(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    async with server_with_a_cup(files) as app:
        at = ("--port", str(app.port))
        played = await magehall(
            tmp_path, *("bot", "run", "random", "--open", "mages-110m", "--add", "random", "--json", "--name", "rnd"),
            *("--tls-ca", str(files.authority), *at),
        )  # fmt: skip
        assert json.loads(played.splitlines()[0])["how"] == "played"
        assert "finished no match" in await magehall(tmp_path, "stats", "--tls", *at), "the authority is remembered"
        pinned = ("--tls-pin", files.fingerprint, *at)
        assert "friday is finished: 2 of 2 matches" in await magehall(
            tmp_path, "tournament", "standings", "friday", *pinned
        )
        person = await magehall(
            tmp_path, "play", "mages-110m", "--seats", "2", "--bots", "random", "--plain", "--name", "cleo", *pinned
        )
        assert "The match is over." in person
        match = next(table for table in app.lobby.tables.values() if table.state == "over")
        watched = await magehall(tmp_path, "watch", match.id, "--plain", *pinned)
        assert "You watch" in watched


Told = Callable[[str], dict[str, Any]]


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], Told]]:
    """`magehall serve` in a process of its own; what is returned with it reads its log up to the next such event."""
    command = [*MAGEHALL, "serve", "--port", "0", "--data", str(folder / "data"), "--log-json", *words]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment(folder), cwd=ROOT)
    lines = map(json.loads, child.stderr or ())
    try:
        yield child, lambda event: next(line for line in lines if line["event"] == event)
    finally:
        child.kill()
        child.communicate()


def test_a_settings_file_names_the_certificate_and_the_proxies(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    settings = tmp_path / "tls" / "limits.toml"
    settings.write_text('tls_cert = "certificate.pem"\ntls_key = "key.pem"\nproxy_from = ["127.0.0.2"]\n')
    context = ssl.create_default_context(cafile=str(files.authority))
    with serving(tmp_path, "--config", str(settings)) as (child, told):
        served = told("serving")
        assert served["certificate"] == files.fingerprint
        at, proxy = ("127.0.0.1", served["port"]), ("127.0.0.2", 0)
        with socket.create_connection(at, timeout=20, source_address=proxy) as plain:
            plain.sendall(b"PROXY TCP4 192.0.2.7 192.0.2.9 5000 7110\r\n")
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                secure.sendall(b"hello ann\r\n")
                assert told("session_began")["address"] == "192.0.2.7"
        settings.write_text('tls_cert = "other.pem"\ntls_key = "key.pem"\nproxy_from = []\n')
        child.send_signal(signal.SIGHUP)
        assert told("reloaded")["names"] == ["proxy_from"]
        assert told("reloaded_at_start")["names"] == ["tls_cert"]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def test_a_tournament_is_played_over_tls_by_bots_here_and_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    files, port = made(folder), free_port()
    (folder / "own.py").write_text(PRYING.format(key=str(files.key)))
    told: list[str] = []

    async def tournament() -> None:
        told.append(
            await magehall(
                tmp_path, *("tournament", "run", "mages-110m", "--seats", "2", "--rounds", "2", *UNCONFINED),
                *("--bot", f"{folder / 'own.py'}:Mine", "--bot", "remote:zed", "--bot", "random"),
                *("--port", str(port), "--tls-cert", str(files.certificate), "--tls-key", str(files.key)),
                *("--data", str(tmp_path / "kept")),
            )
        )  # fmt: skip
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(tournament)
        remote = ("bot", "run", "random", "--name", "zed", "--cup", "cup", "--tls-pin", files.fingerprint)
        with trio.move_on_after(120):
            await magehall(tmp_path, *remote, "--port", str(port))
    assert f"SHA-256: {files.fingerprint}" in told[0]
    assert "mages-110m: 6 of 6 matches" in told[0]
    logs = [path.read_text() for path in (tmp_path / "kept").rglob("*.txt")]
    if not UNCONFINED:
        assert any("PermissionError" in log or "FileNotFoundError" in log for log in logs), logs
        assert not any("PRIVATE KEY" in log for log in logs)


PRYING = """
import sys
from magehall import Bot
try:
    print(open({key!r}).read(), file=sys.stderr)
except Exception as error:
    print(repr(error), file=sys.stderr)
class Mine(Bot):
    def choose(self, turn):
        return turn.legal[0]
"""


@pytest.mark.parametrize("words", [("--tls-cert", "x"), ("--tls-cert", "x", "--tls-key", "y", "--local")])
async def test_a_tournament_with_half_a_certificate_or_no_server_says_so(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    command = [*MAGEHALL, "tournament", "run", "ikasamage", "--bot", "random", "--bot", "greedy", *words]
    done = await trio.run_process(command, capture_stderr=True, check=False, env=environment(tmp_path), cwd=ROOT)
    assert done.returncode == 2
    assert b"--tls-cert" in done.stderr


@needs_tmux
def test_a_host_speaks_tls_and_reads_out_how_others_come(terminals: Terminals, tmp_path: Path) -> None:
    files, port = made(tmp_path / "tls"), free_port()
    words = f"--tls-cert {files.certificate} --tls-key {files.key} --port {port} --data {tmp_path / 'hall'}"
    command = f"{sys.executable} -m magehall"
    host = terminals.open("host", f"{command} host --seats 3 --bots random --name ann {words}", columns=110, cwd=ROOT)
    seen = host.wait_for("Waiting for 1 more").replace("\n", " ")
    assert f"--port {port} --tls" in seen
    assert f":{port}" in seen.partition("openssl s_client -quiet -connect ")[2]
    assert files.fingerprint in seen
    assert "telnet" not in seen
    friend = terminals.open(
        "friend", f"{command} play --port {port} --name bob --tls-pin {files.fingerprint}", columns=110, cwd=ROOT
    )
    spectator = terminals.open("eye", f"{command} watch --port {port} --name eve --tls", columns=110, cwd=ROOT)
    for terminal in (host, friend, spectator):
        terminal.wait(lambda seen: "Round 1 of 3" in seen or "R1/3" in seen)
    known = (tmp_path / "state" / "magehall" / "known_servers").read_text()
    assert known == f"127.0.0.1:{port} {files.fingerprint}\n", "the spectator and the friend remember it once"
    host.type("invite qr")
    host.wait_for("\N{FULL BLOCK}")
