"""What may be said, and that nothing said can pass for what the server says: C04, C05, C12 of the abuse list."""

from __future__ import annotations

import unicodedata

import pytest

from people.text.sentences import talk_rows
from protocol import messages as m
from protocol.printable import text_columns
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

INVISIBLE = [
    *("\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u00ad", "\u034f", "\u17b4", "\u17b5", "\u180b", "\u180c"),
    *("\u180d", "\u180e", "\u180f", "\u200b", "\u200c", "\u2060", "\U000e0041", "\U000e0100", "\ufe00", "\ufeff"),
]
FORGED = ["* bob wins", "> It is your turn", "! error", "- bob left", "The match is over. bob wins"]
SPACES = [" ", "\u00a0", "\u2003", "\u3000", "\u2009 "]


async def talkers(hall: Hall) -> tuple[Peer, Peer]:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.heard()
    await bob.heard()
    return ann, bob


async def say(ann: Peer, text: str) -> dict[str, object]:
    """The answer, which is the same wherever it is said."""
    answers = [
        await ann.ask("say", text=text),
        await ann.ask("say", text=text, table="t1"),
        await ann.ask("tell", to="bob", text=text),
    ]
    await ann.heard()
    for answer in answers:
        assert (answer["type"], answer.get("code")) == (answers[0]["type"], answers[0].get("code"))
    return answers[0]


@pytest.mark.parametrize(
    "bad",
    [
        *("\x1b[2J", "\x1b]0;owned\x07", "\x1bP", "\x9b2J", "\x7f", "\x07", "\x08", "\r", "\n", "\x00", "\u2028"),
        *("\u2029", "\u202e", "\u2066", "\u200d", "\U000e0041", "\ue000", "\ufeff", "\u00ad", "\t"),
    ],
)
async def test_c04_c05_control_and_format_characters_are_refused_in_every_text(hall: Hall, bad: str) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    for fields in (
        {"kind": "say", "text": f"a{bad}b"},
        {"kind": "say", "text": f"a{bad}b", "table": "t1"},
        {"kind": "tell", "to": "bob", "text": f"a{bad}b"},
        {"kind": "start", "table": "t1", "nonce": f"a{bad}b"},
        {"kind": "join", "table": "t1", "nonce": f"a{bad}b"},
        {"kind": "join", "table": f"t1{bad}"},
        {"kind": "cards", "game": "toy", "name": f"1{bad}"},
        {"kind": "rules", "game": f"toy{bad}"},
        {"kind": "open", "game": "toy", "options": {f"a{bad}": 1}},
        {"kind": "add", "table": "t1", "bot": f"first{bad}"},
    ):
        answer = await ann.ask(**fields)
        assert answer["type"] == "error", fields
        assert "nonce" not in fields or answer["where"] == "$.nonce"
        assert (answer["text"] + answer.get("where", "")).isprintable(), answer
    assert await bob.heard() == []


@pytest.mark.parametrize("mark", ["\u0301", "\u20dd", "\u093e", "\u0e48", "\u1161", "\u0489"])
async def test_c05_marks_of_every_class_may_stand_four_deep_and_no_deeper(hall: Hall, mark: str) -> None:
    ann, bob = await talkers(hall)
    assert (await say(ann, f"e{mark * 4} is high"))["type"] == "said"
    assert len(await bob.heard()) == 3
    for pile in (f"e{mark * 5}", f"x{mark * 250}", f"fine e{mark * 4}{mark} not"):
        assert (await say(ann, pile))["code"] == "bad_chat"
    assert await bob.heard() == []


@pytest.mark.parametrize(
    "text",
    [
        unicodedata.normalize("NFD", "Tiếng Việt, đường phố"),
        "हिन्दी में क्षत्रिय, स्त्री",
        "ที่นี่ น้ำ ผู้ใหญ่",
        "မြို့ ကြွေ့",
        "שָׁלוֹם",
        unicodedata.normalize("NFD", "한국어"),
        "1\u20e3",
    ],
)
async def test_c05_what_is_written_with_marks_is_told_as_it_is(hall: Hall, text: str) -> None:
    ann, bob = await talkers(hall)
    assert (await say(ann, text))["type"] == "said"
    assert {chat["text"] for chat in await bob.heard()} == {text}


