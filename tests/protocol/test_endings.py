"""How a match ended, as it is said in other languages than the wire's."""

import pytest

from languages import speaking
from protocol import messages as m
from protocol.text.sentences import CLOSED, TAKEN_OVER, ending_text, word


def ended(seats: list[tuple[int, int, str]], text: str) -> m.Over:
    """With the score, the place and the end of each seat."""
    results = [m.SeatResult(seat, f"p{seat}", *one) for seat, one in enumerate(seats, 1)]
    return m.Over(table="t1", n=9, results=tuple(results), reason="line", text=text, seed="", salt="")


def test_in_english_it_is_said_as_it_came_and_what_the_server_says_of_no_result_in_the_reader_s_words() -> None:
    over = ended([(7, 2, "played"), (7, 1, "played")], "p2 has more cards.")
    assert ending_text(over, lambda *_all: "not asked") == "p2 has more cards."
    closed = ended([], CLOSED.format(by="the operator"))
    assert ending_text(closed, lambda *_all: "not asked") == "the operator closed the table; the match does not count."
    with speaking("fr"):
        told = ending_text(closed, lambda *_all: "not asked")
        assert told == "l'opérateur a fermé la table ; la partie ne compte pas."
        assert word("open") == "ouverte"
    assert word("open") == "open"


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
