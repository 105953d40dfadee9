"""What `why` says of every kind of action, word for word, on one crowded arena."""

from __future__ import annotations

from typing import Any

import pytest

from games.chance import Chance
from games.cheaty_mages.rules import Match
from games.registry import get_game

NAMES = ["Ann", "Bob", "Cid"]
HAND = ["alteration", "amnesia", "anti_magic_field", "cause_unpopularity", "confusion", "dispel_magic", "duplicate"]
HAND += ["fireball", "giant_growth", "imitation"]
ARENA: dict[str, Any] = {
    "judge": "lawty",  # above 10 mana: dispel
    "fighters": ["goblin", "skeleton", "minotaur", "ghost", "dragon"],  # powers 1, 3, 8, 5 and 10; two are undead
    "turn": 1,
    "bets": {1: [2, 5], 2: [1], 3: [3]},
    "money": {1: 7, 2: 0, 3: 0},
    "hands": {1: HAND, 2: 3, 3: 3},
    "spells": {
        2: [  # +5 for 4 mana; hidden from Ann: +4 for 6; +2 for none, which is doubled
            {"card": "might", "by": 1},
            {"card": "slow", "by": 2},
            {"card": "cure", "by": 3},
            {"card": "duplicate", "by": 1, "on": 3},
        ],
        3: [  # twice the prize for 3 mana; hidden, but Ann knows it: 5 mana less; -10 for 6 mana
            {"card": "cause_unpopularity", "by": 1},
            {"card": "mana_seal", "by": 2, "known_to": [1]},
            {"card": "meteor_strike", "by": 1},
        ],
    },
}


def foreseen(line: str, **said: Any) -> str:
    match = get_game("cheaty-mages").position(ARENA | said, Chance.of_number(1))
    assert isinstance(match, Match)
    view, legal = match.view(1), match.legal_actions(1)
    (action,) = match.game.words.read(line, view, legal)
    assert action in legal
    return match.game.words.foresee(view, action, NAMES)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("cast fireball 1", "Fireball on 1 Goblin: power 1 to -3, mana 1 of 10."),
        ("cast fireball 2", "Fireball on 2 Skeleton: power -6? to -2?, mana 5? of 10."),
        ("cast fireball 3", "Fireball on 3 Minotaur: power -2 to -6, mana 5 of 10."),
        ("cast giant_growth 4", "Giant Growth on 4 Ghost: power 5 to -7, mana 10 of 10."),
        ("cast giant_growth 3", "Giant Growth on 3 Minotaur: power -2 to 10, mana 14 of 10, too much: dispel."),
        ("cast giant_growth 2", "Giant Growth on 2 Skeleton: power -6? to -18?, mana 14? of 10."),
        ("cast cause 3", "Cause Unpopularity on 3 Minotaur: power -2 to -2, mana 7 of 10, prize 8 to 16."),
        ("cast cause 5", "Cause Unpopularity on 5 Dragon: power 10 to 10, mana 3 of 10, prize 3 to 6."),
        ("cast dispel 2.1", "2 Skeleton: power -6? to -1?, mana 0? of 10."),
        ("cast dispel 2.2", "You do not know what 2.2 is. 2 Skeleton: power -6? to -6, mana 4 of 10."),
        ("cast dispel 2.3", "2 Skeleton: power -6? to -2?, mana 4? of 10."),  # what doubles it goes with it
        ("cast dispel 2.4", "2 Skeleton: power -6? to -4?, mana 4? of 10."),
        ("cast dispel 3.1", "3 Minotaur: power -2 to -2, mana 1 of 10, prize 8 to 4."),
        ("cast dispel 3.2", "3 Minotaur: power -2 to -2, mana 9 of 10."),
        ("cast duplicate 2.1", "2 Skeleton: power -6? to -11?, mana 4? of 10."),
        ("cast duplicate 3.3", "3 Minotaur: power -2 to -12, mana 4 of 10."),
        (
            "cast alter 2.3 3",  # and what doubles it, as the fifth there
            "2 Skeleton: power -6? to -2?, mana 4? of 10; 3 Minotaur: power -2 to 2, mana 4 of 10.",
        ),
        ("cast alter 2.3 4", "2 Skeleton: power -6? to -2?, mana 4? of 10; 4 Ghost: power 5 to 1, mana 0 of 10."),
        ("cast alter 2.1 4", "2 Skeleton: power -6? to -1?, mana 0? of 10; 4 Ghost: power 5 to 0, mana 4 of 10."),
        ("cast alter 2.2 1", "2 Skeleton: power -6? to -6, mana 4 of 10; 1 Goblin: power 1 to 1?, mana 0? of 10."),
        (
            "cast alter 3.1 5",
            "3 Minotaur: power -2 to -2, mana 1 of 10, prize 8 to 4; "
            "5 Dragon: power 10 to 10, mana 3 of 10, prize 3 to 6.",
        ),
        ("cast imitation 2 4", "Your bet would be on 4 5: 4 Ghost 5 gold, 5 Dragon 3 gold."),
        ("cast imitation 5 1", "Your bet would be on 1 2: 1 Goblin 10 gold, 2 Skeleton 7 gold."),
        ("cast amnesia 3", "Amnesia: One player, perhaps you, discards a card of their own choice."),
        ("cast anti 1", "1 Goblin: power 1 to 1, mana 0 of 10."),
        ("cast anti 2", "2 Skeleton: power -6? to 3, mana 0 of 10."),
        ("cast anti 3", "3 Minotaur: power -2 to 8, mana 0 of 10, prize 8 to 4."),
        ("cast confusion", "Confusion: Lies on the judge. While it lies there, there is no judgement."),
        ("look fireball 2", "You alone would see what lies face down on 2 Skeleton; the card goes."),
        ("pass", "You cast nothing more in this round."),
    ],
)
def test_every_kind_of_spell_is_foretold(line: str, says: str) -> None:
    assert foreseen(line) == says


