"""Both sides of a connection, talking without a socket."""

import itertools
from collections.abc import Sequence
from typing import Literal

import msgspec
import pytest

from protocol import VERSION, limits
from protocol.connection import (
    NEED_DATA,
    PEER_CLOSED,
    SERVER_MESSAGE_BYTES,
    ClientConnection,
    Face,
    Greeting,
    ServerConnection,
    SharedMessages,
    UndecodedTurn,
)
from protocol.errors import CODES, GOODBYES, LocalProtocolError, RemoteProtocolError
from protocol.messages import (
    REPLIES,
    REQUESTS,
    TOLD,
    Accepted,
    Act,
    Bye,
    Chat,
    Happened,
    Message,
    Page,
    Ping,
    Pong,
    Say,
    TurnUpdate,
)
from protocol.telnet import TypedLine
from tests.helpers.wire import frame, framed, line
from tests.protocol.driver import END, bytewise, every_cut, happen

CHALLENGE = "00112233445566778899aabbccddeeff"
TURN = TurnUpdate(table="t1", n=3, turn=1, view={"hand": ["fireball"]}, legal=[{"do": "pass"}], left=30.0, main=300.0)
SAID: tuple[Message, ...] = (
    Pong(re=1),
    Happened(table="t1", n=2, event={"what": "bet", "seat": 1}),
    TURN,
    Accepted(re=2, table="t1", turn=1),
    Bye(reason="quit", text=GOODBYES["quit"]),
)
BINARY = pytest.mark.parametrize("face", ["json", "msgpack"])


def meet(face: str) -> tuple[ServerConnection, ClientConnection]:
    """A pair whose greeting and first request have been exchanged."""
    server, client = ServerConnection(), ClientConnection("json" if face == "json" else "msgpack")
    client.receive_data(server.greeting_line("0.1.0", CHALLENGE))
    assert client.next_event() == Greeting(server="0.1.0", version=VERSION, challenge=CHALLENGE)
    server.receive_data(client.send(Ping(id=1)))
    assert server.next_event() == Ping(id=1)
    assert server.next_event() is NEED_DATA
    assert server.face == face
    return server, client


def test_a_client_that_knows_the_game_gets_the_parts_of_a_turn_unread_and_all_else_as_it_is() -> None:
    server, client = ServerConnection(), ClientConnection("msgpack", unread_turns=True)
    client.receive_data(server.greeting_line("0.1.0", CHALLENGE))
    assert isinstance(client.next_event(), Greeting)
    server.receive_data(client.send(Ping(id=1)))
    server.next_event()
    client.receive_data(server.send(TURN))
    turn = client.next_event()
    assert isinstance(turn, UndecodedTurn)
    assert (turn.table, turn.n, turn.turn, turn.left, turn.main) == ("t1", 3, 1, 30.0, 300.0)
    assert msgspec.msgpack.decode(turn.view) == TURN.view
    assert msgspec.msgpack.decode(turn.legal) == TURN.legal
    assert not turn.knowledge
    for message in SAID:
        client.receive_data(server.send(message))
        assert client.next_event() == message or message is TURN


@BINARY
def test_a_pair_of_connections_understand_each_other(face: str) -> None:
    server, client = meet(face)
    for message in SAID:
        client.receive_data(server.send(message))
        assert client.next_event() == message
        assert client.next_event() is NEED_DATA
    act = Act(id=2, table="t1", turn=1, action={"do": "pass"})
    server.receive_data(client.send(act))
    assert server.next_event() == act
    for side in (server, client):
        side.receive_data(END)
        assert side.next_event() is PEER_CLOSED
        assert side.next_event() is PEER_CLOSED


@BINARY
def test_several_messages_are_the_same_bytes_as_one_by_one(face: str) -> None:
    server, _client = meet(face)
    assert server.send_all(list(SAID)) == b"".join(server.send(message) for message in SAID)


def test_a_frame_beyond_the_format_is_our_bug() -> None:
    server, _client = meet("msgpack")
    with pytest.raises(LocalProtocolError):
        server.send(Page(re=1, title="", text="x" * 2**24))


@BINARY
def test_a16_any_packets_from_the_server_give_the_same_messages(face: str) -> None:
    server, _client = meet(face)
    data = server.greeting_line("0.1.0", CHALLENGE) + b"".join(server.send(message) for message in SAID)

    def told(chunks: Sequence[bytes]) -> list[object]:
        return happen(ClientConnection("json" if face == "json" else "msgpack"), chunks)

    whole = told([data])
    assert whole == [Greeting(server="0.1.0", version=VERSION, challenge=CHALLENGE), *SAID]
    assert told(list(bytewise(data))) == whole
    assert all(told(cut) == whole for cut in every_cut(data))


