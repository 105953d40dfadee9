"""Who may take a name, and which names make room for others: the rules alone, without connections."""

from __future__ import annotations

from typing import Any, cast

import pytest
import trio

from protocol.errors import Refusal
from protocol.messages import Hello
from protocol.proof import key, proof
from server.config import Config
from server.desk.guesses import ELSEWHERE, FREE, LONGEST_WAIT
from server.desk.people import People
from server.player import Listener, Player
from server.store.journal import Journal
from tests.helpers.disk import Disk

HERE, THERE, DAY = "192.0.2.1", "192.0.2.2", 86_400.0
OURS = key("ours").hex()


def people(**config: Any) -> People:
    """Ann's name is known, and is whose token is ours."""
    known = People(Config(port=0, **config), {"first"}, Journal())
    known.admit(hello("ann", key=OURS), "", None, 0.0)
    return known


def somebody() -> Listener:
    """A connection."""
    return cast(Listener, object())


def hello(name: str, **fields: str) -> Hello:
    return Hello(id=1, name=name, **fields)  # type: ignore[arg-type]


def taken(known: People, *names: str, address: str | None = HERE, now: float = 0.0) -> list[Player]:
    """These names are taken, one after the other."""
    return [known.admit(hello(name), "", address, now) for name in names]


@pytest.mark.parametrize(
    ("said", "code", "says", "where"),
    [
        (hello("1x"), "bad_name", "", ""),
        (hello("First2"), "name_taken", "the server's own or a house bot's", ""),
        (hello("lost"), "name_taken", "cannot be read; the operator can make it free", ""),
        (hello("zoe", key="ab"), "bad_field", "64 hex digits", "$.key"),
        (hello("zoe", key="A" * 64), "bad_field", "64 hex digits", "$.key"),
        (hello("zoe", key=OURS, proof="0" * 64), "bad_field", "never both", "$.key"),
        (hello("ann"), "name_taken", "", ""),
        (hello("ANN"), "name_taken", "", ""),
        (hello("ann", key=OURS), "name_taken", "", ""),
        (hello("ann", proof="0" * 64), "bad_proof", "", ""),
        (hello("ann", code="abcdefghij"), "bad_proof", "", ""),
        (hello("ANN", proof=proof("ours", "asked", "ANN")), "name_taken", "", ""),
        (hello("zoe", proof="0" * 64), "unknown_name", "", ""),
        (hello("zoe", code="abcdefghij"), "unknown_name", "", ""),
    ],
)
def test_a_hello_that_does_not_fit_is_refused_and_nobody_is_known_by_it(
    said: Hello, code: str, says: str, where: str
) -> None:
    known = people()
    known.lose("lost")
    with pytest.raises(Refusal) as refused:
        known.admit(said, "asked", HERE, 0.0)
    assert (refused.value.code.name, refused.value.where) == (code, where)
    assert says in refused.value.text
    assert known.count == 1


def test_a_right_proof_or_code_gives_the_name_and_a_code_the_new_key() -> None:
    known = people()
    ann = known.find("Ann")
    assert ann is not None
    assert known.admit(hello("ann", proof=proof("ours", "asked", "ann")), "asked", HERE, 0.0) is ann
    code, theirs = ann.codes.issue(), key("theirs").hex()
    assert known.admit(hello("ann", code=code, key=theirs), "", HERE, 0.0) is ann
    assert ann.key.hex() == theirs
    ann.saw_welcome()
    with pytest.raises(Refusal):
        known.admit(hello("ann", code=code), "", HERE, 0.0)
    assert known.admit(hello("bob", code=code, key=OURS), "", HERE, 0.0).key.hex() == OURS, "a name that is free"


def test_b20_a_right_proof_is_let_in_at_once_however_many_wrong_ones_came_from_its_address() -> None:
    known = people()
    known.admit(hello("bob", key=OURS), "", HERE, 0.0)
    wrong, told = hello("ann", proof="0" * 64), list[str]()
    for _ in range(FREE + 40):
        with pytest.raises(Refusal) as refused:
            known.admit(wrong, "asked", HERE, 5.0)
        told.append(refused.value.code.name)
        for name, address in (("ann", THERE), ("bob", HERE)):
            right = hello(name, proof=proof("ours", "asked", name))
            assert known.admit(right, "asked", address, 5.0).name == name
    assert told == ["bad_proof"] * FREE + ["slow_down"] * 40
    assert refused.value.text.startswith("46 wrong proofs of that name came from your address; try again in 300 s")
    assert refused.value.wait == LONGEST_WAIT
    ann = known.find("ann")
    assert ann is not None
    assert known.admit(hello("ann", code=ann.codes.issue()), "asked", HERE, 5.0) is ann


