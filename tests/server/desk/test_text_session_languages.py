"""Each hearer has their own language: two people at one table, programs beside them, and coming back."""

from __future__ import annotations

import re

import msgspec
import pytest
import trio

from games.registry import all_games
from languages import NAMES, speaking
from people.language import again
from people.text.commands import SAID, render_reply
from people.text.lookup import commands_by_translation, matching_commands, translated_word
from people.text.sentences import CLOSED, OPERATORS
from protocol import messages as m
from protocol.entries import ActionRefused
from server.config import Config
from server.desk.operator import OperatorCommand, OperatorCommands
from server.net.admin import _obey
from tests.helpers.catalogues import ROOT, english_words, folder_of, words
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Typist
from tests.helpers.restarts import running
from tests.helpers.wire import Face
from tests.matches.played import file_of, played
from tests.server.desk.test_cup_requests import finish


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
    english = english_words(folder_of(game), ROOT / "people") - {"second"}  # which a French card has too
    ann, bob = await at_one_table(hall, "fr", "")
    said, told = "", ""
    for _ in range(40):
        said, told = said + await ann.heard(), told + await bob.heard()
        for typist in (ann, bob):
            await typist.send("legal")
            await typist.send("1")
    assert "La partie commence" in said
    assert "The match begins" in told
    assert "Tu pioches" in said
    assert "You draw" in told
    known = {"p0", "p1", "start", "mages", "open", "pile", "ignore", "ignores"}
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


async def test_a_program_that_reads_french_reads_in_french_what_is_wrong_with_its_messages(hall: Hall) -> None:
    program = await hall.player("ann")
    await program.ask("lang", lang="fr")
    for kind, fields, text in (
        ("pong", {}, "Il n'y a pas de message pong."),
        ("look", {}, "Le champ table manque."),
        ("look", {"table": 3}, "Il faut `str`, pas `int`."),
        ("look", {"table": "t1", "mood": "good"}, "Le message n'a pas de champ mood."),
        ("look", {"table": "t" * 65}, "Il faut `str` d'une longueur <= 32."),
    ):
        assert (await program.ask(kind, **fields))["text"] == text


async def test_who_types_more_or_less_than_fits_reads_how_much_does_in_their_language(hall: Hall) -> None:
    ann = await hall.typist()
    assert await ann.types("hello ann", "open toy 17") == "! At most 16, in seats.\n"
    assert await ann.types("cup open friday toy rounds=0") == "! At least 1, in rounds.\n"
    said = await ann.types("cup open friday toy rounds=9999999999")
    assert said == "! Expected a number of rounds, of at most nine digits.\n"
    await ann.types("lang fr")
    assert await ann.types("coupe ouvrir friday toy rounds=0") == "! Au moins 1, dans rounds.\n"
    assert await ann.types("ouvrir toy 17") == "! Au plus 16, dans seats.\n"
    assert await ann.types("dire " + "x" * 301) == "! Au plus 300 caractères, dans text.\n"


async def test_who_changes_the_language_at_a_table_reads_of_its_game_in_the_new_one(hall: Hall) -> None:
    ann, _bob = await at_one_table(hall, "", "")
    english = await ann.types("aim")
    await ann.types("lang fr")
    with speaking("fr"):
        french = all_games()["mages-110m"].objective
    assert french not in english
    assert french in await ann.types("aim")


async def test_who_says_a_language_before_hello_reads_it_whatever_they_read_before(hall: Hall) -> None:
    typist = await hall.typist()
    code = (await typist.types("langue fr", "bonjour ann")).split()[-1]
    await typist.close()
    again = await hall.typist()
    assert "Cette table n'existe pas" not in await again.types("lang en", f"hello ann {code}", "tables t9")
    assert "There is no such table" in await again.types("tables t9")


