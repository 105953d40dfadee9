"""A name that is proposed where none was given: allowed, and as close to the text as possible."""

from __future__ import annotations

import pytest

from protocol.limits import NAME_CHARACTERS
from protocol.names import RESERVED, is_name, is_reserved, lookalike_key, similar_allowed_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann B.  ", "AnnB"),
        ("007_bond-2", "bond-2"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("魔法", "魔法"),
        ("\u0430nn", "nn"),
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
    assert similar_allowed_name(text) == name
    assert is_name(name)
    assert not is_reserved(name)


def test_a_text_that_gives_no_name_gives_the_other_one() -> None:
    assert [similar_allowed_name(text, "guest") for text in ("Ann", "!", "admin", *RESERVED)] == [
        "Ann",
        *["guest"] * 16,
    ]


@pytest.mark.parametrize(
    "name",
    [
        "Élise",
        "Zoë",
        "Вова",
        "Ελένη",
        "やまだ-2",
        "カール",
        "金さん",
        "홍길동",
        "שלום",
        "أحمد",
        "हिन्दी",
        "Đặng",
        "Łukasz",
    ],
)
def test_letters_of_any_script_make_a_name(name: str) -> None:
    assert is_name(name)
    assert similar_allowed_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "\u0410nn",  # a Cyrillic letter among Latin ones
        "e\u0301lise",  # not composed
        "\uff21nn",  # of full width
        "\ufb01n",  # a ligature
        "\u1d00nn",  # a small capital
        "a\u0336\u0335x",  # marks that no letter is made of
        "ann\u200d",
        "\u202eann",
        "\U0001f600\U0001f600",
        "é",
        "-é",
        "1é",
        "a b",
        "é" * 17,
        "\u1160\u1160\u1160",  # letters that show nothing
        "\uac00\ub098\u1160",  # the twin of a name without the last one
        "\u0e01" + "\u0e34" * 9,  # more marks on a letter than a line has room for
    ],
    ids=ascii,
)
def test_what_mixes_scripts_or_shows_otherwise_than_it_is_written_is_no_name(name: str) -> None:
    assert not is_name(name)
    assert is_name(similar_allowed_name(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Élise", "Elise"), ("Вов", "Bob"), ("ΑΝΝΑ", "Anna"), ("Łukasz", "lukasz"), ("ꓮꓠꓠ", "ann"), ("ᎪᏞᏞ", "all"),
        ("Straße", "strasse"),
    ],
)  # fmt: skip
def test_names_of_two_scripts_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert lookalike_key(one) == lookalike_key(other)


def test_no_script_writes_a_voice_of_the_server() -> None:
    assert is_reserved("Ноѕе") is False
    assert is_reserved("аӏӏ")
    assert is_reserved("Sérver-2")
