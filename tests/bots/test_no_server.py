"""A link to where no server of ours answers: each failure has its sentence."""

from __future__ import annotations

import errno
import os

import pytest
import trio
from trio.testing import memory_stream_pair

from bots.sdk.connection import system_error_text
from bots.sdk.link import Dial, Heard, Identity, Link, LinkFailed, Refused, open_link, tcp
from games.registry import get_game
from matches.seat import JoinedTable
from protocol import messages as m

ANN = Identity("ann", "here:1")


def dial_saying(line: bytes) -> Dial:
    """A dial to what says only this."""

    async def dial() -> trio.abc.Stream:
        ours, theirs = memory_stream_pair()
        await theirs.send_all(line)
        await theirs.send_eof()
        return ours

    return dial


async def test_a_server_that_takes_no_proof_of_a_name_without_a_token_is_asked_once() -> None:
    refusal = b'{"type":"error","re":1,"code":"bad_proof","text":"No."}\n'
    with pytest.raises(Refused, match="No"):
        async with open_link(dial_saying(b"magehall 2 0.1 challenge=aa; type help\n" + 2 * refusal), ANN, face="json"):
            raise AssertionError("it was let in")


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (
            b'{"type":"welcome","re":1,"name":"bob","version":2,"server":"x","limits":{}}',
            "broke the protocol: name bob",
        ),
        (b'{"type":"pong","re":1}', "the server did not answer hello"),
    ],
)
async def test_a_hello_that_is_answered_with_something_else_is_told_in_a_sentence(reply: bytes, text: str) -> None:
    dial = dial_saying(b"magehall 2 0.1 challenge=aa; type help\n" + reply + b"\n")
    with pytest.raises(LinkFailed, match=text):
        async with open_link(dial, ANN, face="json"):
            raise AssertionError("it was let in")


async def test_an_answer_to_another_question_ends_the_connection_and_not_the_program() -> None:
    answers = [
        b'{"type":"welcome","re":1,"name":"ann","version":2,"server":"x","limits":{}}\n',
        b'{"type":"pong","re":2}\n',
    ]

    async def dial() -> trio.abc.Stream:
        ours, theirs = memory_stream_pair()
        await theirs.send_all(b"magehall 2 0.1 challenge=aa; type help\n")

        async def answer() -> None:
            await theirs.send_all(answers.pop(0))

        ours.send_stream.send_all_hook = answer
        return ours

    text = "the server broke the protocol: pong does not answer tables"
    with pytest.raises(LinkFailed, match=text):
        async with open_link(dial, ANN, face="json", give_up=0.0) as link:
            await link.ask(m.Tables(id=1), m.TableList)


class Reader:
    """Reads whatever happens as Ikasamage's."""

    def __init__(self) -> None:
        self.table = JoinedTable("t1", get_game("ikasamage"), 1, 4, {})

    def on_message(self, link: Link, message: Heard) -> None:
        if isinstance(message, m.Happened):
            self.table.parse_event(message)

    def on_caught_up(self, link: Link) -> None:
        pass


async def test_an_event_that_is_none_of_the_game_s_ends_the_program_in_a_sentence() -> None:
    lines = [
        b"magehall 2 0.1 challenge=aa; type help",
        b'{"type":"welcome","re":1,"name":"ann","version":2,"server":"x","limits":{}}',
        b'{"type":"event","table":"t1","n":1,"event":{"type":"bets","seat":"none"}}',
    ]
    dial = dial_saying(b"".join(line + b"\n" for line in lines))
    with pytest.raises(LinkFailed, match=r"cannot be read here: .*value"):
        async with open_link(dial, ANN, face="json", hearer=Reader()) as link:
            await link.ask(m.Ping(id=1), m.Pong)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "No magehall server answered at here:1: .*: The server does not greet"),
        (b"magehall 99 9.9 challenge=aa; type help\r\n", "version 99"),
        (
            b"magehall 2 0.1 challenge=aa; type help\r\n",
            "No magehall server answered at here:1: the server closed the connection",
        ),
        (b"", "the server closed the connection"),
    ],
)
async def test_what_is_no_server_of_ours_is_told_in_a_sentence(line: bytes, text: str) -> None:
    with pytest.raises(LinkFailed, match=text):
        async with open_link(dial_saying(line), ANN):
            raise AssertionError("it was let in")


async def test_a_port_where_nobody_listens_is_told_in_a_sentence() -> None:
    with pytest.raises(LinkFailed, match="No server answers at 127"):
        async with open_link(tcp("127.0.0.1", 1), Identity("ann", "127.0.0.1:1")):
            raise AssertionError("it was let in")


def test_an_error_of_the_system_is_told_in_its_own_words() -> None:
    assert system_error_text(OSError(errno.ECONNREFUSED, "refused")) == os.strerror(errno.ECONNREFUSED)
    assert system_error_text(OSError(errno.EPERM, "not allowed")) == os.strerror(errno.EPERM)
    assert system_error_text(OSError(-2, "no such name")) == "no such name"
    assert system_error_text(OSError("something else")) == "something else"
