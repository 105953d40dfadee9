"""The lab's figures, from what was counted by hand."""

from __future__ import annotations

import pytest

from bots.sdk.lab.deals import Counted, Plan
from bots.sdk.lab.report import LABEL_WIDTH, Length, _cells, _length_row, _of_fair, report, sheet, table
from matches.intervals import Estimate
from tests.bots.coin import COIN

PLAN = Plan("coin", ("heads", "tails"), 3, seed=7)
DEALS = [
    Counted(
        matches=2, wins={("seat", "2"): [1.0, 2.0], ("seat", "1"): [1.0, 2.0]}, shares={("turns", "none"): [0.0, 0.0]},
        endings={"heads": 2}, means={"decisions": [1.0, 9.0]},
    ),
    Counted(
        matches=1, wins={("seat", "1"): [1.0, 1.0], ("seat", "2"): [0.0, 1.0]}, shares={("turns", "none"): [0.0, 0.0]},
        endings={"nobody": 1}, means={"decisions": [2.0]},
    ),
]  # fmt: skip


def test_what_was_counted_in_each_deal_comes_together() -> None:
    found = report(COIN, PLAN, DEALS, interrupted=False)
    assert (found.deals, found.matches, found.seats, found.fair, found.seed) == (2, 3, 2, 0.5, 7)
    assert (found.game, found.bots, found.interrupted) == ("coin", ("heads", "tails"), False)
    assert list(found.wins["seat"]) == ["1", "2"]
    assert found.wins["seat"]["1"].value == pytest.approx(2 / 3)
    assert found.wins["seat"]["1"].of == 3
    assert found.wins["seat"]["2"].value == pytest.approx(1 / 3)
    assert "turns" not in found.shares, "of nothing there is no share"
    ended = found.shares["ended by"]
    assert list(ended) == ["heads", "nobody"]
    assert [one.value for one in ended.values()] == pytest.approx([2 / 3, 1 / 3])
    assert [one.of for one in ended.values()] == [3, 3]
    length = found.lengths["decisions"]
    assert (length.mean, length.median, length.p90) == (4.0, 2.0, 9.0)


def test_nine_matches_of_ten_are_no_longer_than_the_ninth() -> None:
    for count, p90 in ((10, 9.0), (11, 10.0), (20, 18.0), (1, 1.0)):
        deal = Counted(matches=count, means={"rounds": [float(number) for number in range(count, 0, -1)]})
        assert report(COIN, PLAN, [deal], interrupted=False).lengths["rounds"].p90 == p90


def test_a_cell_holds_thirty_letters_of_a_label_and_a_dash_where_there_is_no_interval() -> None:
    one = Estimate(0.25, 0.125, 0.5, 8, 4)
    assert _cells("x" * LABEL_WIDTH, one) == ("x" * 30, "8", "25.0 %", "12.5 to 50.0 %")
    assert _cells("a" + "x" * LABEL_WIDTH, one)[0] == ".." + "x" * 28
    for none in (Estimate(0.25, None, 0.5, 8, 4), Estimate(0.25, 0.125, None, 8, 4)):
        assert _cells("x", none)[3] == "-"
    assert _of_fair(one, 0.2) == "1.25  "
    assert _of_fair(one, 0.05) == "5.00 *"


def test_a_length_is_told_with_two_digits() -> None:
    assert _length_row("rounds", Length(2.345, 1.0, 3.456, 2.5, 4.0)) == ("rounds", "2.35", "1.00 to 3.46", "2.5", "4")
    for length in (Length(2.0, None, 3.0, 2.0, 4.0), Length(2.0, 1.0, None, 2.0, 4.0)):
        assert _length_row("rounds", length)[2] == "-"


def test_a_table_has_its_first_column_to_the_left_and_the_others_to_the_right() -> None:
    assert table(("bot", "of"), [("ann", "1"), ("b", "1,000")]) == [
        "",
        "| bot |    of |",
        "|-----|------:|",
        "| ann |     1 |",
        "| b   | 1,000 |",
    ]
    assert sheet("word " * 20, ("a", "b"), []).split("\n") == [
        "word " * 15 + "word", "word " * 3 + "word", "", "| a | b |", "|---|--:|", "",
    ]  # fmt: skip
