"""A player: the proofs of a name, the answers that may be asked for again, and what is kept of both."""

import pytest

from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.proof import make_proof, token_key
from server.player import Player, player_subject
from server.store.journal import Journal
from tests.helpers.disk import Disk, write


def test_a_code_is_good_until_its_successor_was_seen_or_used() -> None:
    ann = Player("ann")

    def comes_with(code: str) -> str:
        """The code of her welcome; "" where that code does not prove her name."""
        hello = m.Hello(id=1, name="ann", code=code)
        if not ann.is_proved_by(hello, ""):
            return ""
        ann.update_proofs(hello)
        return ann.codes.issue_code()

    first = ann.codes.issue_code()
    assert comes_with("wrong") == comes_with("") == ""
    second = comes_with(first)
    assert second not in ("", first)
    assert comes_with(first) == second, "the same is told again, however often"
    third = comes_with(second)
    assert comes_with(first) == "", "its successor was used"
    assert comes_with(second) == third
    ann.confirm_welcome()
    assert comes_with(second) == "", "its successor was seen"
    assert comes_with(third) not in ("", first, second, third)


def test_a_code_that_gave_a_name_its_token_is_good_until_the_welcome_was_seen() -> None:
    for seen_by in ("a request", "a proof"):
        ann = Player("ann")
        code = ann.codes.issue_code()
        hello = m.Hello(id=1, name="ann", code=code, key=token_key("token").hex())
        for _again in range(2):
            assert ann.is_proved_by(hello, "")
            ann.update_proofs(hello)
        if seen_by == "a request":
            ann.confirm_welcome()
        else:
            ann.update_proofs(m.Hello(id=1, name="ann", proof=make_proof("token", "asked", "ann")))
        assert not ann.is_proved_by(hello, "")
        assert ann.is_proved_by(m.Hello(id=1, name="ann", proof=make_proof("token", "asked", "ann")), "asked")


class Rows(Journal):
    """A journal whose disk has everything at once."""

    def __init__(self) -> None:
        super().__init__(Disk())
        self.rows: dict[str, dict[int, bytes]] = {}

    def put_row(self, subject: str, part: int, data: bytes | None) -> int:
        write(self.rows, subject, part, data)
        return 0


def recalled(journal: Rows) -> Player:
    """Ann, as she is after a restart."""
    ann = Player("")
    ann.restore(journal.rows[player_subject("ann")])
    return ann


def said(ann: Player, number: int) -> None:
    """Ann asks under that id to say something, and is answered."""
    request = m.Say(id=number, text=f"line {number}")
    assert ann.find_stored_answer(number, request) is None
    ann.store_answer(number, request, m.Said(re=number, heard=number))


def test_the_latest_answers_are_given_again_and_older_ones_are_gone_before_a_restart_and_after_it() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin_connection("word", 1)
    ann.save()
    most = limits.REPLIES_KEPT
    for number in range(2, 2 * most):
        said(ann, number)
        if number % 5 == 0:
            assert ann.find_stored_answer(number, m.Say(id=number, text=f"line {number}")) == m.Said(
                re=number, heard=number
            )
    assert len(journal.rows[player_subject("ann")]) == most + 1
    for one in (ann, recalled(journal)):
        for number in range(most, 2 * most):
            again = one.find_stored_answer(number, m.Say(id=number, text=f"line {number}"))
            assert again == m.Said(re=number, heard=number)
        for number, code in ((most - 1, "bad_id"), (most, "id_reused")):
            with pytest.raises(Refusal) as refused:
                one.find_stored_answer(number, m.Say(id=number, text="other"))
            assert (refused.value.code.name, refused.value.re) == (code, number)
