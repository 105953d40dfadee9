"""The text face: what terminals, netcat and strangers send."""

import pytest

from people.text.times import parse_seconds
from protocol import limits
from protocol.connection import ServerConnection
from protocol.printable import escape_text, escaped_snippet
from protocol.telnet import HERE, KEYS_AT_ONCE, TelnetAnswer, TerminalParser, TypedLine, UnfinishedKeys
from tests.protocol.driver import END, bytewise, codes, every_cut, happen, heard


def lines(*texts: str) -> list[TypedLine]:
    return [TypedLine(text) for text in texts]


@pytest.mark.parametrize("piece", [1, 1_024, 2**20])
@pytest.mark.parametrize("first", [b"x", b"{"], ids=["text", "json"])
def test_a01_a_line_without_an_end_is_refused_at_4097_bytes(piece: int, first: bytes) -> None:
    data = first + b"x" * 2**20
    taken = 0
    connection = ServerConnection()
    seen: list[str] = []
    while not seen:
        seen = [event[0] for event in happen(connection, [data[taken : taken + piece]])]
        taken += piece
    assert seen == ["line_too_long"]
    assert taken - piece < limits.LINE_BYTES + 1 <= taken


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("length", [4_095, 4_096, 4_097])
def test_a02_the_limit_holds_at_every_cut(length: int, end: bytes) -> None:
    data = b"y" * length + end
    expected = lines("y" * length) if length <= limits.LINE_BYTES else ["line_too_long"]
    assert codes(data) == codes(*bytewise(data)) == expected
    for cut in (1, 2, 4_094, 4_095, 4_096, 4_097, len(data) - 1):
        assert codes(data[:cut], data[cut:]) == expected


def test_a02_a_json_line_has_the_same_limit_at_every_cut() -> None:
    for length, good in ((4_095, True), (4_096, True), (4_097, False)):
        head = b'{"type":"ping","id":1'
        data = head + b" " * (length - len(head) - 1) + b"}\r\n"
        whole = codes(data)
        assert (whole == ["line_too_long"]) is not good
        for cut in (1, 100, 4_095, 4_096, 4_097, len(data) - 1):
            assert codes(data[:cut], data[cut:]) == whole


def test_a02_only_one_cr_is_waited_for_beyond_the_limit() -> None:
    full = b"{" + b"x" * 4_095
    assert codes(full + b"\r") == []
    assert codes(full + b"x\r") == codes(full + b"\r\r") == codes(full + b"x") == ["line_too_long"]


EDITING = {0x00, 0x03, 0x08, 0x0A, 0x0D, 0x7F}
CONTROLS = sorted({*range(0x20), 0x7F} - EDITING)


@pytest.mark.parametrize("control", CONTROLS)
def test_a03_a_control_character_drops_its_line_and_no_other(control: int) -> None:
    for place in range(4):
        spoilt = bytearray(b"who")
        spoilt.insert(place, control)
        assert codes(b"one\n" + spoilt + b"\ntwo\n") == [TypedLine("one"), "bad_char", TypedLine("two")]


def test_a03_nul_is_refused_except_after_a_carriage_return() -> None:
    assert codes(b"a\0b\nc\r\0d\n") == ["bad_char", TypedLine("c"), TypedLine("d")]