def test_c07_of_one_name_many_addresses_try_little_and_the_owner_s_own_is_looked_at() -> None:
    known = people()
    ann = known.find("ann")
    assert ann is not None
    ann.address = HERE
    right = hello("ann", proof=proof("ours", "asked", "ann"))

    def tried(addresses: range, now: float) -> list[str]:
        told = []
        for number in addresses:
            with pytest.raises(Refusal) as refused:
                known.admit(hello("ann", code="abcdefghij"), "asked", f"10.0.0.{number}", now)
            told.append(refused.value.code.name)
        return told

    assert tried(range(ELSEWHERE + 10), 5.0) == ["bad_proof"] * (ELSEWHERE + 1) + ["slow_down"] * 9
    with pytest.raises(Refusal, match="Too many wrong proofs of that name came from elsewhere; try again in 2 s"):
        known.admit(right, "asked", THERE, 5.0)
    assert known.admit(right, "asked", HERE, 5.0) is ann
    assert tried(range(100), 7.0).count("bad_proof") == 1
    known.guesses.lift("ann", 7.0)
    assert known.admit(right, "asked", THERE, 7.0) is ann


def test_where_one_only_plays_nobody_comes_in_who_is_not_expected() -> None:
    known = People(Config(port=0, only_play=True), set(), Journal())
    known.expect("ann", bytes.fromhex(OURS))
    known.expect("ann", b"another key")
    with pytest.raises(Refusal, match="who are expected"):
        known.admit(hello("zoe"), "", HERE, 0.0)
    ann = known.admit(hello("ann", proof=proof("ours", "asked", "ann")), "asked", HERE, 0.0)
    assert (ann.played, known.count) == (True, 1)


def test_an_address_with_enough_names_loses_its_oldest_that_is_idle() -> None:
    known = people(names_an_address=3)
    bob, carl, dora = taken(known, "bob", "carl", "dora")
    bob.listener, carl.tables = somebody(), {"t1": None}
    taken(known, "emil", address=THERE)
    taken(known, "fay")
    assert [known.find(name) is not None for name in ("bob", "carl", "dora", "emil", "fay")] == [
        True, True, False, True, True
    ]  # fmt: skip
    known._known["fay"].listener = somebody()
    with pytest.raises(Refusal, match="3 names that never played are here from your address"):
        taken(known, "gus")
    assert dora.name == "dora"
    bob.listener = None
    taken(known, "gus")
    assert known.find("bob") is None
    for number in range(9):
        taken(known, f"someone{number}x", address=None)
    assert known.count == 14, "an address that is not known has no bound"


def test_an_address_takes_so_many_names_a_day_that_play() -> None:
    known = people(names_an_address=3, names_a_day=2)
    for player in taken(known, "bob", "carl"):
        player.played = True
    for now in (0.0, DAY - 1):
        with pytest.raises(Refusal, match="2 new names from your address have played today"):
            taken(known, "dora", now=now)
    taken(known, "dora", now=DAY)
    assert known.find("bob") is not None
    mixed = people(names_an_address=3, names_a_day=4)
    taken(mixed, "bob")[0].played = True
    assert len(taken(mixed, "carl", "dora", "emil")) == 3, "of four names one played, and three may be there besides"


def test_a_full_server_forgets_the_oldest_name_that_was_taken_and_never_used() -> None:
    known = people(players=5)
    known._known["ann"].used = True
    bob, carl, dora, emil = taken(known, "bob", "carl", "dora", "emil")
    bob.used, carl.listener, dora.tables = True, somebody(), {"t1": None}
    taken(known, "fay", address=THERE)
    assert known.find("emil") is None
    known._known["fay"].used = True
    with pytest.raises(Refusal) as refused:
        taken(known, "gus", address="192.0.2.3")
    assert (refused.value.code.name, known.count, emil.name) == ("server_full", 5, "emil")


def test_a_name_that_never_played_is_forgotten_when_its_player_was_away_for_long() -> None:
    known = people(name_seconds=10.0)
    known._known["ann"].played = True
    bob, carl, dora, emil = taken(known, "bob", "carl", "dora", "emil")
    bob.listener, carl.tables, emil.seen = somebody(), {"t1": None}, 1.0
    known.forget_old(10.0)
    assert known.count == 5
    known.forget_old(10.5)
    assert [known.find(name) is not None for name in ("ann", "bob", "carl", "dora", "emil")] == [
        True, True, True, False, True
    ]  # fmt: skip
    assert dora.name == "dora"
    bob.listener, carl.tables = None, {}
    known.forget_old(11.5)
    assert (known.count, known._new) == (1, {}), "of idle addresses nothing is kept"


async def test_a_name_as_it_was_kept_is_known_again_and_one_that_was_never_kept_is_not() -> None:
    disk = Disk()
    known = People(Config(port=0), set(), Journal(disk))
    ann = known.admit(hello("ann", key=OURS), "", None, 0.0)
    ann.keep()
    disk.write(known._journal._pending)  # type: ignore[union-attr]
    rows = disk.read("name:ann")
    ann.key, ann.muted = b"", True
    known.undo("ann", rows)
    assert (known.find("ann") is ann, ann.key.hex(), ann.muted) == (True, OURS, False)
    known.undo("ann", {})
    assert known.find("ann") is None
    await trio.sleep(5)
    known.undo("ann", rows)
    again = known.find("ann")
    assert again is not None
    assert (again.name, again.seen) == ("ann", trio.current_time())
    written = known._journal.writes  # type: ignore[union-attr]
    known.expect("yves", b"key")
    assert known._journal.writes == written + 1  # type: ignore[union-attr]
    known.lose("ann")
    assert not known.is_lost("ann"), "it is known"
    known.lose("zoe")
    assert known.is_lost("Zoe")
    known.free("zoe")
    assert not known.is_lost("zoe")
