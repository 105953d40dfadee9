"""A player: the proofs of a name, the answers that may be asked for again, and what is kept of both."""

import msgspec
import pytest

from languages import ENGLISH
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.proof import key, proof
from server.player import AnswerRow, Player, PlayerRow, subject_of
from server.renown import Renown
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


def test_whatever_belongs_to_a_name_is_there_again() -> None:
    journal = Rows()
    ann = Player("Ann", journal)
    ann.keep()
    fresh = recalled(journal)
    assert fresh.earlier(1, m.Ping(id=1)) is None
    fresh = recalled(journal)
    assert (fresh.bot, fresh.played, fresh.muted, fresh.used, fresh.language) == (False, False, False, False, ENGLISH)
    ann.key, ann.bot, ann.games, ann.agreed, ann.muted, ann.language = b"k" * 32, True, ("toy",), 3, True, "fr"
    code = ann.codes.issue()
    ann.begin("word", 7)
    ann.plays()
    ann.came_in("toy", 2, [("bob", 1)])
    again = recalled(journal)
    assert (again.name, again.key, again.bot, again.games, again.agreed) == ("Ann", b"k" * 32, True, ("toy",), 3)
    assert (again.played, again.muted, again.language) == (True, True, "fr")
    assert again.renown == Renown({"toy": [0, 1]}, {"bob": [1, 0, 1]})
    assert again.proves(m.Hello(id=1, name="ann", code=code), "")
    again.begin("word", 8)  # the same session goes on
    with pytest.raises(Refusal, match="id"):
        again.earlier(7, m.Ping(id=7))
    assert again.earlier(8, m.Ping(id=8)) is None
    ann.forget()
    assert journal.rows == {}


def test_a_row_of_an_older_server_has_the_secret_itself() -> None:
    ann = Player("")
    ann.recall({0: msgspec.msgpack.encode(PlayerRow(name="ann", key=b"secret", code=""))})
    assert ann.key not in (b"", b"secret")


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


def test_of_questions_their_digests_are_kept_with_the_next_answer_and_they_are_answered_anew() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin("word", 1)
    for number in (2, 3):
        ping = m.Ping(id=number)
        assert ann.earlier(number, ping) is None
        ann.answered(number, ping, m.Pong(re=number))
        assert ann.earlier(number, ping) is None
    assert journal.rows.get(subject_of("ann"), {}) == {}
    ann.keep()
    assert recalled(journal).earlier(2, m.Ping(id=2)) is None, "may still be repeated"
    said(ann, 4)
    again = recalled(journal)
    for number in (2, 3):
        assert again.earlier(number, m.Ping(id=number)) is None
        with pytest.raises(Refusal) as refused:
            again.earlier(number, m.Quit(id=number))
        assert refused.value.code.name == "id_reused"
    said(ann, 5)
    rows = [msgspec.msgpack.decode(journal.rows[subject_of("ann")][slot], type=AnswerRow) for slot in (1, 2)]
    assert [sorted(row.questions) for row in rows] == [[2, 3], []], "each is kept once"


def test_a_connection_without_a_word_for_its_session_or_with_another_begins_anew() -> None:
    for first, second, goes_on in (("word", "word", True), ("word", "other", False), ("", "", False)):
        journal = Rows()
        ann = Player("ann", journal)
        ann.begin(first, 1)
        said(ann, 2)
        ann.keep()
        assert (len(journal.rows[subject_of("ann")]) == 2) == bool(first), "only what may be asked for again"
        ann.begin(second, 3)
        assert (subject_of("ann") in journal.rows) == goes_on
        again = m.Say(id=2, text="line 2")
        if goes_on:
            assert ann.earlier(2, again) == m.Said(re=2, heard=2)
        else:
            with pytest.raises(Refusal):
                ann.earlier(2, again)


def test_a_program_takes_a_seat_where_it_agreed_to_and_plays_the_game() -> None:
    ann = Player("ann")
    for bot, agreed, games, takes in (
        (True, 1, ("toy",), True),
        (True, 1, (), True),
        (False, 1, (), False),
        (True, 0, (), False),
        (True, 1, ("chess",), False),
    ):
        ann.bot, ann.agreed, ann.games = bot, agreed, games
        assert ann.takes("toy") == takes
