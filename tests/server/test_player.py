"""A player: the proofs of a name, the answers that may be asked for again, and what is kept of both."""

import pytest

from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.proof import key, proof
from server.player import Player, subject_of
from server.store.journal import Journal
from tests.helpers.disk import Disk, write


def test_a_code_is_good_until_its_successor_was_seen_or_used() -> None:
    ann = Player("ann")

    def comes_with(code: str) -> str:
        """The code of her welcome; "" where that code does not prove her name."""
        hello = m.Hello(id=1, name="ann", code=code)
        if not ann.proves(hello, ""):
            return ""
        ann.proved_by(hello)
        return ann.codes.issue()

    first = ann.codes.issue()
    assert comes_with("wrong") == comes_with("") == ""
    second = comes_with(first)
    assert second not in ("", first)
    assert comes_with(first) == second, "the same is told again, however often"
    third = comes_with(second)
    assert comes_with(first) == "", "its successor was used"
    assert comes_with(second) == third
    ann.saw_welcome()
    assert comes_with(second) == "", "its successor was seen"
    assert comes_with(third) not in ("", first, second, third)


def test_a_code_that_gave_a_name_its_token_is_good_until_the_welcome_was_seen() -> None:
    for seen_by in ("a request", "a proof"):
        ann = Player("ann")
        code = ann.codes.issue()
        hello = m.Hello(id=1, name="ann", code=code, key=key("token").hex())
        for _again in range(2):
            assert ann.proves(hello, "")
            ann.proved_by(hello)
        if seen_by == "a request":
            ann.saw_welcome()
        else:
            ann.proved_by(m.Hello(id=1, name="ann", proof=proof("token", "asked", "ann")))
        assert not ann.proves(hello, "")
        assert ann.proves(m.Hello(id=1, name="ann", proof=proof("token", "asked", "ann")), "asked")


class Rows(Journal):
    """A journal whose disk has everything at once."""

    def __init__(self) -> None:
        super().__init__(Disk())
        self.rows: dict[str, dict[int, bytes]] = {}

    def put(self, subject: str, part: int, data: bytes | None) -> int:
        write(self.rows, subject, part, data)
        return 0


def recalled(journal: Rows) -> Player:
    """Ann, as she is after a restart."""
    ann = Player("")
    ann.recall(journal.rows[subject_of("ann")])
    return ann


def said(ann: Player, number: int) -> None:
    """Ann asks under that id to say something, and is answered."""
    request = m.Say(id=number, text=f"line {number}")
    assert ann.earlier(number, request) is None
    ann.answered(number, request, m.Said(re=number, heard=number))


def test_the_latest_answers_are_given_again_and_older_ones_are_gone_before_a_restart_and_after_it() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin("word", 1)
    ann.keep()
    most = limits.REPLIES_KEPT
    for number in range(2, 2 * most):
        said(ann, number)
        if number % 5 == 0:
            assert ann.earlier(number, m.Say(id=number, text=f"line {number}")) == m.Said(re=number, heard=number)
    assert len(journal.rows[subject_of("ann")]) == most + 1
    for one in (ann, recalled(journal)):
        for number in range(most, 2 * most):
            again = one.earlier(number, m.Say(id=number, text=f"line {number}"))
            assert again == m.Said(re=number, heard=number)
        for number, code in ((most - 1, "bad_id"), (most, "id_reused")):
            with pytest.raises(Refusal) as refused:
                one.earlier(number, m.Say(id=number, text="other"))
            assert (refused.value.code.name, refused.value.re) == (code, number)
