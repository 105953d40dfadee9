"""A player: the proofs of a name, the answers that may be asked for again, and what is kept of both."""

import msgspec
import pytest

from languages import ENGLISH
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import WANTS
from protocol.proof import key, proof
from server.player import AnswerRow, Player, PlayerRow, subject_of
from server.renown import Renown
from server.store.journal import Journal
from tests.helpers.disk import Disk, write


def test_before_its_first_token_a_name_is_proved_by_nothing() -> None:
    assert not Player("ann").proves(m.Hello(id=1, name="ann", proof="0" * 64), "")
    assert not Player("ann").proves(m.Hello(id=1, name="ann", code="x"), "")


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


def test_a_name_that_is_known_again_was_used_if_anything_was_asked_under_it() -> None:
    name = msgspec.msgpack.encode(PlayerRow(name="ann", key=b"", code="", session="s"))
    answer = msgspec.msgpack.encode(AnswerRow(session="s", id=1, digest=b""))
    ann = Player("")
    for rows, used in (({0: name}, False), ({0: name, 1: answer}, True), ({0: name}, False)):
        ann.recall(rows)
        assert (ann.name, ann.used) == ("ann", used)


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


def test_a_name_begins_with_nothing() -> None:
    ann = Player("ann")
    assert (ann.name, ann.kind, ann.takes("toy"), ann.plays_game("toy"), ann.tables) == (
        "ann",
        "person",
        False,
        True,
        {},
    )
    assert (ann.seen, ann.agreed, ann.used, ann.played, ann.muted, ann.bot) == (0.0, 0, False, False, False, False)
    assert (ann.is_patient, ann.is_very_patient, ann.hears_events, ann.wants) == (False, False, True, WANTS)
    assert (ann.key, ann.games, ann.renown, ann.language) == (b"", (), Renown(), ENGLISH)
    assert (ann.listener, ann.meter, ann.address) == (None, None, None)
    assert ann.info() == m.PlayerInfo("ann", "person", ())
    with pytest.raises(Refusal):
        ann.earlier(0, m.Ping(id=0))
    ann.used = False
    assert ann.earlier(1, m.Ping(id=1)) is None
    assert ann.used
    code = ann.codes.issue()
    assert (len(code), set(code) <= set("abcdefghjkmnpqrstuvwxyz23456789")) == (10, True), "none looks like another"


def test_a_row_of_an_older_server_has_the_secret_itself() -> None:
    ann = Player("")
    ann.recall({0: msgspec.msgpack.encode(PlayerRow(name="ann", key=b"secret", code=""))})
    assert ann.key not in (b"", b"secret")


def test_a_match_that_begins_is_written_once_for_each_name() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.plays()
    assert recalled(journal).played
    journal.rows.clear()
    ann.plays()
    assert journal.rows == {}


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


def test_the_questions_of_a_session_that_is_over_may_be_repeated_no_more() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin("word", 1)
    ann.answered(2, m.Ping(id=2), m.Pong(re=2))
    ann.begin("other", 10)
    ann.keep()
    again = recalled(journal)
    again.begin("other", 11)
    with pytest.raises(Refusal) as refused:
        again.earlier(5, m.Ping(id=5))
    assert refused.value.code.name == "bad_id"


def test_answers_and_questions_go_on_where_they_were_kept_last() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin("word", 1)
    ann.keep()
    said(ann, 2)
    again = Player("", journal)
    again.recall(journal.rows[subject_of("ann")])
    said(again, 3)
    assert recalled(journal).earlier(2, m.Say(id=2, text="line 2")) == m.Said(re=2, heard=2)
    again.answered(4, m.Ping(id=4), m.Pong(re=4))
    again.recall(journal.rows[subject_of("ann")])  # as where nothing could be kept of the question
    said(again, 4)
    (row,) = [
        row
        for part, data in journal.rows[subject_of("ann")].items()
        if part and (row := msgspec.msgpack.decode(data, type=AnswerRow)).id == 4
    ]
    assert row.questions == {}


def test_an_error_is_told_again_unless_nothing_could_be_kept() -> None:
    ann = Player("ann")
    ann.begin("word", 1)
    for number, code, again in ((2, "bad_field", True), (3, "storage", False)):
        request, error = m.Say(id=number, text="hm"), m.Error(re=number, code=code, text="No.")
        assert ann.earlier(number, request) is None
        ann.answered(number, request, error)
        assert ann.earlier(number, request) == (error if again else None)


def test_what_may_be_long_is_kept_without_what_is_told_anew() -> None:
    ann = Player("ann")
    ann.begin("word", 1)
    turn = m.Turn(table="t1", n=3, turn=1, left=1.0, main=1.0)
    for number, answer, kept in (
        (2, m.Error(re=2, code="stale_turn", text="No.", turn=turn), m.Error(re=2, code="stale_turn", text="No.")),
        (3, m.Error(re=3, code="bad_field", text="No."), m.Error(re=3, code="bad_field", text="No.")),
        (4, m.Said(re=4, heard=7), m.Said(re=4, heard=7)),
    ):
        request = m.Say(id=number, text="hm")
        ann.earlier(number, request)
        ann.answered(number, request, answer)
        assert ann.earlier(number, request) == kept


def test_questions_without_end_are_kept_as_the_latest_few() -> None:
    journal = Rows()
    ann = Player("ann", journal)
    ann.begin("word", 1)
    ann.keep()
    most = limits.REPLIES_KEPT
    for number in range(2, 2 * most):
        ann.earlier(number, m.Ping(id=number))
        ann.answered(number, m.Ping(id=number), m.Pong(re=number))
    said(ann, 2 * most)
    row = msgspec.msgpack.decode(journal.rows[subject_of("ann")][1], type=AnswerRow)
    assert list(row.questions) == [*range(most, 2 * most)]


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


def test_what_is_tied_to_a_connection_is_answered_anew_on_the_next_one() -> None:
    info = m.TableInfo("t1", "toy", "open", "ann", (), m.ClockRule(1, 1), {}, "")
    for answer in (m.Resumed(re=2, table="t1", after=0, seat=1, n=0), m.Watching(re=2, table="t1", n=0, info=info)):
        ann = Player("ann")
        ann.begin("word", 1)
        request = m.Resume(id=2, table="t1")
        assert ann.earlier(2, request) is None
        ann.answered(2, request, answer)
        assert ann.earlier(2, request) == answer
        ann.begin("word", 3)
        assert ann.earlier(2, request) is None


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


def test_what_a_program_says_it_hears() -> None:
    ann = Player("ann")
    for hears, patient, very_patient, events in (
        ("live", False, False, True),
        ("with_turn", True, False, True),
        ("all_with_turn", True, True, True),
        ("turns", True, True, False),
    ):
        ann.says_what_it_hears(hears, ("view",))  # type: ignore[arg-type]  # as these are the values
        assert (ann.is_patient, ann.is_very_patient, ann.hears_events) == (patient, very_patient, events)
        assert ann.wants == ("view",)


def test_what_a_row_does_not_say_is_as_with_a_new_name() -> None:
    told = {"name": "ann", "key": b"", "code": ""}
    row = msgspec.msgpack.decode(msgspec.msgpack.encode(told), type=PlayerRow)
    new = PlayerRow("ann", b"", "", "", 0, False, (), 0, False, False, b"", Renown(), ENGLISH)
    assert row == new
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(new)).keys() <= {*told, "renown"}
