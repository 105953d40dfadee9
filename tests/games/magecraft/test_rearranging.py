"""A revision that is typed as the books it makes becomes lifts, puts and masters."""

from collections import Counter

import pytest

from games.chance import Chance
from games.magecraft.moves import Lift, Master, Put
from games.magecraft.rearranging import Shelf, find_rearrangement

NAMES = ("bolt", "bolt", "cure", "meditation", "missile", "storm", "tricks", "ward")


def shelf(chance: Chance) -> Shelf:
    """Those spells in three books by chance."""
    books: Shelf = [[], [], []]
    for name in chance.shuffle("spells", NAMES):
        books[chance.below("book", 3)].append((name, chance.below("mastered", 3) == 0))
    return books


def test_what_is_lifted_and_put_makes_the_wanted_books_and_what_is_missing_is_mastered() -> None:
    for number in range(200):
        chance = Chance.of_number(number)
        books, wanted = shelf(chance), shelf(chance)
        now = [list(book) for book in books]
        held: list[tuple[str, bool]] = []
        lifted: list[str] = []
        mastered: list[tuple[int, int]] = []
        for action in find_rearrangement(books, wanted):
            match action:
                case Lift(book=book, place=place):
                    held.append(now[book - 1].pop(place - 1))
                    lifted.append(held[0][0])
                case Put(book=book, place=place):
                    now[book - 1].insert(place - 1, held.pop())
                case Master(book=book, place=place):
                    assert not now[book - 1][place - 1][1]
                    mastered.append((book, place))
        assert [[name for name, _ in book] for book in now] == [[name for name, _ in book] for book in wanted]
        assert all(lifted.count(name) <= NAMES.count(name) for name in NAMES)
        assert mastered == [
            (at, place)
            for at, (book, target) in enumerate(zip(now, wanted, strict=True), 1)
            for place, ((_, is_so), (_, asked)) in enumerate(zip(book, target, strict=True), 1)
            if asked and not is_so
        ]
        had, asked = (Counter(name for book in some for name, is_so in book if is_so) for some in (books, wanted))
        assert len(mastered) == (asked - had).total(), "of two copies the mastered one goes where that is wanted"


def test_books_that_are_as_wanted_need_nothing() -> None:
    books = shelf(Chance.of_number(1))
    assert find_rearrangement(books, books) == []


@pytest.mark.parametrize("mastered", [False, True])
def test_of_two_copies_the_one_that_may_stay_is_not_lifted(mastered: bool) -> None:
    bolt = ("bolt", mastered)
    assert find_rearrangement([[bolt], [bolt], []], [[], [bolt], [bolt]]) == [Lift(1, 1), Put(3, 1)]


def test_a_mastered_copy_moves_where_that_saves_mastering_another() -> None:
    plain, mastered = ("bolt", False), ("bolt", True)
    moved = find_rearrangement([[plain], [mastered], []], [[mastered], [plain], []])
    assert moved == [Lift(2, 1), Put(1, 1), Lift(1, 2), Put(2, 1)]
    assert find_rearrangement([[plain], [mastered], []], [[plain], [plain], []]) == []
