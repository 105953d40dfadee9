"""The account of a round: every sum in it adds up to what the judgement did."""

from __future__ import annotations

import re

from games.api import options_from
from games.cheaty_mages.views import SpectatorView
from games.registry import get_game
from games.testing.exam import random_match
from tests.games.cheaty_mages.given import do, given

NAMES = ["Ann", "Bob", "Cy"]
GAME = get_game("ikasamage")


def test_a_round_is_told_fighter_by_fighter_and_bet_by_bet() -> None:
    match = given(
        hands={1: "cripple", 2: "recall", 3: "haste"},
        fighters=("goblin", "skeleton", "lizardman", "succubus", "dark_elf"),
        judge="zapp",
        on={2: "might@1 slow@2 cure@3", 3: "refresh@1 energy_boost@1 meteor_strike@1", 5: "healing@2"},
        bets={1: (2, 5), 2: (5,), 3: (1, 3, 5)},
        money={1: 7},
    )
    assert GAME.words.explain_scoring(match.view(None), NAMES) == []
    for seat in (1, 2, 3):
        do(match, seat, "pass")
    lines = GAME.words.explain_scoring(match.view(None), NAMES)
    assert lines == [
        "Round 1 adds up, limit 15: 5 Dark Elf wins with power 11; the prize is 4.",
        "  1 Goblin: power 1; mana 0",
        "  2 Skeleton: power 3 -5 Might +4 Slow -2 Cure = 0; mana 4 + 6 = 10",
        "  3 Lizardman: 16 mana, dispelled: the card's power, 4",
        "  4 Succubus: power 6; mana 0",
        "  5 Dark Elf: power 7 +4 Healing = 11; mana 1",
        "  Ann bet on 2 5: the prize, 4; 7 + 4 = 11 gold",
        "  Bob bet on 5: twice the prize, 8; 0 + 8 = 8 gold",
        "  Cy bet on 1 3 5: half the prize, 2; 0 + 2 = 2 gold",
    ]


def test_what_made_the_prize_is_told_and_what_decides_between_equal_powers() -> None:
    """Rules 7.2, 7.4; an ejected fighter is nobody's equal."""
    ejected = "strengthen mana_boost mana_boost lightning_bolt regeneration"
    for judge, on, says in (
        ("zapp", {1: "power_awakening cause_unpopularity"}, "9; the prize is 20 (10 x2 Cause Unpopularity)."),
        (
            "lawty",
            {3: "healing", 4: "cure"},
            "8; the prize is 5. Of fighters with equal power, the one with more power on its card wins.",
        ),
        ("orlair", {3: ejected}, "7; the prize is 4."),
    ):
        match = given(hands={1: "cure"}, judge=judge, on=on)
        do(match, 1, "pass")
        assert GAME.words.explain_scoring(match.view(None), NAMES)[0].endswith(f" wins with power {says}")


def test_every_sum_of_many_matches_adds_up() -> None:
    checked = 0
    for game_id in ("ikasamage", "cheaty-mages"):
        game = get_game(game_id)
        for number in range(3):
            for moment in random_match(game, 4, options_from(game, {}), number):
                view = moment.state.view(None)
                assert isinstance(view, SpectatorView)
                for line in game.words.explain_scoring(view, [*NAMES, "Di"]):
                    for left, right in re.findall(r"((?:-?\d+|[-+ ]|[A-Z][a-z-]+)+) = (-?\d+)", line.split("; ")[-1]):
                        assert sum(map(int, re.findall(r"[-+]?\d+", left.replace("+ ", "+")))) == int(right), line
                        checked += 1
                    for left, right in re.findall(r"power (.+?) = (-?\d+);", line):
                        assert sum(map(int, re.findall(r"[-+]?\d+", left))) == int(right), line
                        checked += 1
    assert checked > 100
