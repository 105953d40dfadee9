"""Who may take a name, and which names make room for others: the rules alone, without connections."""

from __future__ import annotations

from typing import Any, cast

import pytest

from protocol.errors import Refusal
from protocol.messages import Hello
from protocol.proof import make_proof, token_key
from server.config import Config
from server.failed_logins import ELSEWHERE, FREE, LONGEST_WAIT
from server.name_registry import NameRegistry
from server.player import Player, PlayerSession
from server.store.journal import Journal

HERE, THERE, DAY = "192.0.2.1", "192.0.2.2", 86_400.0
OURS = token_key("ours").hex()


def people(**config: Any) -> NameRegistry:
    """Ann's name is known, and is whose token is ours."""
    known = NameRegistry(Config(port=0, **config), {"first"}, Journal())
    known.admit_by_proof(hello("ann", key=OURS), "", None, 0.0)
    return known


def somebody() -> PlayerSession:
    """A connection."""
    return cast(PlayerSession, object())


def hello(name: str, **fields: str) -> Hello:
    return Hello(id=1, name=name, **fields)  # type: ignore[arg-type]


def taken(known: NameRegistry, *names: str, address: str | None = HERE, now: float = 0.0) -> list[Player]:
    """These names are taken, one after the other."""
    return [known.admit_by_proof(hello(name), "", address, now) for name in names]


@pytest.mark.parametrize(
    ("said", "code", "says", "where"),
    [
        (hello("1x"), "bad_name", "", ""),
        (hello("First2"), "name_taken", "the server's own or a house bot's", ""),
        (hello("lost"), "name_taken", "cannot be read. Ask the operator to free the name", ""),
        (hello("zoe", key="ab"), "bad_field", "64 hex digits", "$.key"),
        (hello("zoe", key="A" * 64), "bad_field", "64 hex digits", "$.key"),
        (hello("zoe", key=OURS, proof="0" * 64), "bad_field", "never both", "$.key"),
        (hello("ann"), "name_taken", "", ""),
        (hello("ANN"), "name_taken", "", ""),
        (hello("ann", key=OURS), "name_taken", "", ""),
        (hello("ann", proof="0" * 64), "bad_proof", "", ""),
        (hello("ann", code="abcdefghij"), "bad_proof", "", ""),
        (hello("ANN", proof=make_proof("ours", "asked", "ANN")), "name_taken", "", ""),
        (hello("zoe", proof="0" * 64), "unknown_name", "", ""),
        (hello("zoe", code="abcdefghij"), "unknown_name", "", ""),
    ],
)
def test_a_hello_that_does_not_fit_is_refused_and_nobody_is_known_by_it(
    said: Hello, code: str, says: str, where: str
) -> None:
    known = people()
    known.mark_unreadable("lost")
    with pytest.raises(Refusal) as refused:
        known.admit_by_proof(said, "asked", HERE, 0.0)
    assert (refused.value.code.name, refused.value.where) == (code, where)
    assert says in refused.value.text
    assert known.name_count == 1


def test_b20_a_right_proof_is_let_in_at_once_however_many_wrong_ones_came_from_its_address() -> None:
    known = people()
    known.admit_by_proof(hello("bob", key=OURS), "", HERE, 0.0)
    wrong, told = hello("ann", proof="0" * 64), list[str]()
    for _ in range(FREE + 40):
        with pytest.raises(Refusal) as refused:
            known.admit_by_proof(wrong, "asked", HERE, 5.0)
        told.append(refused.value.code.name)
        for name, address in (("ann", THERE), ("bob", HERE)):
            right = hello(name, proof=make_proof("ours", "asked", name))
            assert known.admit_by_proof(right, "asked", address, 5.0).name == name
    assert told == ["bad_proof"] * FREE + ["slow_down"] * 40
    assert refused.value.text.startswith("46 wrong proofs of that name came from your address; try again in 300 s")
    assert refused.value.wait == LONGEST_WAIT
    ann = known.find_player("ann")
    assert ann is not None
    assert known.admit_by_proof(hello("ann", code=ann.codes.issue_code()), "asked", HERE, 5.0) is ann


def test_c07_of_one_name_many_addresses_try_little_and_the_owner_s_own_is_looked_at() -> None:
    known = people()
    ann = known.find_player("ann")
    assert ann is not None
    ann.address = HERE
    right = hello("ann", proof=make_proof("ours", "asked", "ann"))

    def tried(addresses: range, now: float) -> list[str]:
        told = []
        for number in addresses:
            with pytest.raises(Refusal) as refused:
                known.admit_by_proof(hello("ann", code="abcdefghij"), "asked", f"10.0.0.{number}", now)
            told.append(refused.value.code.name)
        return told

    assert tried(range(ELSEWHERE + 10), 5.0) == ["bad_proof"] * (ELSEWHERE + 1) + ["slow_down"] * 9
    with pytest.raises(Refusal, match="Too many wrong proofs of that name came from elsewhere; try again in 2 s"):
        known.admit_by_proof(right, "asked", THERE, 5.0)
    assert known.admit_by_proof(right, "asked", HERE, 5.0) is ann
    assert tried(range(100), 7.0).count("bad_proof") == 1
    known.guesses.lift_lockout("ann", 7.0)
    assert known.admit_by_proof(right, "asked", THERE, 7.0) is ann
