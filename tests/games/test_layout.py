"""Parts of a vector: they are made again only when they have to be, and what is kept is right."""

from __future__ import annotations

from games.layout import WIDTH, Layout, LayoutField, blank, one_of, part, row, zeros


def test_a_layout_says_where_each_field_stands_and_its_bounds() -> None:
    layout = Layout(
        (LayoutField("seat", (3,)), LayoutField("round", least=1, most=5), LayoutField("grid", (2, 2), -1, 9))
    )
    assert layout.size == 8
    assert layout.slices == {"seat": slice(0, 3), "round": slice(3, 4), "grid": slice(4, 8)}
    assert [list(bound) for bound in layout.bounds()] == [[0, 0, 0, 1, -1, -1, -1, -1], [1, 1, 1, 5, 9, 9, 9, 9]]


def test_parts_have_as_many_numbers_as_they_say() -> None:
    assert row([1, 2], 4) == part(1, 2, 0, 0)
    assert zeros(3) == part(0, 0, 0) == bytes(3 * WIDTH)
    assert list(blank(2)) == [0, 0]
    assert [one_of(place, 3) for place in (0, 2, -1)] == [part(1, 0, 0), part(0, 0, 1), zeros(3)]
