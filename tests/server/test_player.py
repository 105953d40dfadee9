"""A player's proofs of a name."""

from protocol import messages as m
from server.player import Player


def test_before_its_first_token_a_name_is_proved_by_nothing() -> None:
    assert not Player("ann").proves(m.Hello(id=1, name="ann", proof="0" * 64), "")
    assert not Player("ann").proves(m.Hello(id=1, name="ann", code="x"), "")


def test_a_code_is_used_up_by_being_right_and_by_nothing_else() -> None:
    ann = Player("ann")
    right = m.Hello(id=1, name="ann", code=ann.new_code())
    assert not ann.proves(m.Hello(id=1, name="ann", code="wrong"), "")
    assert ann.proves(right, "")
    assert not ann.proves(right, "")