STREAMS = (
    b"who\r\nsay \xc3\xa9\x08x\r\0\xff\xfd\x06re\x03\n",
    b"\xff\xfb\x1fa\x1b\n\xff\xfa\x1f\xff\xff\xff\xf0\r\nb\n\n\rc",
    line({"type": "ping", "id": 1}) + b'{"id":2}\r\nx\n{"a',
    frame({"type": "ping", "id": 1}) + frame([1]) + frame({"id": 2})[:7],
)


@pytest.mark.parametrize("data", STREAMS, ids=["typed", "negotiated", "json", "msgpack"])
def test_a16_a_stream_cut_at_any_two_places_gives_the_same_events(data: bytes) -> None:
    whole = happen(ServerConnection(), [data, END])
    assert len(whole) >= 3
    for first, second in itertools.combinations(range(1, len(data)), 2):
        assert happen(ServerConnection(), [data[:first], data[first:second], data[second:], END]) == whole


def test_a16_short_streams_cut_in_every_way_give_the_same_events() -> None:
    for data in (b"a\r\nb\r\0\xff\xf4\n", b"\xff\xfd\x06\xc3\xa9\n", b"{}\r\n[]\n{", b"\0\0\0\1\xc0\0\0\0\2"):
        whole = happen(ServerConnection(), [data, END])
        for cuts in itertools.product([False, True], repeat=len(data) - 1):
            places = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(data)]
            pieces = [data[a:b] for a, b in itertools.pairwise(places)]
            assert happen(ServerConnection(), [*pieces, END]) == whole


def test_the_face_is_unknown_until_the_first_byte() -> None:
    faces: list[tuple[bytes, Face]] = [(b"{", "json"), (b"\0", "msgpack"), (b"h", "text"), (b"\xff", "text")]
    for first, face in faces:
        connection = ServerConnection()
        assert connection.face == ""
        assert connection.next_event() is NEED_DATA
        connection.receive_data(first)
        assert connection.face == face
    silent = ServerConnection()
    silent.receive_data(END)
    assert silent.next_event() is PEER_CLOSED


def test_the_greeting_is_one_line_of_ascii() -> None:
    greeting = ServerConnection().greeting_line("0.1.0", CHALLENGE)
    assert greeting == f"magehall {VERSION} 0.1.0 challenge={CHALLENGE}; type help\r\n".encode("ascii")


class Watched(bytearray):
    """A buffer that counts how many bytes are searched."""

    searched = 0

    def find(self, sub: bytes, start: int = 0) -> int:  # type: ignore[override]  # only as the cutter calls it
        self.searched += len(self) - start
        return super().find(sub, start)


def test_a18_single_bytes_are_searched_once() -> None:
    connection = ServerConnection()
    connection.receive_data(b"{")
    buffer = connection._cutter._buffer = Watched(b"{")
    for _ in range(4_000):
        connection.receive_data(b"x")
        assert connection.next_event() is NEED_DATA
    assert connection._cutter._buffer is buffer
    assert buffer.searched <= 3 * 4_001


def test_after_an_error_that_closes_nothing_more_is_read() -> None:
    connection = ServerConnection()
    connection.receive_data(b"\0\xff\xff\xff" + frame({"type": "ping", "id": 1}))
    with pytest.raises(RemoteProtocolError):
        connection.next_event()
    assert connection.next_event() is PEER_CLOSED
    connection.receive_data(frame({"type": "ping", "id": 1}))
    assert connection.next_event() is PEER_CLOSED


def test_messages_in_the_wrong_face_are_our_bug() -> None:
    connection = ServerConnection()
    with pytest.raises(LocalProtocolError):
        connection.send(Pong(re=1))
    assert connection.send_text("bye\n") == b"bye\r\n"
    connection.receive_data(b"{")
    with pytest.raises(LocalProtocolError):
        connection.send_text("bye\n")
    with pytest.raises(LocalProtocolError):
        ServerConnection().send_all([Pong(re=1)])
    client = ClientConnection("json")
    client.receive_data(END)
    with pytest.raises(LocalProtocolError):
        client.receive_data(b"x")
    connection.receive_data(END)
    with pytest.raises(LocalProtocolError):
        connection.receive_data(b"x")


@BINARY
def test_a_client_ignores_what_a_newer_server_adds(face: str) -> None:
    _server, client = meet(face)
    write = line if face == "json" else frame
    client.receive_data(write({"type": "weather", "sun": True}) + write({"type": "pong", "re": 1, "mood": "good"}))
    assert client.next_event() == Pong(re=1)


