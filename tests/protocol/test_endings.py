"""How a match ended, as it is said in other languages than the wire's."""

import pytest

from languages import speaking
from protocol import messages as m
from protocol.text.sentences import ending_text


def ended(seats: list[tuple[int, int, str]]) -> m.Over:
    """With the score, the place and the end of each seat."""
    results = [m.SeatResult(seat, f"p{seat}", *one) for seat, one in enumerate(seats, 1)]
    return m.Over(table="t1", n=9, results=tuple(results), reason="line", text="It is over.", seed="", salt="")


@pytest.mark.parametrize(
    ("seats", "won"),
    [
        ([(7, 2, "played"), (5, 1, "played")], [2]),
        ([(7, 2, "resigned"), (5, 1, "played")], [1]),
        ([(7, 1, "left"), (5, 1, "late")], [1]),
    ],
    ids=["by its place", "whose seat was taken over", "all were taken over"],
)
def test_who_won_in_another_language_is_who_would_have_won(seats: list[tuple[int, int, str]], won: list[int]) -> None:
    with speaking("fr"):
        told = ending_text(ended(seats), lambda reason, winners, best: f"{reason} {[*winners]} {best}")
    assert told == f"line {won} 7"
