"""Each hearer has their own language: two people at one table, programs beside them, and coming back."""

from __future__ import annotations

import pytest
import trio

from games.registry import all_games
from languages import NAMES, speaking
from matches.fold import Refused
from protocol.text.lookup import SAID, commands_of, said_word, words_of_others
from server.config import Config
from tests.helpers.catalogues import ROOT, english_words, folder_of, words
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Typist
from tests.helpers.restarts import running
from tests.helpers.wire import Face
from tests.matches.played import file_of, played


async def at_one_table(hall: Hall, *languages: str) -> list[Typist]:
    """People at a running race, seat by seat; each with their language, "" for none said."""
    hall.lobby.games = {"mages-110m": all_games()["mages-110m"]}
    people = []
    for number, name in enumerate(languages):
        typist = await hall.typist()
        await typist.types(*([f"lang {name}"] if name else []), f"hello p{number}")
        await typist.types("join t1" if number else f"open mages-110m {len(languages)}")
        people.append(typist)
    await people[0].send("start")
    return people


async def test_two_people_at_one_table_read_two_languages(hall: Hall) -> None:
    game = all_games()["mages-110m"]
    english = english_words(folder_of(game), ROOT / "protocol")
    ann, bob = await at_one_table(hall, "fr", "")
    said, told = "", ""
    for _ in range(40):
        said, told = said + await ann.heard(), told + await bob.heard()
        for typist in (ann, bob):
            await typist.send("1")
    assert "La partie commence" in said
    assert "The match begins" in told
    assert "Tu pioches" in said
    assert "You draw" in told
    known = {"p0", "p1", "start", "mages", "open", "pile"}
    assert not [line for line in said.split("\n") if (words(line) & english) - known]
    assert not words(told) & {"pioche", "lance", "défausse", "tour", "partie", "haie"}


@pytest.mark.parametrize("game_id", sorted(all_games()))
def test_a_match_is_kept_the_same_whatever_language_is_spoken(game_id: str) -> None:
    files = []
    for name in NAMES:
        with speaking(name):
            files.append(file_of(played(all_games()[game_id], number=3)))
    assert files[0] == files[1]


async def test_a_program_has_errors_in_english_until_it_asks_for_another_language(hall: Hall) -> None:
    program = await hall.player("ann")
    before = await program.ask("look", table="t9")
    assert before["text"] == "There is no such table; try tables."
    assert (await program.ask("lang", lang="français"))["text"] == "Tu lis désormais le français."
    after = await program.ask("look", table="t9")
    assert (after["code"], after["text"]) == (before["code"], "Cette table n'existe pas\u00a0; essaie tables.")


async def test_who_says_a_language_before_hello_reads_it_whatever_they_read_before(hall: Hall) -> None:
    typist = await hall.typist()
    code = (await typist.types("langue fr", "bonjour ann")).split()[-1]
    await typist.close()
    again = await hall.typist()
    assert "Cette table n'existe pas" not in await again.types("lang en", f"hello ann {code}", "look t9")
    assert "There is no such table" in await again.types("look t9")


async def test_the_language_of_a_name_outlives_the_server() -> None:
    disk = Disk()
    async with running(disk) as hall:
        typist = await hall.typist()
        code = (await typist.types("hello ann")).split()[-1]
        await typist.types("lang fr")
        await typist.close()
    async with running(disk) as hall:
        typist = await hall.typist()
        assert "Cette table n'existe pas" in await typist.types(f"hello ann {code}", "look t9")


async def test_a_program_under_a_name_that_once_read_french_has_errors_in_english(hall: Hall) -> None:
    typist = await hall.typist()
    code = (await typist.types("langue fr", "bonjour ann")).split()[-1]
    await typist.close()
    program = await hall.connect()
    assert (await program.ask("hello", name="ann", code=code))["type"] == "welcome"
    assert (await program.ask("look", table="t9"))["text"] == "There is no such table; try tables."


async def test_what_a_match_keeps_of_a_refusal_is_english_and_who_erred_reads_their_own_language(
    nursery: trio.Nursery,
) -> None:
    hall = Hall(nursery, Config(port=0), all_games())
    peers = [await hall.player(name) for name in ("ann", "bob", "cid")]
    await peers[0].ask("open", game="ikasamage")
    for peer in peers[1:]:
        await peer.ask("join", table="t1")
    await peers[0].ask("start", table="t1")
    (seat,) = hall.lobby.tables["t1"].running().state.to_move()
    peer, told = peers[seat - 1], []
    for lang in ("en", "fr"):
        await peer.ask("lang", lang=lang)
        answer = await peer.ask("act", table="t1", turn=1, action={"do": "bet", "on": [1, 1, 1]})
        assert answer["code"] == "illegal_action"
        told.append(answer["text"])
    kept = [entry.text for entry in hall.lobby.tables["t1"].entries if isinstance(entry, Refused)]
    assert kept == [told[0]] * 2
    assert told[0] != told[1]
    nursery.cancel_scope.cancel()


async def test_a_language_that_is_not_there_is_refused(hall: Hall) -> None:
    typist = await hall.typist()
    assert await typist.types("lang tlh") == "! There are these languages: en, fr.\n"


async def test_who_comes_back_reads_what_they_read_before(hall: Hall) -> None:
    typist = await hall.typist()
    welcome = await typist.types("langue fr", "bonjour ann")
    code = welcome.split()[-1]
    await typist.close()
    again = await hall.typist()
    assert "Bienvenue, ann." in await again.types(f"hello ann {code}")


@pytest.mark.parametrize("face", ["json", "msgpack"])
async def test_a_stranger_may_choose_a_language_too(hall: Hall, face: Face) -> None:
    wire = await hall.wire(face)
    await wire.send({"type": "lang", "id": 1, "lang": "fr"})
    answer = await wire.receive()
    assert answer is not None
    assert answer["text"] == "Tu lis désormais le français."


def test_every_command_of_one_word_has_a_french_one_that_means_it() -> None:
    with speaking("fr"):
        french = {word: said_word(word) for word in SAID.split()}
    assert [word for word in SAID.split() if commands_of(word) != [word]] == []
    same = {word for word, said in french.items() if said == word}
    assert same == {"stats", "tables", "ping"}
    assert set(words_of_others().values()) == set(french) - same