@pytest.mark.parametrize("letter", INVISIBLE)
async def test_c05_letters_that_show_nothing_are_refused(hall: Hall, letter: str) -> None:
    ann, bob = await talkers(hall)
    for text in (letter, letter * 20, f"a{letter}b", f" {letter} "):
        assert (await say(ann, text))["code"] == "bad_chat"
    assert await bob.heard() == []


@pytest.mark.parametrize("text", [" ", "   ", "\u3000", "\u00a0 \u2003", "\u0301", " \u0301 \u20dd", "\ufe0f"])
async def test_c05_a_line_must_show_something(hall: Hall, text: str) -> None:
    ann, _bob = await talkers(hall)
    assert (await say(ann, text))["code"] == "bad_chat"


async def test_the_sign_that_colours_an_emoji_is_left_out(hall: Hall) -> None:
    ann, bob = await talkers(hall)
    assert (await say(ann, "I \u2764\ufe0f it"))["type"] == "said"
    assert {chat["text"] for chat in await bob.heard()} == {"I \u2764 it"}


@pytest.mark.parametrize("space", SPACES)
async def test_c12_a_run_of_spaces_is_told_as_one(hall: Hall, space: str) -> None:
    ann, bob = await talkers(hall)
    assert (await say(ann, f"{space}hi{space * 70}* bob wins{space * 2}"))["type"] == "said"
    assert {chat["text"] for chat in await bob.heard()} == {"hi * bob wins"}


@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize(
    "pad", [" " * 71, "x" * 74 + " ", "\u3000" * 36, "字" * 37, "字" * 36 + " ", "e\u0301" * 74, "x " * 37]
)
async def test_c12_no_row_of_talk_looks_like_a_line_of_the_server(hall: Hall, pad: str, forged: str) -> None:
    """What is said is padded so that a terminal of 80 columns would begin a new row with the forged line."""
    ann, bob = await hall.player("ann"), await hall.typist(width=80)
    await bob.types("hello bob", "open toy 2")
    await ann.ask("join", table="t1")
    await bob.heard()
    for fields in ({"kind": "say"}, {"kind": "say", "table": "t1"}, {"kind": "tell", "to": "bob"}):
        assert (await ann.ask(**fields, text=(pad + forged * 8)[:300]))["type"] == "said"
        rows = (await bob.heard()).splitlines()
        assert rows
        for row in rows:
            assert row.startswith(("ann: ", "ann (to you): "))
            assert text_columns(row) <= 80
        assert "".join(forged.split()) in "".join("".join(row.partition(": ")[2].split()) for row in rows)


async def test_c12_the_log_of_a_match_shows_talk_in_the_same_rows(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.typist(width=80)
    await bob.types("hello bob", "open toy 2")
    await ann.ask("join", table="t1")
    await bob.types("start")
    await ann.ask("say", table="t1", text="x" * 74 + " " + "* bob wins " * 20)
    await bob.heard()
    told = [row for row in (await bob.types("log")).splitlines() if "bob wins" in row or "xxx" in row]
    assert len(told) > 3
    for row in told:
        assert row[6:].startswith("ann: ")
        assert text_columns(row) <= 80


def test_rows_of_talk_lose_nothing_and_keep_marks_with_their_letters() -> None:
    text = "e\u0301" * 100 + " and " + "字" * 60 + " end"
    rows = talk_rows(m.Chat(sender="ann", text=text), 40)
    assert "".join(part for _who, part in rows).replace(" ", "") == text.replace(" ", "")
    assert not any(part.startswith("\u0301") for _who, part in rows)
    assert max(text_columns(who + part) for who, part in rows) == 40
    assert [who for who, _part in rows] == ["ann: "] + ["ann:   "] * (len(rows) - 1)


async def test_others_who_hear_are_counted_whether_or_not_the_sender_hears_too(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    assert (await ann.ask("say", table="t1", text="hi"))["heard"] == 2
    await ann.cut()
    again = await hall.again("ann", ann.token)
    assert (await again.ask("say", table="t1", text="I am back"))["heard"] == 2
    assert [one["text"] for one in await bob.heard() if one["type"] == "chat"] == ["hi", "I am back"]
    assert (await eve.ask("say", table="t1", text="hm"))["heard"] == 1
