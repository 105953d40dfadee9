"""A cup of misbehaving bots among good ones: each ends as declared, and the good ones' own matches are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import trio

from client.processes.limits import descendant_pids
from client.processes.sandbox import sandbox_error
from protocol.messages import ClockRule
from tests.helpers.processes import all_end_but
from tests.zoo.animals import ANIMALS, ONLY_CONFINED
from tests.zoo.cup import Cup, Ending, open_cup
from tests.zoo.escapes import BOTS as ESCAPES

HERE = Path(__file__).parent
GOOD = ["greedy", "random", f"{HERE}/animals.py:Good", f"cmd:{HERE}/programs/stays.sh"]
KINDS = [kind for kind in ANIMALS if not sandbox_error() or kind not in ONLY_CONFINED]
DECLARED = {f"{HERE}/animals.py:{kind.__name__},memory=256": kind.ends for kind in KINDS} | {
    f"{HERE}/at_import.py:Nobody": "never came",
    f"cmd:{HERE}/programs/silent.sh": "late",
    f"cmd:{HERE}/programs/junk.sh": "crashed",
    f"cmd:{HERE}/programs/ends.sh": "never came",
    f"cmd:{HERE}/programs/flood.pl": "crashed",
}
TRIED = (  # in each run; all of them in a soak, and in one process by tests/client/test_processes.py
    *("FastOpen", "ListenUnbound", "RecordLock", "WholeFileLock", "Inotify", "UnlinkedFiles", "MemoryFile", "Shadow"),
    *("ConnectionsOfOthers", "ProcessesOfOthers", "UserNamespace", "ConnectElsewhere", "ListTheFolderAbove"),
    *("DataOfTheServer", "SystemVMemory"),
)
FEW = (
    *("Clinging", "Looping", "Vanishing", "Breeding,", "FloodingStderr", "HangingUpOnce", "Resigning", "Murderous"),
    "flood.pl",
)


@pytest.fixture
def nobody_stays(warm: Callable[[], None]) -> Iterator[None]:
    """Whatever a test starts has ended with it."""
    warm()
    before = descendant_pids()
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


async def matches_of_escapes(names: Sequence[str]) -> None:
    """Every seat has one that tries to get out, and all have to play on."""
    ended: dict[str, Ending] = {}

    async def play(cup: Cup, three: Sequence[str]) -> None:
        texts = [f"{HERE}/escapes.py:{name},memory=512" for name in three]
        ended.update(zip(three, await cup.play(texts, three[0]), strict=True))

    async with open_cup(tables=2) as cup, trio.open_nursery() as nursery:
        for first in range(0, len(names), 3):
            nursery.start_soon(play, cup, [names[(first + seat) % len(names)] for seat in range(3)])
    assert {name: ending.words for name, ending in ended.items() if ending.how != "played"} == {}
    assert set(ended) == set(names)


@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
@pytest.mark.usefixtures("nobody_stays")
async def test_d21_bots_that_try_to_get_out_of_their_sandbox_play_on_and_get_nowhere() -> None:
    await matches_of_escapes(TRIED)


@pytest.mark.soak
@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
@pytest.mark.usefixtures("nobody_stays")
async def test_d21_every_bot_that_tries_to_get_out_of_its_sandbox_gets_nowhere() -> None:
    await matches_of_escapes(list(ESCAPES))