@BINARY
def test_a_client_refuses_what_is_no_message(face: str) -> None:
    write = line if face == "json" else frame
    for said, code in (
        ({"type": "pong", "re": "1"}, "bad_field"),
        ({"re": 1}, "bad_field"),
        ([1], "not_a_map"),
        ({"type": 5}, "bad_field"),
    ):
        _server, client = meet(face)
        assert [event[0] for event in happen(client, [write(said)])] == [code]
    _server, client = meet(face)
    broken = b"{\n" if face == "json" else b"\0\0\0\1\xc1"
    assert [event[0] for event in happen(client, [broken])] == [f"bad_{face}"]
    if face == "json":
        deep = b'{"type":"position","re":1,"table":"t","n":1,"view":' + b"[" * 100_000 + b"\n"
    else:
        deep = framed(b"\x82\xa4type\xa8position\xa4view" + b"\x91" * 100_000)
    assert [event[0] for event in happen(client, [deep])] == ["too_deep"]


def test_a_client_tells_another_service_and_an_endless_greeting() -> None:
    for said in (b"220 mail ESMTP\r\n", b"SSH-2.0-x\r\n", b"\n"):
        assert [event[0] for event in happen(ClientConnection("json"), [said])] == ["wrong_protocol"]
    endless = [b"x" * 2**20] * (SERVER_MESSAGE_BYTES // 2**20 + 1)
    assert [event[0] for event in happen(ClientConnection("json"), endless)] == ["line_too_long"]
    assert [event[0] for event in happen(ClientConnection("json"), [b"magehall", END])] == ["truncated"]


@BINARY
def test_a_client_sends_nothing_that_is_too_long(face: str) -> None:
    _server, client = meet(face)
    with pytest.raises(LocalProtocolError):
        client.send(Act(id=2, table="t1", turn=1, action={"do": "x" * 20_000}))


def test_every_message_has_a_word_of_its_own_and_a_sentence() -> None:
    kinds = (*REQUESTS, *REPLIES, *TOLD)
    assert len({kind.__struct_config__.tag for kind in kinds}) == len(kinds)
    assert all((kind.__doc__ or "").strip().endswith(".") for kind in kinds)


def test_every_message_survives_both_faces() -> None:
    for message in SAID:
        for encode, decode in (
            (msgspec.json.encode, msgspec.json.decode),
            (msgspec.msgpack.encode, msgspec.msgpack.decode),
        ):
            assert decode(encode(message), type=type(message)) == message


def test_every_error_has_a_sentence_short_enough() -> None:
    for name, code in CODES.items():
        assert RemoteProtocolError(name).text == code.translated_text
        assert len(code.translated_text.encode()) <= 200
    assert all(len(text) <= 200 for text in GOODBYES.values())


def test_an_errors_sentence_is_clipped_and_escaped_whoever_wrote_it() -> None:
    assert RemoteProtocolError("bad_action", "what is \x1b[2J?").text == "what is \\u{1b}[2J?"
    assert RemoteProtocolError("bad_action", "x" * 200).text == "x" * 200
    assert RemoteProtocolError("bad_action", "x" * 201).text == "x" * 197 + "..."
    assert len(RemoteProtocolError("bad_action", "\u20ac" * 300).text.encode()) <= 200


def test_typed_text_and_requests_are_different_events() -> None:
    connection = ServerConnection()
    connection.receive_data(b"who\n")
    assert connection.next_event() == TypedLine("who")


@pytest.mark.parametrize("face", ["json", "msgpack"])
def test_what_several_are_told_is_encoded_once_for_each_face(face: Face) -> None:
    told = [Chat(sender="ann", text="hello"), Chat(sender="bob", text="hi")]
    bulletin = SharedMessages(told)
    first, second = ServerConnection(), ServerConnection()
    for connection in (first, second):
        connection.receive_data(b"{" if face == "json" else b"\0")
    assert first.send_all(bulletin) == first.send_all(told)
    assert second.send_all(bulletin) is first.send_all(bulletin)


@pytest.mark.parametrize(("face", "most"), [("json", limits.LINE_BYTES), ("msgpack", limits.FRAME_BYTES)])
def test_a_client_sends_no_request_that_is_longer_than_a_server_takes(
    face: Literal["json", "msgpack"], most: int
) -> None:
    client = ClientConnection(face)
    empty = len(client.send(Say(id=1, text="x" * 300)).rstrip(b"\n")) - 300 - (4 if face == "msgpack" else 0)
    longest = Say(id=1, text="x" * (most - empty))
    assert len(client.send(longest)) > most
    with pytest.raises(LocalProtocolError, match=f"a request of {most + 1} bytes"):
        client.send(Say(id=1, text=f"{longest.text}x"))
