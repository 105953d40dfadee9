"""How a match ended, as it is said in other languages than the wire's."""

import pytest

from languages import speaking
from people.text.sentences import CLOSED, ending_text, translate_word
from protocol import messages as m


def ended(seats: list[tuple[int, int, str]], text: str) -> m.Over:
    """With the score, the place and the end of each seat."""
    results = [m.SeatResult(seat, f"p{seat}", *one) for seat, one in enumerate(seats, 1)]
    return m.Over(table="t1", n=9, results=tuple(results), reason="line", text=text, seed="", salt="")


def test_the_game_names_the_winner_and_the_server_s_words_are_said_where_there_is_no_result() -> None:
    over = ended([(7, 2, "played"), (7, 1, "played")], "Seat 2 has more cards.")
    assert ending_text(over, lambda _reason, winners, _best: f"{winners[0]} has more cards.") == "p2 has more cards."
    assert ending_text(over, lambda *_all: "") == "Seat 2 has more cards."
    closed = ended([], CLOSED.format(by="the operator"))
    assert ending_text(closed, lambda *_all: "not asked") == "the operator closed the table; the match does not count."
    with speaking("fr"):
        told = ending_text(closed, lambda *_all: "not asked")
        assert told == "l'opérateur a fermé la table ; la partie ne compte pas."
        assert translate_word("open") == "ouverte"
    assert translate_word("open") == "open"


@pytest.mark.parametrize(
    ("seats", "text", "won"),
    [
        ([(7, 2, "played"), (7, 1, "played")], "p2 has more cards.", "line ['p2'] 7"),
        ([(7, 3, "resigned"), (7, 2, "played"), (7, 1, "played")], "p3 has more cards.", "line ['p3'] 7"),
        (
            [(7, 2, "resigned"), (5, 1, "played")],
            "p2 wins, as p1 did not play to the end.",
            "p2 gagne, car p1 n'a pas joué jusqu'à la fin.",
        ),
        (
            [(5, 2, "left"), (7, 2, "late")],
            "There is no winner: a house bot had taken over every seat.",
            "Il n'y a pas de vainqueur : un bot de la maison avait repris tous les sièges.",
        ),
    ],
    ids=["by its place", "beside a seat that was taken over", "whose seat was taken over", "all were taken over"],
)
def test_another_language_names_the_same_winner(seats: list[tuple[int, int, str]], text: str, won: str) -> None:
    with speaking("fr"):
        told = ending_text(ended(seats, text), lambda reason, winners, best: f"{reason} {[*winners]} {best}")
    assert told == won