FOUL: dict[str, Any] = {"round": 3, "options": {"foul_play": True}}
SLIPPED: dict[str, Any] = {
    "options": {"illegal_plays": "discard"},
    "judge": "orlair",
}  # above 12: eject; no Direct spell
IN_VAIN = "The judge refuses it: it is struck when it is turned up."
DRAWING: dict[str, Any] = {"phase": "judged", "spells": {}}


@pytest.mark.parametrize(
    ("line", "said", "says"),
    [
        (
            "cast giant_growth 1 pay",
            FOUL | {"judge": "zapp"},
            "Giant Growth on 1 Goblin: power 1 to 13, mana 10 of 15. It costs 2 gold.",
        ),
        (
            "cast amnesia 2 pay",
            FOUL | {"judge": "morla"},
            "Amnesia: One player, perhaps you, discards a card of their own choice. It costs 2 gold.",
        ),
        (
            "cast alteration 2.1 1 pay",
            FOUL | {"judge": "zapp"},
            "2 Skeleton: power -6? to -1?, mana 0? of 15; 1 Goblin: power 1 to 6, mana 4 of 15. It costs 2 gold.",
        ),
        (
            "cast imitation 2 4 pay",
            FOUL | {"judge": "morla"},
            "Your bet would be on 4 5: 4 Ghost 5 gold, 5 Dragon 3 gold. It costs 2 gold.",
        ),
        ("cast anti 1 pay", FOUL | {"judge": "zapp"}, "1 Goblin: power 1 to 1, mana 0 of 15. It costs 2 gold."),
        ("cast fireball 1", {"judge": "tad"}, "Fireball on 1 Goblin: power 1 to -3, mana 1."),
        ("cast fireball 1", {"judge": "ferine"}, "Fireball on 1 Goblin: power 1 to -3, mana 1."),
        (
            "cast giant_growth 3",
            {"lasting": ["confusion"], "hands": {1: ["giant_growth"]}},
            "Giant Growth on 3 Minotaur: power -2 to 10, mana 14.",
        ),
        (
            "cast fireball 1 pay",
            FOUL | SLIPPED | {"options": {"illegal_plays": "discard", "foul_play": True}},
            "Fireball on 1 Goblin: power 1 to -3, mana 1 of 12. It costs 2 gold.",
        ),
        ("cast fireball 1 down", SLIPPED, IN_VAIN),
        ("cast giant_growth 1", SLIPPED | {"judge": "zapp"}, IN_VAIN),
        ("cast giant_growth 1", SLIPPED, "Giant Growth on 1 Goblin: power 1 to 13, mana 10 of 12."),
        (
            "cast giant_growth 1",
            SLIPPED | {"judge": "zapp", "lasting": [{"card": "invisibility", "by": 1}]},
            "Giant Growth on 1 Goblin: power 1 to 13, mana 10 of 15.",
        ),
        (
            "cast fireball 1 down",
            SLIPPED | {"judge": "lawty"},
            "Face down without Prismatic Ray it is not lawful: it is struck when it is turned up.",
        ),
        (
            "cast fireball 1 down",
            SLIPPED | {"judge": "lawty", "lasting": [{"card": "prismatic_ray", "by": 1}]},
            "Fireball on 1 Goblin: power 1 to -3, mana 1 of 10.",
        ),
        (
            "bet 5 2 1",
            {"phase": "bet", "bets": {}, "spells": {}},
            "If it wins you get: 1 Goblin 5 gold, 2 Skeleton 4 gold, 5 Dragon 2 gold.",
        ),
        ("bet 3", {"phase": "bet", "bets": {}, "spells": {}}, "If it wins you get: 3 Minotaur 8 gold."),
        ("discard fireball", {"phase": "forget", "forgetting": 1}, "Everybody sees what you discard."),
        (
            "discard cure",
            DRAWING | {"hands": {1: ["cure", "might", "slow"]}},
            "You would draw 4 cards, for 6 in hand. Everybody sees what you discard.",
        ),
        ("done", DRAWING | {"hands": {1: ["cure", "might", "slow"]}}, "You would draw 4 cards, for 7 in hand."),
        ("done", DRAWING | {"hands": {1: [*HAND[:6], "cure"]}}, "You would draw 1 card, for 8 in hand."),
        ("done", DRAWING, "You would draw 0 cards, for 10 in hand."),  # who has more than the limit keeps them
    ],
)
def test_what_the_table_says_changes_what_is_foretold(line: str, said: dict[str, Any], says: str) -> None:
    assert foreseen(line, **said) == says
