"""Rules pages as people look things up in them: contents, sections, single rules, words."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.api import Game, options_from
from games.chance import Chance
from games.magecraft.moves import Vanish
from games.pages import rules_page, rules_topic
from games.registry import all_games
from games.spelling import read_typed_line
from languages import speaking
from people.text.rules import find_rules_section, without_author_sections
from tests.helpers.toy import ToyGame

NAMES = ["Ann", "Bob"]
PAGE = """\
# Toy

A page about *toys*.

## 1. Setup

- **1.1** Everybody gets **mana** and a [ball](ball.md).
- **1.2** *House*: nobody
  gets two.

## 12. The end

Whoever has most mana wins.

| card | cost | text |
|---|---|---|
| Orb | 3 | - |
| `Rod` | 4 | Glows. |

## Balance

| mana | 12 % |
"""


def test_without_a_topic_the_page_is_as_it_is_written() -> None:
    assert find_rules_section(PAGE, "") == PAGE
    assert without_author_sections(PAGE) == PAGE.partition("## Balance")[0]  # but people do not read measurements


def test_the_contents_name_every_section_but_the_measurements() -> None:
    assert find_rules_section(PAGE, "contents").split("\n")[:3] == ["Toy", "  1. Setup", "  12. The end"]


def test_who_plays_an_edition_finds_the_rules_that_it_keeps_too() -> None:
    page = rules_page(all_games()["cheaty-mages"])
    assert "  6. Foul play\n" in find_rules_section(page, "contents")
    assert "  6. Judgement (Ikasamage!)\n" in find_rules_section(page, "contents")
    assert "- 6.2 Mana of all spells on a fighter is added up" in find_rules_section(page, "mana")


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("12", "12. The end\nWhoever has most mana wins.\n- Orb; cost: 3\n- Rod; cost: 4; text: Glows."),
        ("glows", "12. The end\n- Rod; cost: 4; text: Glows."),
        ("rod", "12. The end\n- Rod; cost: 4; text: Glows."),
        ("1.2", "1. Setup\n- 1.2 House: nobody gets two."),
        ("MANA", "1. Setup\n- 1.1 Everybody gets mana and a ball.\n12. The end\nWhoever has most mana wins."),
        ("chess", "No rule mentions 'chess'; rules shows the contents."),
        ("x" * 33, f"No rule mentions '{'x' * 32}'; rules shows the contents."),
    ],
)
def test_a_number_gives_a_section_or_a_rule_and_a_word_what_mentions_it(topic: str, text: str) -> None:
    assert find_rules_section(PAGE, topic) == text


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_game_has_contents_and_rules_about_cards_or_spells(game: Game) -> None:
    page = game.rules.read_text(encoding="utf-8")
    assert find_rules_section(page, "contents").count("\n") > 5
    assert len(find_rules_section(page, "spell")) < len(page) / 2
    assert "**" not in find_rules_section(page, "spell")


def test_below_the_page_of_an_edition_stand_the_sections_of_the_page_that_it_differs_from(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Toy 2\n\n## 1. What differs\n\nAll.\n\n", encoding="utf-8")
    (tmp_path / "base.md").write_text("# Toy, the first\n\nAbout it.\n\n## 1. Setup\n\nNone.\n", encoding="utf-8")
    game = ToyGame()
    game.rules, game.base_rules = tmp_path / "README.md", tmp_path / "base.md"
    assert rules_page(game) == "# Toy 2\n\n## 1. What differs\n\nAll.\n\n## 1. Setup (Toy)\n\nNone.\n"
    game.base_rules = None
    assert rules_page(game) == "# Toy 2\n\n## 1. What differs\n\nAll.\n\n"


FRENCH = {
    "magecraft": ("disparition", "éclipse", "ténèbres", "obscurité", "amélior"),
    "mages-110m": ("obstacle", "haie"),
    "ikasamage": ("coup tordu", "soutien", "exclusion"),
}


@pytest.mark.parametrize(("name", "topic"), [(name, topic) for name, topics in FRENCH.items() for topic in topics])
def test_the_french_pages_have_the_words_of_the_rulebooks_and_understand_others(name: str, topic: str) -> None:
    game = all_games()[name]
    with speaking("fr"):
        assert not find_rules_section(rules_page(game), rules_topic(game, topic)).startswith("Aucune règle")


def test_other_french_words_are_understood_where_actions_are_typed() -> None:
    game = all_games()["magecraft"]
    state, _told = game.start(2, options_from(game, {}), Chance.of_number(1))
    (seat,) = state.to_move()
    with speaking("fr"):
        for word in ("disparition", "éclipse"):
            assert read_typed_line(game, f"{word} lumière vie", state.view(seat), (), NAMES) == [
                Vanish("light", "life")
            ]
