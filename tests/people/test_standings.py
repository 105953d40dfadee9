"""Standings as people read them."""

from __future__ import annotations

import msgspec
import pytest

from people.text.standings import full_standings, standings_table
from protocol.messages import Against, CupStandings, Standing

FEW = Standing(2, "bob", seats=1, score=0.25, place=2.5, ranked=False)
MANY = Standing(
    *(1, "magician", 120, 0.75, 0.0213, 104.4, -12.6, 210.0, 1.25),
    points=3.5,
    ended={"score": 90, "resigned": 30},
    late=2,
    lead=4.218,
    lead_low=-0.55,
    lead_high=9.0,
    score_low=0.6712,
    score_high=0.8149,
)


def test_every_figure_stands_under_its_head_and_a_dash_where_there_is_none() -> None:
    assert standings_table([MANY, FEW]) == [
        "rank  entrant   score          95 %   lead          95 %  rating         95 %  place  points  seats  ended",
        "   1  magician  0.750  0.67 to 0.81  +4.22  -0.6 to +9.0    +104  -13 to +210   1.25     3.5    120"
        "  score 90, resigned 30; 2 decisions made for it",
        " (2)  bob       0.250             -      -             -       -            -   2.50       -      1",
    ]


def test_a_number_that_is_no_rank_and_the_challenger_are_marked_and_the_marks_explained() -> None:
    against = Against("bob", 12, 1.0, 0.712, 1.0, 0.9, 0.0, 1)
    told = CupStandings(re=1, cup="c", state="running", rows=(MANY, FEW), rank_by="rating", challenger="magician")
    assert full_standings(msgspec.structs.replace(told, against=(against,)))[3:] == [
        "(1): too few deals for a rank, fewer than eight; the place in the list.",
        "*: the challenger",
        "Ranked by the rating.",
        "magician, the challenger, against each:",
        "entrant  matches  ahead       95 %  score  its score  the challenger is",
        "bob           12  100 %  71 to 100  0.900      0.000  better",
    ]
    assert full_standings(told)[1].startswith("   1  magician *  ")
    assert full_standings(CupStandings(re=1, cup="c", state="running", rows=(MANY,))) == standings_table([MANY])


LOST = msgspec.structs.replace(MANY, rank=2, entrant="a-name-of-20-letters", ended={"played": 99, "crashed": 21})


ALL = ["place", "points", "95 % of the lead", "lead", "95 % of the rating"]


@pytest.mark.parametrize(
    ("width", "head", "spared"),
    [
        (
            120,
            "rank  entrant               score          95 %   lead          95 %  rating         95 %  place  points"
            "  seats",
            0,
        ),
        (99, "rank  entrant               score          95 %   lead          95 %  rating         95 %  seats", 2),
        (90, "rank  entrant               score          95 %   lead  rating         95 %  seats", 3),
        (62, "rank  entrant               score          95 %  rating  seats", 5),
    ],
)
def test_a_table_that_would_be_too_wide_does_without_what_matters_least_and_says_so(
    width: int, head: str, spared: int
) -> None:
    lines = standings_table([msgspec.structs.replace(MANY, late=0), LOST], width)
    assert lines[0] == head
    assert max(map(len, lines[:3])) <= width
    assert lines[3:5] == [
        "magician: score 90, resigned 30",
        f"{LOST.entrant}: played 99, crashed 21; 2 decisions made for it",
    ]
    assert lines[5:] == ([f"Not in {width} columns: {', '.join(ALL[:spared])}."] if spared else [])


def test_what_fits_is_whole_and_that_all_played_to_the_end_needs_no_line() -> None:
    assert standings_table([MANY, FEW], 150) == standings_table([MANY, FEW])
    played = msgspec.structs.replace(FEW, ended={"played": 1})
    assert standings_table([played], 75) == [line[:75].rstrip() for line in standings_table([played])]
