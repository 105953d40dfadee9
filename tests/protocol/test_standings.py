"""Standings as people read them."""

from __future__ import annotations

from protocol.messages import Standing
from protocol.text.standings import interval, standings_table

FEW = Standing(2, "bob", seats=1, score=0.25, place=2.5)
MANY = Standing(
    *(1, "magician", 120, 0.75, 0.0213, 104.4, -12.6, 210.0, 1.25),
    points=3.5,
    ended={"score": 90, "resigned": 30},
    late=2,
    lead=4.218,
    lead_low=-0.55,
    lead_high=9.0,
)


def test_every_figure_stands_under_its_head_and_a_dash_where_there_is_none() -> None:
    assert standings_table([MANY, FEW]) == [
        "   entrant   score     +-   lead          95 %  rating         95 %  place  points  seats  ended",
        "1  magician  0.750  0.021  +4.22  -0.6 to +9.0    +104  -13 to +210   1.25     3.5    120"
        "  score 90, resigned 30; 2 decisions made for it",
        "2  bob       0.250      -      -             -       -            -   2.50       -      1",
    ]


def test_an_interval_has_both_ends_or_there_is_none() -> None:
    assert [interval(-1.5, 2.25, 1), interval(None, 2.0), interval(1.0, None), interval(0.0, 0.4)] == [
        "-1.5 to +2.2", "-", "-", "+0 to +0",
    ]  # fmt: skip
