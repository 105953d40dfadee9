"""How a match ended, as it is said in other languages than the wire's."""

import pytest

from languages import speaking
from protocol import messages as m
from protocol.text.sentences import TAKEN_OVER, ending_text


def ended(seats: list[tuple[int, int, str]], text: str) -> m.Over:
    """With the score, the place and the end of each seat."""
    results = [m.SeatResult(seat, f"p{seat}", *one) for seat, one in enumerate(seats, 1)]
    return m.Over(table="t1", n=9, results=tuple(results), reason="line", text=text, seed="", salt="")


@pytest.mark.parametrize(
    ("seats", "text", "won"),
    [
        ([(7, 2, "played"), (7, 1, "played")], "p2 has more cards.", "line [2] 7"),
        ([(7, 3, "resigned"), (7, 2, "played"), (7, 1, "played")], "p3 has more cards.", "line [3] 7"),
        ([(7, 2, "resigned"), (5, 1, "played")], f"p1 wins. {TAKEN_OVER}", "line [1] 7 Mais "),
        ([(5, 1, "left"), (7, 1, "late")], "p2 wins.", "line [2] 7"),
    ],
    ids=["by its place", "beside a seat that was taken over", "whose seat was taken over", "all were taken over"],
)
def test_who_won_is_in_another_language_who_won_by_the_game(
    seats: list[tuple[int, int, str]], text: str, won: str
) -> None:
    with speaking("fr"):
        told = ending_text(ended(seats, text), lambda reason, winners, best: f"{reason} {[*winners]} {best}")
    assert told.startswith(won)
    assert ("Mais" in told) == (TAKEN_OVER in text)
