"""The abuse list names tests that exist, and every test with an id in its name stands in its row."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE / "ABUSE.md").read_text(encoding="utf-8")
HELD, _, NOT_HELD = PAGE.partition("## Not held yet")

Test = tuple[str, str]  # path below tests/, name


def listed() -> dict[str, set[Test]]:
    """The tests that each row names."""
    rows = re.findall(r"^\| ([A-H]\d\d) \|.*\| (.*?) \|$", HELD, re.MULTILINE)
    found = {case: set(named_in(held)) for case, held in rows}
    assert len(found) == len(rows), "an id stands twice"
    return found


def named_in(held: str) -> list[Test]:
    files = [part.partition(": ") for part in held.split("<br>")]
    return [(path, name) for path, _, names in files for name in re.findall(r"`(\w+)`", names)]


@cache
def existing() -> set[Test]:
    """Every test there is."""
    return {
        (str(path.relative_to(HERE)), name)
        for path in HERE.rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def ids_in(name: str) -> list[str]:
    """The cases that a test's name carries: `test_c03_c06_names_are_plain`."""
    found = re.match(r"test_((?:[a-h]\d\d_)+)", name)
    return found[1].upper().rstrip("_").split("_") if found else []


def test_every_test_on_the_list_exists_and_every_row_has_one() -> None:
    there = existing()
    for case, tests in listed().items():
        assert tests, case
        assert tests <= there, f"{case}: {tests - there}"


def test_every_test_that_carries_an_id_stands_in_its_row() -> None:
    rows = listed()
    for path, name in existing():
        for case in ids_in(name):
            assert (path, name) in rows.get(case, set()), f"{case}: {path}: {name}"


def test_no_case_is_both_held_and_not() -> None:
    assert not set(listed()) & set(re.findall(r"^\| ([A-H]\d\d) \|", NOT_HELD, re.MULTILINE))
