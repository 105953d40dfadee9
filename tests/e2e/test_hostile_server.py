"""A server that puts line breaks and escape sequences into what it says makes no line that looks like one of ours."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from bots.sdk.connection import ConnectionEnded, LinkFailed, Refused
from bots.sdk.stderr import print_line_to_stderr, wrap_escaped
from protocol import messages as m
from protocol.connection import NEED_DATA, PEER_CLOSED, ServerConnection
from protocol.printable import text_columns

FAKE = "no\nmagehall: FAKE\r\nFAKE\x1b[2J\x1b]0;FAKE\x07\u2028FAKE\x85FAKE"
Answers = Callable[[m.Request], list[m.Message]]


def refuses(code: str) -> Answers:
    return lambda request: [m.Error(re=request.id, code=code, text=FAKE, where=FAKE, rule=FAKE)]


def welcomes(name: str = "") -> Answers:
    def answer(request: m.Request) -> list[m.Message]:
        assert isinstance(request, m.Hello)
        return [m.Welcome(re=request.id, name=name or request.name, version=2, server=FAKE, limits={})]

    return answer


def then(first: Answers, later: Answers) -> Answers:
    return lambda request: first(request) if isinstance(request, m.Hello | m.Lang) else later(request)


ENDING: dict[str, Answers] = {
    "refuses": refuses(FAKE),
    "gives another name": welcomes(FAKE),
    "talks": then(
        welcomes(),
        lambda _request: [
            m.Chat(sender=FAKE, text=FAKE),
            m.Chat(sender=FAKE, text=FAKE, private=True),
            m.SentAway(table=FAKE, why=FAKE, by=FAKE),
            m.Bye(reason="kicked", text=FAKE),
        ],
    ),
}
"""What the server does, after which no client tries again."""


@contextmanager
def serving(answers: Answers) -> Iterator[int]:
    """The port of a server that answers so."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(sock: socket.socket) -> None:
            with sock:
                connection = ServerConnection()
                sock.sendall(connection.greeting_line("x", "0" * 32))
                while data := sock.recv(65_536):
                    connection.receive_data(data)
                    while (event := connection.next_event()) is not NEED_DATA and event is not PEER_CLOSED:
                        assert isinstance(event, m.Request)
                        said = answers(event)
                        sock.sendall(connection.send_all(said))
                        if isinstance(said[-1], m.Bye):
                            return

        def take() -> None:
            while True:
                try:
                    sock, _address = listening.accept()
                except OSError:
                    return
                threading.Thread(target=_quietly, args=(serve, sock), daemon=True).start()

        threading.Thread(target=take, daemon=True).start()
        yield listening.getsockname()[1]


def _quietly(serve: Callable[[socket.socket], None], sock: socket.socket) -> None:
    with suppress(OSError):  # the client is gone
        serve(sock)


def fakes(wrap_escaped: str) -> list[str]:
    """The lines that begin as the server would like them to, or could command a terminal."""
    lines = wrap_escaped.split("\n")
    return [line for line in lines if line.startswith(("FAKE", "magehall: FAKE")) or not line.isprintable()]


COMMANDS = {
    "play": ["play", "ikasamage", "--host", "127.0.0.1:{port}", "--name", "ann"],
    "watch": ["watch", "--host", "127.0.0.1:{port}", "--name", "ann"],
    "stats": ["stats", "ann", "--host", "127.0.0.1:{port}"],
    "bot": ["bot", "run", "random", "--port", "{port}", "--name", "ann", "--open", "ikasamage", "--seats", "3"],
    "standings": ["tournament", "standings", "cup", "--host", "127.0.0.1", "--port", "{port}"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_c20_no_text_of_a_hostile_server_makes_a_line_of_its_own(command: str) -> None:
    with ExitStack() as servers:
        running = {}
        for name, answers in ENDING.items():
            port = servers.enter_context(serving(answers))
            words = [sys.executable, "-m", "magehall", *(word.format(port=port) for word in COMMANDS[command])]
            running[name] = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        wrap_escaped = {name: process.communicate(timeout=60)[0] for name, process in running.items()}
    for name, text in wrap_escaped.items():
        assert text, f"a server that {name}"
        assert fakes(text) == [], f"a server that {name}: {text!r}"
    assert any("FAKE" in text for text in wrap_escaped.values())


def test_c20_a_text_of_several_lines_is_one_in_what_a_link_raises() -> None:
    error = m.Error(code="not_owner", text=FAKE)
    for raised in (Refused(error), LinkFailed(FAKE), ConnectionEnded(FAKE)):
        assert str(raised).isprintable()
    assert Refused(error).error.text.isprintable()


def test_c20_what_a_bot_reports_of_a_text_of_several_lines_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_line_to_stderr(FAKE)
    assert fakes(capsys.readouterr().err) == []


def test_c20_a_text_that_fills_the_row_of_a_terminal_begins_no_row_as_ours_begin() -> None:
    for filler in (" ", "x", "\u3000", "\u00a0"):
        for text in (filler * (60 - length) + "magehall: FAKE" * 9 for length in range(20)):
            first, *rows = wrap_escaped(f"magehall: {text}", 60).split("\n")
            assert rows
            assert all(row.startswith("  ") for row in rows), rows
            assert max(map(text_columns, (first, *rows))) <= 60
