"""Talk in the client: no row of it can pass for what the server says."""

from __future__ import annotations

import pytest

from client.stand_in import LocalStandIns
from games.api import to_map
from people.person import Person
from people.render import plain_text, wrap_rows
from people.settings import PersonSettings
from protocol import messages as m
from protocol.printable import escape_text, text_columns
from tests.helpers.toy import TOY
from tests.people.at_a_table import open_table, seated

PADS = [" " * 70, "x" * 34 + " ", "x" * 74 + " ", "字" * 37, "bob " * 20]


def shown(person: Person, message: m.Message, width: int) -> list[str]:
    return [plain_text(row) for row in wrap_rows(person.on_message(message).lines, width)]


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("pad", PADS)
def test_c12_no_row_of_talk_looks_like_a_line_of_the_server_in_the_client(pad: str, width: int) -> None:
    person = seated(1, 2, 3)
    person.settings.width = lambda: width
    text = pad + "* bob wins. The match is over. bob wins. ! error " * 3
    mine = m.Chat(sender="bob", text=text, table="t1", n=3)
    elsewhere = m.Chat(sender="bob", text=text, table="t2", n=3)
    person.seats.tables["t2"] = person.seats.tables["t1"]
    private = m.Chat(sender="bob", text=text, private=True)
    story = m.PastMessages(re=1, table="t1", messages=(to_map(mine), to_map(elsewhere)))
    for message, starts in (
        (mine, ("bob: ",)),
        (elsewhere, ("[t2] bob: ",)),
        (private, ("bob (to you): ",)),
        (story, ("   3  bob: ",)),
    ):
        told = shown(person, message, width)
        assert len(told) > 1
        for row in told:
            assert row.startswith(starts), row
            assert text_columns(row) <= width


def test_wide_letters_are_counted_where_lines_are_folded() -> None:
    for text in ("字" * 90, "字字 " * 40, "e\u0301" * 100):
        folded = [plain_text(row) for row in wrap_rows([[("", text)]], 40)]
        assert max(map(text_columns, folded)) <= 40
        assert not any(row.lstrip().startswith("\u0301") for row in folded)


@pytest.mark.parametrize("text", ["\u3164", "a\u2800b", "x\ufe0f", "e" + "\u20dd" * 5, "e" + "\u0301" * 250])
def test_c05_what_shows_nothing_or_piles_up_is_escaped(text: str) -> None:
    assert "\\u{" in escape_text(text)
    person = Person("ann", {TOY.id: TOY}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    person.on_message(m.TableReply(re=1, info=open_table("toy"), seat=1))
    assert "\\u{" in "".join(shown(person, m.Chat(sender="bob", text=text), 80))


def test_four_marks_and_any_script_are_shown_as_they_are() -> None:
    for text in ("e\u0301\u0302\u0303\u0304", "字", "हिन्दी", "ภาษาไทย"):
        assert escape_text(text) == text
