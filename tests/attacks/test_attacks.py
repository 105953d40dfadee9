"""Attacks on a real server while people play there: what the players feel of it, and what is left of it afterwards."""

from collections.abc import Iterator

import pytest

from tests.attacks.attacker import ATTACKS
from tests.attacks.campaign import measure
from tests.attacks.report import HEAD, line, wrong


@pytest.fixture(scope="module")
def shown() -> Iterator[list[str]]:
    """The table, printed at the end."""
    lines = [HEAD]
    yield lines
    print("", *lines, sep="\n")


@pytest.mark.soak
@pytest.mark.parametrize("name", ATTACKS)
def test_a_match_goes_on_as_if_there_were_no(name: str, shown: list[str]) -> None:
    row = measure(ATTACKS[name])
    shown.append(line(row))
    assert not wrong(row), line(row)


def test_b19_a_player_is_served_beside_neighbours_who_connect_and_ping() -> None:
    """Most moves are looked at: on a busy machine one of them waits. The soak test looks at all."""
    row = measure(ATTACKS["four-neighbours-who-connect-and-ping"], seconds=2.5, moves=60)
    assert (row.broken, row.under.failed) == ("", "")
    assert row.under.moves >= 20
    assert row.under.quantile(0.5) < 500.0, "seconds, where the address is waited for"
    assert row.done["pings"] > 0


def test_the_rig_plays_beside_an_attack_and_says_what_it_saw() -> None:
    row = measure(ATTACKS["connecting-only"], seconds=0.5, moves=5)
    assert row.broken == ""
    assert 0 < row.under.moves == len(row.under.latencies) <= 5
    assert row.newcomer.endswith("ms")
    assert row.done["connections"] > 0
    assert row.machine
    assert 0 < row.before.memory <= row.during.memory
    assert 0 < row.after.descriptors <= row.before.descriptors
    assert line(row).startswith("connecting-only ")
