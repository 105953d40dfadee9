"""What every game's card files have in common: places are named, and there are bounds."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from games.api import CardsRefused
from games.card_files import MOST_BYTES, MOST_DOTS, CardFileReader, parse_toml

FILE = """\
[house]
rounds = 3

[[ spell ]]
name = "fire"

[[spell]]
name = "ice"
"""


class Spell(msgspec.Struct):
    name: str
    cost: Annotated[int, msgspec.Meta(le=9)] = 0


def told(text: str, section: str, number: int | None = None, name: object = None) -> str:
    """Where a refusal says that it is."""
    reader = CardFileReader(text)
    reader.parse_file()
    reader.set_location(section, number, name)
    with pytest.raises(CardsRefused) as refused:
        reader.require(False, "no")
    return str(refused.value)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (("house",), "line 1, [house]: no."),
        (("spell",), "line 4, [spell]: no."),
        (("spell", 0), "line 4, spell 1: no."),
        (("spell", 1), "line 7, spell 2: no."),
        (("spell", 1, "ice"), "line 7, spell 'ice': no."),
        (("spell", 1, 7), "line 7, spell 2: no."),
        (("spell", 2), "line 1, spell 3: no."),
        (("judge",), "line 1, [judge]: no."),
    ],
)
def test_a_refusal_names_the_line_and_the_entry(place: Any, said: str) -> None:
    assert told(FILE, *place) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb = = 2\nc = 3\n", "line 2, the whole file: it is not TOML: "),
        ("a =", "line 1, the whole file: it is not TOML: "),
        ("a = 1\n\nb =", "line 3, the whole file: it is not TOML: "),
        ("a = 1\n\nb = \n\n", "line 3, the whole file: it is not TOML: "),
        ('a = """\n\n', "line 2, the whole file: it is not TOML: "),
        (f"a = 1\nb = '{'.' * (MOST_DOTS + 1)}'", "line 2, the whole file: there are more than 200 dots"),
        ("a = 1\n" + " " * MOST_BYTES, "line 1, the whole file: it is longer than 200000 bytes"),
        (f"# {'é' * (MOST_BYTES // 2)}", "line 1, the whole file: it is longer than 200000 bytes"),
        ("a = 1\nb = '\ud800'", "line 1, the whole file: it contains half a character"),
    ],
)
def test_what_cannot_be_read_at_all_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(CardsRefused) as refused:
        CardFileReader(text).parse_file()
    assert str(refused.value).startswith(said)


def test_a_file_may_be_as_long_and_have_as_many_dots_as_the_bounds_say() -> None:
    assert parse_toml(f"a = '{'.' * MOST_DOTS}'") == {"a": "." * MOST_DOTS}
    assert parse_toml("#" + " " * (MOST_BYTES - 1)) == {}
    assert (MOST_BYTES, MOST_DOTS) == (200_000, 200)


def refusal_of(given: dict[str, Any]) -> str:
    reader = CardFileReader("")
    with pytest.raises(CardsRefused) as refused:
        reader.section_entries(given, "spell")
    return str(refused.value)


def test_the_entries_of_a_section_are_tables_each_and_none_where_it_is_left_out() -> None:
    reader = CardFileReader("")
    assert reader.section_entries({}, "spell") == []
    assert reader.section_entries({"spell": [{"name": "ice"}]}, "spell") == [{"name": "ice"}]
    for wrong in ({"name": "ice"}, [1], [{"name": "ice"}, 1]):
        assert refusal_of({"spell": wrong}) == "line 1, [spell]: write it as [[spell]], once for each."
    assert reader.require_table({"rounds": 3}, "house") == {"rounds": 3}
    with pytest.raises(CardsRefused, match=r"house is a table, written as \[house\]"):
        reader.require_table([], "house")


def test_an_entry_becomes_a_struct_or_is_refused_where_it_stands_and_at_last_the_whole_file() -> None:
    reader = CardFileReader(FILE)
    reader.parse_file()
    reader.set_location("spell", 1)
    assert reader.convert_entry({"name": "ice", "cost": 9}, Spell) == Spell("ice", 9)
    with pytest.raises(CardsRefused, match=r"^line 7, spell 2: Expected `int` <= 9"):
        reader.convert_entry({"name": "ice", "cost": 10}, Spell)
    reader.set_whole_file()
    with pytest.raises(CardsRefused, match=r"^line 1, the whole file: no\.$"):
        reader.raise_refused("no")