async def test_the_language_of_a_name_outlives_the_server() -> None:
    disk = Disk()
    async with running(disk) as hall:
        typist = await hall.typist()
        code = (await typist.types("hello ann")).split()[-1]
        await typist.types("lang fr")
        await typist.close()
    async with running(disk) as hall:
        typist = await hall.typist()
        assert "Cette table n'existe pas" in await typist.types(f"hello ann {code}", "tables t9")


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
    (seat,) = hall.lobby.tables["t1"].require_match().state.to_move()
    peer, told = peers[seat - 1], []
    for lang in ("en", "fr"):
        await peer.ask("lang", lang=lang)
        answer = await peer.ask("act", table="t1", turn=1, action={"do": "bet", "on": [1, 1, 1]})
        assert answer["code"] == "illegal_action"
        told.append(answer["text"])
    kept = [entry.text for entry in hall.lobby.tables["t1"].entries if isinstance(entry, ActionRefused)]
    assert kept == [told[0]] * 2
    assert told[0] != told[1]
    nursery.cancel_scope.cancel()


async def test_lines_of_one_packet_are_answered_each_in_the_language_of_its_time(hall: Hall) -> None:
    typist = await hall.typist()
    told = await typist.types("hello ann\r\nlang x\r\nlang fr\r\nlang x\r\nlang en\r\nlang x")
    english, french = "Choose one of these languages", "Choisis l'une de ces langues"
    assert re.findall(f"{english}|{french}", told) == [english, french, english]


async def test_who_comes_back_in_one_packet_reads_what_they_read_before(hall: Hall) -> None:
    typist = await hall.typist()
    code = (await typist.types("langue fr", "bonjour ann")).split()[-1]
    await typist.close()
    again = await hall.typist()
    assert "Choisis l'une de ces langues" in await again.types(f"hello ann {code}\r\nlang x")


async def test_a_program_leaves_the_language_that_its_name_reads_as_it_is(hall: Hall) -> None:
    typist = await hall.typist()
    code = (await typist.types("langue fr", "bonjour ann")).split()[-1]
    await typist.close()
    program = await hall.connect()
    code = (await program.ask("hello", name="ann", code=code))["code"]
    await program.cut()
    again = await hall.typist()
    assert "Cette table n'existe pas" in await again.types(f"hello ann {code}", "tables t9")


@pytest.mark.parametrize("said", ["français", "Francais", "french", "FR", "fr_CA.UTF-8"])
async def test_a_language_is_known_by_its_own_name_and_by_its_english_one(hall: Hall, said: str) -> None:
    assert "Tu lis désormais le français." in await (await hall.typist()).types(f"lang {said}")


async def test_a_name_that_is_also_a_word_stays_a_name(hall: Hall) -> None:
    open_, bob = await hall.player("open"), await hall.typist()
    await bob.types("lang fr", "bonjour bob")
    await open_.ask("open", game="toy", seats=3)
    await bob.types("join t1")
    await open_.ask("kick", player="bob", table="t1")
    assert "- open t'a " in await bob.heard()


def test_the_operator_is_called_so_in_every_language() -> None:
    with speaking("fr"):
        assert render_reply(m.SentAway(table="t1", by="the operator", why="closed"), None) == [
            "- l'opérateur a fermé t1."
        ]
        assert again("open closed the table; the match does not count.", (CLOSED,)).startswith("open ")
        assert again("The operator closed the table; the match does not count.", (CLOSED,), OPERATORS).startswith(
            "L'opérateur "
        )


async def test_a_language_that_is_not_there_is_refused(hall: Hall) -> None:
    typist = await hall.typist()
    assert await typist.types("lang tlh") == "! Choose one of these languages: en, fr.\n"


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
        french = {word: translated_word(word) for word in SAID.split()}
    assert [word for word in SAID.split() if matching_commands(word) != [word]] == []
    same = {word for word, said in french.items() if said == word}
    assert same == {"stats", "tables", "ping", "pause", "auto"}
    of_one_word = {word for word in commands_by_translation().values() if word.split()[0] != "cup"}
    assert of_one_word == set(french) - same


