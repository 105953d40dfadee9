"""A cup of misbehaving bots among good ones: each ends as declared, and the good ones' own matches are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio

from client.processes.limits import descendants
from client.processes.sandbox import obstacle
from protocol.messages import ClockRule
from tests.helpers.processes import all_end_but
from tests.zoo.animals import ANIMALS, ONLY_CONFINED
from tests.zoo.cup import Cup, Ending, open_cup

HERE = Path(__file__).parent
GOOD = ["greedy", "random", f"{HERE}/animals.py:Good", f"cmd:{HERE}/programs/stays.sh"]
KINDS = [kind for kind in ANIMALS if not obstacle() or kind not in ONLY_CONFINED]
DECLARED = {f"{HERE}/animals.py:{kind.__name__},memory=256": kind.ends for kind in KINDS} | {
    f"{HERE}/at_import.py:Nobody": "never came",
    f"cmd:{HERE}/programs/silent.sh": "late",
    f"cmd:{HERE}/programs/junk.sh": "crashed",
    f"cmd:{HERE}/programs/ends.sh": "never came",
    f"cmd:{HERE}/programs/flood.pl": "crashed",
}
FEW = (
    *("Clinging", "Looping", "Vanishing", "Breeding,", "FloodingStderr", "HangingUpOnce", "Resigning", "Murderous"),
    "flood.pl",
)


@pytest.fixture
def nobody_stays(warm: Callable[[], None]) -> Iterator[None]:
    """Whatever a test starts has ended with it."""
    warm()
    before = descendants()
    yield
    all_end_but(before)


async def good_matches(cup: Cup, deals: int, into: dict[int, list[Ending]]) -> None:
    for deal in range(deals):
        into[deal] = await cup.play(GOOD, f"good {deal}")


async def one_match(cup: Cup, animal: str, clock: ClockRule, into: dict[str, Ending]) -> None:
    seats = [GOOD[0], animal, GOOD[2]]
    into[animal] = (await cup.play(seats, f"zoo {animal}", clock))[1]


async def cup_of(animals: Sequence[str], clock: ClockRule, deals: int) -> None:
    """Plays the good ones' matches alone, and then again among those of the animals."""
    alone: dict[int, list[Ending]] = {}
    among: dict[int, list[Ending]] = {}
    endings: dict[str, Ending] = {}
    async with open_cup(tables=4) as cup:
        await good_matches(cup, deals, alone)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(good_matches, cup, deals, among)
            for animal in animals:
                nursery.start_soon(one_match, cup, animal, clock, endings)
    for animal, ending in endings.items():
        print(f"{animal.rpartition('/')[2]:34} {ending.how:10} {ending.limit or ending.words[-60:]!r}")
    told = [[(one.how, one.place, one.score) for one in alone[deal]] for deal in range(deals)]
    assert {how for match in told for how, _place, _score in match} == {"played"}
    assert [[(one.how, one.place, one.score) for one in among[deal]] for deal in range(deals)] == told
    assert {animal: endings[animal].how for animal in animals} == {animal: DECLARED[animal] for animal in animals}


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_a_few_of_the_zoo_end_as_declared_and_harm_nobody() -> None:
    few = [animal for animal in DECLARED if any(name in animal for name in FEW)]
    assert len(few) >= 7
    await cup_of(few, ClockRule(0.0, 0.5), deals=2)


@pytest.mark.soak
@pytest.mark.usefixtures("nobody_stays")
async def test_d17_the_whole_zoo_ends_as_declared_and_harms_nobody() -> None:
    assert len(DECLARED) >= 30
    await cup_of(list(DECLARED), ClockRule(0.0, 1.0), deals=8)
