"""What helps a person to type: aliases, completion, pastes, history."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.keys import Keys as PressedKeys

from client.screen.history import History, is_storable
from client.screen.keys import TerminalKeys
from client.stand_in import LocalStandIns
from games.registry import all_games
from languages import speaking
from people.context import NOT_HERE, build_context
from people.person import Person
from people.settings import PersonSettings
from people.text.lookup import available_commands
from people.text.reading import expand_line
from people.typed import handle_line
from people.vocabulary import completions, next_words, split_lines
from protocol import messages as m
from tests.helpers.paper import new_person
from tests.people.at_a_table import asked, open_table, said, seated

PHRASES = ["bet 1", "bet 1 2", "cast fireball 3", "cast fireball 4", "cast might 1", "pass"]
COMMANDS = list(available_commands(NOT_HERE | {"invite"}))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("?", "help"),
        ("? look", "help look"),
        ("h", "help"),
        ("l", "look"),
        ("q", "quit"),
        ("s good luck", "say good luck"),
        ("'good luck", "say good luck"),
        ("/r so do I", "reply so do I"),
        ("/who", "who"),
        ("  k ", "clock"),
        ("bet 2", "bet 2"),
    ],
)
def test_an_alias_stands_for_its_word(line: str, meant: str) -> None:
    assert expand_line(line, build_context(new_person())) == meant


def test_a_question_mark_lists_what_may_be_done_when_it_is_ones_turn_and_is_the_help_page_elsewhere() -> None:
    person = seated(3, 5)
    assert "2  play 5" in said(person, "?")
    handle_line(person, "play 3")
    assert said(person, "?") == said(person, "help")
    assert said(new_person(), "?") == said(new_person(), "help")


def test_a_letter_stands_for_the_games_word() -> None:
    assert asked(seated(3, 5), "p 5") == asked(seated(3, 5), "play 5")
    assert said(seated(3, 5), "p x") == "! Type play and a card, such as: play 3"
    person = Person("ann", all_games(), PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    person.on_message(m.TableReply(info=open_table("ikasamage"), seat=1))
    assert said(person, "b 5") == said(person, "c might 1") == said(person, "d might") == "! The match has not started."
    assert asked(person, "g") == (m.Games, {})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b", ["bet", "bots", "ban", "brief"]),
        ("cast ", ["fireball", "might"]),
        ("cast f", ["fireball"]),
        ("c f", ["fireball"]),
        ("cast fireball ", ["3", "4"]),
        ("CAST FIR", ["fireball"]),
        ("why cast m", ["might"]),
        ("bet 1 ", ["2"]),
        ("pass ", []),
        ("zz", []),
    ],
)
def test_completion_comes_from_the_legal_actions_and_the_commands(text: str, words: list[str]) -> None:
    assert next_words(text, PHRASES) == words


def test_every_command_is_completed_at_the_start_of_a_line() -> None:
    assert sorted(completions(new_person(), "")) == sorted(COMMANDS)


def test_card_names_and_players_are_completed_after_their_commands() -> None:
    person = seated(3, 5)
    assert list(completions(person, "cards 1")) == ["1", "10", "11", "12"]
    assert list(completions(person, "tell ")) == ["bob"]
    assert list(completions(person, "play ")) == ["3", "5"]


def test_who_reads_french_completes_french_commands_with_accents_or_without() -> None:
    person = seated(3, 5)
    with speaking("fr"):
        assert next_words("regl", []) == next_words("règl", []) == ["règles"]
        assert next_words("rul", []) == ["rules"], "which is understood as well"
        assert list(completions(person, "chuchoter ")) == ["bob"]
        assert list(completions(person, "cartes 1")) == ["1", "10", "11", "12"]
        assert next_words("pourquoi lancer b", ["lancer boule_de_feu 3"]) == ["boule_de_feu"]


@pytest.mark.parametrize(("lang", "lines"), [("en", "aim review next hands"), ("fr", "but revue suivant mains")])
def test_a_key_writes_the_word_that_it_stands_for_as_its_reader_says_it(lang: str, lines: str) -> None:
    written = list[str]()
    keys = TerminalKeys(turn=lambda *, back: None, enter=written.append, say=written.append, warn_before=str)
    with speaking(lang):
        for key in (PressedKeys.F1, PressedKeys.F2, PressedKeys.F3, PressedKeys.F4):
            (bound,) = keys.bindings.get_bindings_for_keys((key,))
            bound.handler(None)  # type: ignore[arg-type]
    assert written == lines.split()


def test_a_paste_is_split_into_lines() -> None:
    assert split_lines("bet 1\r\n\npass\rlook") == ["bet 1", "pass", "look"]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("bet 2", True),
        ("hello ann c0de", False),
        ("/tell bob x", False),
        ("tel bob x", False),
        ("t bob x", False),
        ("/r x", False),
        ("reply x", False),
        ("'x", True),
        ("bonjour ann c0de", False),
        ("Opérateur c0de", False),
        ("operateur c0de", False),
        ("/chuchoter bob x", False),
        ("répondre x", False),
        ("dire x", True),
        ("password hunter22", False),
        ("pasword hunter22", False),
        ("mot-de-passe hunter22", False),
        ("helo ann c0de", False),
        ("operater w0rd", False),
        ("pass", True),
        ("", False),
    ],
)
def test_the_history_keeps_no_codes_and_nothing_private(line: str, kept: bool) -> None:
    assert is_storable(line) is kept


def test_the_history_outlives_the_program(tmp_path: Path) -> None:
    first = History(tmp_path / "history")
    for line in ("bet 1", "hello ann secretcode", "pass"):
        first.store_string(line)
    again = History(tmp_path / "history")
    assert list(again.load_history_strings()) == ["pass", "bet 1"]
    assert "secretcode" not in (tmp_path / "history").read_text()
    assert (tmp_path / "history").stat().st_mode & 0o077 == 0


def test_what_the_history_may_not_hold_is_taken_out_when_it_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_text("\n# 2026-01-01\n+bet 1\n\n# 2026-01-01\n+chuchoter bob x\n\n# 2026-01-01\n+pass\n")
    assert list(History(file).load_history_strings()) == ["pass", "bet 1"]
    assert "chuchoter" not in file.read_text()
