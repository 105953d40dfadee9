"""Parts of a vector: they are made again only when they have to be, and what is kept is right."""

from __future__ import annotations

import pytest

from games.layout import WIDTH, Counts, Field, Latest, Layout, blank, one_of, part, row, zeros


def test_a_layout_says_where_each_field_stands_and_its_bounds() -> None:
    layout = Layout((Field("seat", (3,)), Field("round", least=1, most=5), Field("grid", (2, 2), -1, 9)))
    assert layout.size == 8
    assert layout.slices == {"seat": slice(0, 3), "round": slice(3, 4), "grid": slice(4, 8)}
    assert [list(bound) for bound in layout.bounds()] == [[0, 0, 0, 1, -1, -1, -1, -1], [1, 1, 1, 5, 9, 9, 9, 9]]


def test_parts_have_as_many_numbers_as_they_say() -> None:
    assert row([1, 2], 4) == part(1, 2, 0, 0)
    assert zeros(3) == part(0, 0, 0) == bytes(3 * WIDTH)
    assert list(blank(2)) == [0, 0]
    assert [one_of(place, 3) for place in (0, 2, -1)] == [part(1, 0, 0), part(0, 0, 1), zeros(3)]


def test_a_part_is_made_again_only_when_what_it_is_made_from_differs() -> None:
    made: list[tuple[object, object]] = []

    def make(source: list[int], last: tuple[list[int] | None, object]) -> bytes:
        made.append((source, last[0]))
        return part(*source)

    latest = Latest(make)
    assert latest.parts(([1], [2])) == [part(1), part(2)]
    assert latest.parts(([1], [2])) == [part(1), part(2)]  # others that are equal
    assert latest.parts(([1], [3])) == [part(1), part(3)]
    assert made == [([1], None), ([2], None), ([3], [2])]


class Unequal(list[int]):
    """Equal to nothing, not even to itself."""

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True


def test_the_very_same_thing_is_not_even_compared() -> None:
    made: list[list[int]] = []

    def make(source: list[int], _last: object) -> bytes:
        made.append(source)
        return zeros(1)

    latest, same = Latest(make), Unequal()
    assert latest.parts([same]) == latest.parts([same]) == [zeros(1)]
    assert len(made) == 1


class Noted(dict[str, int]):
    """Counts how often it is asked."""

    asked = 0

    def __getitem__(self, key: str) -> int:
        self.asked += 1
        return super().__getitem__(key)


@pytest.mark.parametrize(
    ("after", "counts", "asked"),
    [
        (("a", "c"), [1, 0, 1], 0),
        (("a", "c", "a"), [2, 0, 1], 1),
        (("a", "b"), [1, 1, 0], 2),
        (("c",), [0, 0, 1], 1),
        ((), [0, 0, 0], 0),
    ],
)
def test_a_pile_is_counted_on_from_where_it_was_and_anew_where_it_is_another(
    after: tuple[str, ...], counts: list[int], asked: int
) -> None:
    kinds = Noted(a=0, b=1, c=2)
    counted = Counts(kinds)
    assert list(counted.of_pile(("a", "c"))) == [1, 0, 1]
    kinds.asked = 0
    assert list(counted.of_pile(after)) == counts
    assert kinds.asked == asked
    assert list(counted.of_pile(after)) == counts
    assert kinds.asked == asked
    assert list(counted.of(["b", "b"])) == [0, 2, 0]
