"""Parts of a vector: they are made again only when they have to be, and what is kept is right."""

from __future__ import annotations

from games.layout import WIDTH, Layout, LayoutField, one_hot, pack_numbers, pack_padded, zero_array, zero_part


def test_a_layout_says_where_each_field_stands_and_its_bounds() -> None:
    layout = Layout(
        (LayoutField("seat", (3,)), LayoutField("round", least=1, most=5), LayoutField("grid", (2, 2), -1, 9))
    )
    assert layout.size == 8
    assert layout.slices == {"seat": slice(0, 3), "round": slice(3, 4), "grid": slice(4, 8)}
    assert [list(bound) for bound in layout.bounds()] == [[0, 0, 0, 1, -1, -1, -1, -1], [1, 1, 1, 5, 9, 9, 9, 9]]


def test_parts_have_as_many_numbers_as_they_say() -> None:
    assert pack_padded([1, 2], 4) == pack_numbers(1, 2, 0, 0)
    assert zero_part(3) == pack_numbers(0, 0, 0) == bytes(3 * WIDTH)
    assert list(zero_array(2)) == [0, 0]
    assert [one_hot(place, 3) for place in (0, 2, -1)] == [pack_numbers(1, 0, 0), pack_numbers(0, 0, 1), zero_part(3)]
