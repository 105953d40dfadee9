"""A player's proofs of a name."""

import msgspec

from protocol import messages as m
from server.player import AnswerRow, Player, PlayerRow


def test_before_its_first_token_a_name_is_proved_by_nothing() -> None:
    assert not Player("ann").proves(m.Hello(id=1, name="ann", proof="0" * 64), "")
    assert not Player("ann").proves(m.Hello(id=1, name="ann", code="x"), "")


def test_a_code_is_used_up_by_being_right_and_by_nothing_else() -> None:
    ann = Player("ann")
    right = m.Hello(id=1, name="ann", code=ann.new_code())
    assert not ann.proves(m.Hello(id=1, name="ann", code="wrong"), "")
    assert ann.proves(right, "")
    assert not ann.proves(right, "")


def test_a_name_that_is_known_again_was_used_if_anything_was_asked_under_it() -> None:
    name = msgspec.msgpack.encode(PlayerRow(name="ann", key=b"", code="", session="s"))
    answer = msgspec.msgpack.encode(AnswerRow(session="s", id=1, digest=b""))
    ann = Player("")
    for rows, used in (({0: name}, False), ({0: name, 1: answer}, True), ({0: name}, False)):
        ann.recall(rows)
        assert (ann.name, ann.used) == ("ann", used)