@pytest.mark.parametrize(
    "bad", [b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xfe", b"\xc3("]
)
def test_a04_what_is_not_utf8_is_refused_and_the_connection_kept(bad: bytes) -> None:
    data = b"say " + bad + b"\nwho\n"
    assert codes(data) == codes(*bytewise(data)) == ["bad_utf8", TypedLine("who")]


def test_a04_good_utf8_cut_by_a_packet_is_no_error() -> None:
    data = "say Mètres € \U0001f3b2\n".encode()
    for cut in every_cut(data):
        assert heard(*cut) == lines("say Mètres € \U0001f3b2")


NEGOTIATION = (
    b"\xff\xfb\x1f",
    b"\xff\xfd\x01",
    b"\xff\xfc\x1f",
    b"\xff\xfe\x03",
    b"\xff\xf1",
    b"\xff\xfa\x1f\0\x50\0\x18\xff\xf0",
)


@pytest.mark.parametrize("bytes_", NEGOTIATION, ids=lambda b: b.hex())
def test_a05_telnet_negotiation_is_skipped_wherever_it_stands(bytes_: bytes) -> None:
    for place in range(6):
        typed = b"who a" + b"\r\n"
        data = typed[:place] + bytes_ + typed[place:]
        for packets in ((data,), tuple(bytewise(data))):
            assert [event for event in heard(*packets) if not isinstance(event, TelnetAnswer)] == lines("who a")


def test_a05_each_option_is_refused_once() -> None:
    data = b"\xff\xfb\x1f\xff\xfd\x01\xff\xfb\x1f\xff\xfd\x01\xff\xfd\x1f\xff\xfc\x05\xff\xfe\x05"
    answers = [b"\xff\xfd\x1f", b"\xff\xfc\x01", b"\xff\xfc\x1f"]
    assert heard(data) == heard(*bytewise(data)) == [TelnetAnswer(answer) for answer in answers]


def test_a05_control_c_drops_the_line_and_is_answered_every_time() -> None:
    interrupt = b"\xff\xf4\xff\xfd\x06"
    data = b"resign" + interrupt + b"who\r\n" + b"res" + interrupt + b"\r\n"
    answer = TelnetAnswer(b"\xff\xfc\x06")
    assert heard(data) == heard(*bytewise(data)) == [answer, TypedLine("who"), answer, TypedLine("")]
    assert heard(b"resign\x03who\n") == lines("who")


def test_a05_a_doubled_255_is_data_and_no_utf8() -> None:
    assert codes(b"a\xff\xffb\nc\n") == ["bad_utf8", TypedLine("c")]


def test_a05_a_sub_negotiation_of_65_bytes_ends_the_connection() -> None:
    good, bad = b"\xff\xfa" + b"x" * 64 + b"\xff\xf0who\n", b"\xff\xfa" + b"x" * 65
    assert heard(good) == heard(*bytewise(good)) == lines("who")
    assert codes(bad) == codes(*bytewise(bad)) == ["telnet_abuse"]


def test_a05_negotiation_between_cr_and_lf_makes_no_empty_line() -> None:
    data = b"a\r\xff\xf1\nb\r\xff\xfd\x01\nc\n"
    assert (
        heard(data)
        == heard(*bytewise(data))
        == [TypedLine("a"), TypedLine("b"), TelnetAnswer(b"\xff\xfc\x01"), TypedLine("c")]
    )


def test_a06_lf_crlf_cr_and_cr_nul_end_a_line_and_nothing_else_does() -> None:
    data = b"a\nb\r\nc\rd\r\0e\n\n\r\n"
    assert heard(data) == heard(*bytewise(data)) == lines("a", "b", "c", "d", "e", "", "")
    assert heard(b"a\rb\nc\n") == lines("a", "b", "c")
    inner = "x\u0085y\u2028z\u2029w\u00a0v"
    assert heard(inner.encode() + b"\n") == lines(inner)
    assert codes(b"x\x0by\nx\x0cy\nx\x1cy\n") == ["bad_char"] * 3


def test_a08_nothing_but_the_end_parts_a_typed_line() -> None:
    assert heard("bet\u00a02\u30005\u2003x  y \n".encode()) == lines("bet\u00a02\u30005\u2003x  y ")
    assert codes(b"bet\x1f2\n") == ["bad_char"]


@pytest.mark.parametrize(
    "hello",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /a HTTP/1.0\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
    ],
)
def test_a09_http_and_tls_are_told_so_once(hello: bytes) -> None:
    assert codes(hello) == codes(*bytewise(hello)) == codes(hello[:1], hello[1:]) == ["wrong_protocol"]


def test_a09_a_later_line_may_look_like_http() -> None:
    assert heard(b"who\nGET / HTTP/1.1\n") == lines("who", "GET / HTTP/1.1")


def test_backspace_takes_back_one_character() -> None:
    assert heard("whoé\x7f\x08o\n".encode()) == lines("who")
    assert heard("ab€\x7fc\n".encode()) == heard("abé\x7fc\n".encode()) == lines("abc")
    assert heard(b"\x08\x7f\x08x\n") == lines("x")
    assert heard(b"ab\xff\xf7c\n") == lines("ac")  # telnet's own erase character


def test_a_line_cut_off_by_the_end_is_not_carried_out() -> None:
    assert codes(b"who\nresi", END) == [TypedLine("who"), "truncated"]
    assert codes(b"who\n", END) == lines("who")
    assert codes(b"who\n\xff\xfb", END) == lines("who")


def test_c04_printed_text_has_no_control_characters() -> None:
    connection = ServerConnection()
    sent = connection.send_text("one\ntwo \x1b[2J \x9b \x07\r é \u202e\u200d\ud800\n")
    assert sent == "one\r\ntwo \\u{1b}[2J \\u{9b} \\u{7}\\u{d} é \\u{202e}\\u{200d}\\u{d800}\r\n".encode()
    for code_point in (*range(0x20), *range(0x7F, 0xA0), 0x200B, 0x2028, 0x2029, 0xE0041, 0xFEFF):
        assert escape_text(chr(code_point)) == f"\\u{{{code_point:x}}}"


def test_keys_that_make_no_line_are_reported_in_equal_parts() -> None:
    typed, reported = TerminalParser(), []
    for number in range(1, 3 * KEYS_AT_ONCE + 2):
        typed.add_data(b"\x08")
        if isinstance(typed.next_event(), UnfinishedKeys):
            reported.append(number - 1)
            assert typed.next_event() is None
    assert reported == [KEYS_AT_ONCE, 2 * KEYS_AT_ONCE, 3 * KEYS_AT_ONCE]


def test_are_you_there_is_answered_each_time_and_the_line_stays() -> None:
    typed = TerminalParser()
    typed.add_data(b"wh\xff\xf6o\xff\xf6\r\n")
    assert [typed.next_event() for _ in range(4)] == [TelnetAnswer(HERE), TelnetAnswer(HERE), TypedLine("who"), None]


def test_a_window_size_that_is_offered_is_asked_for_once() -> None:
    typed = TerminalParser()
    typed.add_data(b"\xff\xfb\x1f\xff\xfb\x18\xff\xfc\x1f\xff\xfb\x1f")
    assert [typed.next_event() for _ in range(3)] == [
        TelnetAnswer(b"\xff\xfd\x1f"),
        TelnetAnswer(b"\xff\xfe\x18"),
        None,
    ]


@pytest.mark.parametrize(
    ("sub", "columns"),
    [
        (b"\x1f\0\x3c\0\x18", 60),
        (b"\x1f\0\xff\xff\0\x18", 255),
        (b"\x1f\0\0\0\0", 0),
        (b"\x1f\0\x3c", 70),
        (b"\x1f\0\x3c\0\x18\0", 70),
        (b"\x18\0\x3c\0\x18", 70),
        (b"", 70),
    ],
)
def test_a_window_size_is_noted_and_whatever_else_comes_is_skipped(sub: bytes, columns: int) -> None:
    typed = TerminalParser()
    typed.add_data(b"\xff\xfa\x1f\0\x46\0\x18\xff\xf0" + b"\xff\xfa" + sub + b"\xff\xf0who\n")
    assert [typed.next_event() for _ in range(2)] == [TypedLine("who"), None]
    assert typed.columns == columns


def test_a_snippet_is_short_ascii() -> None:
    assert escaped_snippet("fireball") == "fireball"
    assert escaped_snippet("x" * 32) == "x" * 32
    assert escaped_snippet("x" * 33) == "x" * 29 + "..."
    assert escaped_snippet("é\x1b") == "\\u{e9}\\u{1b}"
    assert len(escaped_snippet("\U0001f3b2" * 40)) <= 32


@pytest.mark.parametrize(
    ("word", "seconds"), [("1s", 1), ("30s", 30), ("3m", 180), ("2h", 7_200), ("7d", 604_800), ("1w", 604_800)]
)
def test_a_span_of_time_is_a_number_and_a_letter(word: str, seconds: int) -> None:
    assert parse_seconds(word) == seconds


@pytest.mark.parametrize("word", ["", "3", "m", "0m", "3x", "-3m", "1000000s", "3 m"])
def test_anything_else_is_none(word: str) -> None:
    with pytest.raises(ValueError, match="A time is a number and one of s, m, h, d, w"):
        parse_seconds(word)