CUP = (
    *("coupes", "cup friday", "coupe", "coupe ouvrir", "coupe ouvrir friday", "coupe ouvrir friday nogame"),
    *("coupe ouvrir friday toy 1", "coupe ouvrir friday toy 2 format=none", "coupe ouvrir friday toy 2 rounds=x"),
    *("coupe ouvrir friday toy 2 rounds=0", "ouvrir toy 2 high=3"),
    *("coupe ouvrir friday toy 2 deals=rotated", "coupe ouvrir f toy", "coupe ouvrir friday toy 2 wings=3"),
    *("coupe ouvrir friday toy 2 rounds=1", "coupe ouvrir friday toy 2", "coupes", "coupe voir friday"),
    *("coupe voir monday", "coupe inviter friday eve", "coupe inviter friday carl", "coupe suspendre friday"),
    *("coupe commencer friday", "coupe quitter friday", "participer", "participer friday", "participer friday 2"),
    *("participer friday x", "coupe commencer friday", "coupe remplacer friday", "coupe remplacer friday eve ann"),
    *("coupe remplacer friday ann carl", "Coupe quitter friday", "coupe quitter friday", "classement friday"),
    *("suivre friday", "aide coupe ouvrir"),
)
AFTER = ("coupe voir friday", "classement friday", "coupe commencer friday", "coupe arrêter friday", "oublier friday")
TYPED = {"rotated", "cup"}  # words of the protocol
TOLD_BY_TOY = re.compile(
    r"\* .* has chosen\.|\* (Shown|You hold)[: ]|(\* )?Hand: |.* Most points win\."
)  # which speaks English alone


async def test_a_cup_is_typed_and_told_in_french(hall: Hall) -> None:
    ann, carl = await hall.typist(), await hall.typist()
    await carl.types("lang fr", "bonjour carl")
    told = await ann.types("lang fr", "bonjour ann")
    for line in CUP:
        told += await ann.types(line)
    told += await carl.heard()
    assert "ann t'invite à une coupe" in told
    bots = [await hall.player(name, bot=True) for name in ("bob", "dora")]
    for bot in bots:
        await bot.ask("cup_enter", cup="friday")
    told += await ann.types("coupe commencer friday", "coupe suspendre friday", "coupe suspendre friday")
    told += await ann.types("participer friday") + await ann.types("coupe commencer friday")
    await finish(hall, bots)
    told += await ann.heard()
    for line in AFTER:
        told += await ann.types(line)
    assert re.search(r"friday, partie 1 à t1\u00a0: 1\. ", told)
    english = english_words(ROOT / "people", ROOT / "server", ROOT / "games") - TYPED
    assert [
        f"{words(line) & english} {line}"
        for line in told.split("\n")
        if words(line) & english and not TOLD_BY_TOY.match(line)
    ] == []


async def test_a_match_that_the_operator_or_its_cup_ends_is_aborted_in_french(hall: Hall) -> None:
    ann, bob = await at_one_table(hall, "fr", "")
    await ann.heard()
    hall.lobby.tables.close_table(hall.lobby.tables["t1"], "The operator")
    assert "L'opérateur a fermé la table\u00a0; la partie ne compte pas." in await ann.heard()
    assert "The operator closed the table; the match does not count." in await bob.heard()


async def test_the_operators_command_is_answered_in_its_language(hall: Hall) -> None:
    await hall.player("ann")
    operator = OperatorCommands(hall.lobby, hall.nursery, hall.app.stopping.set)
    told = []
    for command in (
        *(
            OperatorCommand("who"),
            OperatorCommand("bans"),
            OperatorCommand("mute", "ann"),
            OperatorCommand("unmute", "ann"),
            OperatorCommand("tables"),
        ),
        *(
            OperatorCommand("kick", "eve"),
            OperatorCommand("ban", "eve", seconds=60),
            OperatorCommand("bans"),
            OperatorCommand("unban", "eve"),
        ),
        *(
            OperatorCommand("unban", "eve"),
            OperatorCommand("code", "eve"),
            OperatorCommand("forget", "ann"),
            OperatorCommand("stop-accepting"),
        ),
        *(
            OperatorCommand("accept"),
            OperatorCommand("close", table="t9"),
            OperatorCommand("announce", text="hop"),
            OperatorCommand("dance"),
        ),
    ):
        answer = await _obey(operator, msgspec.json.encode(msgspec.structs.replace(command, lang="fr")) + b"\n")
        told += answer.lines
    english = english_words(ROOT / "people", ROOT / "server") - {"accept", "drain"}
    assert [f"{words(line) & english} {line}" for line in told if words(line) & english] == []
    assert (await _obey(operator, b'{"do": "tables"}')).lines == ["There are no tables."]
