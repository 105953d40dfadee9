"""A name that is proposed where none was given: allowed, and as close to the text as possible."""

from __future__ import annotations

import pytest

from protocol.limits import NAME_CHARACTERS
from protocol.names import RESERVED, is_name, is_reserved, name_like


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann B.  ", "AnnB"),
        ("007_bond-2", "bond-2"),
        ("Zoë", "Zo"),
        ("魔法", "bot-x"),
        ("", "bot-x"),
        ("a", "bot-a"),
        ("Server", "bot-Server"),
        ("system-1", "bot-system-1"),
        ("spectators", "bot-spectators"),
        ("spectators-too", "spectators-too"),
        ("m" * 99, "m" * NAME_CHARACTERS),
    ],
)
def test_a_name_is_made_of_what_is_allowed_in_a_text_and_is_never_a_voice_of_the_server(text: str, name: str) -> None:
    assert name_like(text) == name
    assert is_name(name)
    assert not is_reserved(name)


def test_a_text_that_gives_no_name_gives_the_other_one() -> None:
    assert [name_like(text, "guest") for text in ("Ann", "!", "admin", *RESERVED)] == ["Ann", *["guest"] * 16]
