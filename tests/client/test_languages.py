"""The terminal client speaks its person's language."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from games.registry import all_games
from games.spelling import normalize_spelling
from languages import ENGLISH, current_language, language_code, set_default_language, speaking
from people.client_commands import OWN
from people.context import build_context
from people.text.lookup import commands_by_translation, translated_word
from people.text.reading import expand_line
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.catalogues import english_words, folders, words
from tests.helpers.paper import new_person

NAMES = {"greedy", "ann", "magehall", "replay", "pile", "aid"}  # of bots, people and programs, or French as well


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_default_language(ENGLISH)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        *(("fr", "fr"), ("FR", "fr"), ("fr_CA.UTF-8", "fr"), ("français", "fr"), ("en_GB", "en"), ("English", "en")),
        *(("", ""), ("C", ""), ("POSIX", ""), ("de_DE.UTF-8", ""), ("frisian", "")),
    ],
)
def test_a_language_is_known_by_its_code_its_name_and_the_systems_word(said: str, code: str) -> None:
    assert language_code(said) == code


def test_lang_is_said_to_the_server_and_spoken_here() -> None:
    person = new_person()
    (ask,) = handle_line(person, "langue fr").asks
    assert (ask.kind, ask.fields) == (m.Lang, {"lang": "fr"})
    assert current_language() == "fr"
    assert "Cette commande n'existe pas" in str(handle_line(person, "xyzzy").lines)


def test_the_clients_own_words_are_understood_in_french() -> None:
    with speaking("fr"):
        french = [translated_word(word) for word in OWN]
    there = build_context(new_person())
    assert [expand_line(word, there) for word in french] == list(OWN)
    assert expand_line("Annuler", there) == "undo"
    assert expand_line("inviter qr", there) == "invite qr"
    assert expand_line("lancer 1", there) == "lancer 1"


def test_no_french_command_hides_a_word_of_a_game() -> None:
    for game in all_games().values():
        for name in ("en", "fr"):
            with speaking(name):
                said = {normalize_spelling(word).split(" ")[0] for word in game.words.vocabulary.values()}
                titles = {normalize_spelling(title) for title in game.words.card_titles.values()}
            assert not (said | titles) & set(commands_by_translation())


def test_a_guided_match_under_a_french_system_has_no_english_word() -> None:
    env = {**os.environ, "LC_ALL": "fr_FR.UTF-8", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "magehall", "learn", "ikasamage", "--name", "ann"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=env, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Leçon 1 sur " in done.stdout
    english = english_words(*folders()) - NAMES
    assert not [line for line in done.stdout.split("\n") if words(line) & english]
