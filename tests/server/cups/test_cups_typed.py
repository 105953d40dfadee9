"""A cup that is opened, filled and played by people who type: house bots, a substitute, and who enters."""

from __future__ import annotations

import trio

from tests.helpers.hall import Hall
from tests.helpers.peer import Typist


async def typist(hall: Hall, name: str) -> Typist:
    made = await hall.typist()
    await made.types(f"hello {name}")
    return made


async def test_a_cup_is_filled_with_house_bots_and_played_by_typing_alone(hall: Hall) -> None:
    ann, bob = await typist(hall, "ann"), await typist(hall, "bob")
    await ann.types("cup open friday toy 2 rounds=1")
    shown = await bob.types("enter friday")
    assert shown.count("friday (by ann)") == 1
    assert await ann.heard() == "* bob enters friday. Entrants now: 1.\n"
    assert "  first is a house bot\n" in await ann.types("cup add friday FIR")
    assert "  first-2 is a house bot\n" in await ann.types("cup add friday first")
    assert await bob.types("cup add friday first") == "! Only the player who opened the cup may do that.\n"
    assert (await ann.types("cup add friday gandalf")).startswith("! The house bots for toy are: first.")
    shown = await ann.types("cup start friday")
    assert shown.count("friday (by ann)") == 1, shown
    for _match in range(2):
        for _decision in range(3):
            await trio.sleep(1)
            await bob.types("?", "1")
    await trio.sleep(10)
    (live,) = hall.lobby.cups.list_cups()
    assert live.cup.state == "finished"
    seats = [seat for match in live.cup.finished_matches() for seat in match.results]
    assert {(seat.name, seat.how) for seat in seats} == {(name, "played") for name in ("bob", "first", "first-2")}


async def test_a_substitute_agrees_by_typing_and_plays_for_who_is_away(hall: Hall) -> None:
    ann, bob, carl = await typist(hall, "ann"), await typist(hall, "bob"), await typist(hall, "carl")
    await ann.types("cup open friday toy 2 rounds=1", "cup add friday first")
    await bob.types("enter friday")
    refused = await ann.types("cup replace friday bob carl")
    assert refused.endswith("! carl has not agreed to play for entrants of cups. They can with: agree cups.\n")
    assert await carl.types("agree") == "! Type agree cups or agree off.\n"
    assert (await carl.types("agree cups")).startswith("Owners of cups may now let you play")
    await bob.heard(), await carl.heard()
    assert "friday (by ann)" in await ann.types("cup replace friday bob carl")
    for one in (bob, carl):
        assert await one.heard() == "* carl plays for bob in friday from now on.\n"
    await ann.types("cup start friday")
    await trio.sleep(1)
    assert "You have seat" in await carl.heard()
    assert await carl.types("agree off") == "Owners of cups may no longer let you play for their entrants.\n"


async def test_the_owner_reads_who_leaves(hall: Hall) -> None:
    ann, bob = await typist(hall, "ann"), await typist(hall, "bob")
    await ann.types("cup open friday toy 2 rounds=1")
    await bob.types("enter friday", "enter friday 3", "cup drop friday")
    assert await ann.heard() == ("* bob enters friday. Entrants now: 1.\n* bob leaves friday. Entrants now: 0.\n")


async def test_a_stopped_cup_tells_its_owner_the_secret_once(hall: Hall) -> None:
    ann = await typist(hall, "ann")
    await ann.types("cup open friday toy 2 rounds=1", "enter friday", "cup add friday first", "cup start friday")
    await trio.sleep(1)
    await ann.heard()
    shown = await ann.types("cup stop friday")
    assert shown.count("friday (by ann)") == 1
    assert shown.count("All its deals came from the secret ") == 1
