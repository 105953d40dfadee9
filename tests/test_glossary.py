"""The glossary holds the names of public modules and classes."""

from __future__ import annotations

import re

from tests.helpers.glossary import PAGE, allowed, duplicates, unused, violations

MOST_ALLOWED = 0


def test_no_module_or_class_has_a_name_that_the_glossary_replaces() -> None:
    assert {name: instead for name, instead in violations().items() if name not in allowed()} == {}


def test_no_public_class_name_stands_for_two_ideas() -> None:
    assert {name: modules for name, modules in duplicates().items() if name not in allowed()} == {}


def test_the_list_of_allowed_names_does_not_grow() -> None:
    assert len(allowed()) <= MOST_ALLOWED


def test_each_word_of_the_glossary_is_there_once_and_is_used() -> None:
    table = re.findall(r"^\| ([a-z -]+) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    words = [word for word in table if word not in ("word", "not used")]
    assert len(words) > 100
    assert sorted(set(words)) == sorted(words)
    assert not {*words} & {rule.name for rule in unused() if not rule.places}


def test_the_checker_finds_a_bad_name_and_spares_its_standard_form() -> None:
    rules = {rule.name: rule for rule in unused()}
    assert rules["renown"].covers("server/player_stats.py", is_class=False)
    assert not rules["account"].covers("games/cheaty_mages/account.py", is_class=False)
    assert not rules["peer"].covers("server/peer.py", is_class=False)
    assert rules["peer"].covers("server/peer.py", is_class=True)
