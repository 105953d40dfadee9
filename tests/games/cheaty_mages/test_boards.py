"""Whole boards, as they are drawn: a crowded arena before its judgement, and one that was judged.

A style stands before what has it, as in `<you>Your bet: 2 5`.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.api import Seat
from games.chance import Chance
from games.registry import get_game

NAMES = ["Anna-Magdalena Bach", "Bob", "Cy"]
CASTING: dict[str, Any] = {
    "round": 3,
    "options": {"foul_play": True},
    "judge": "morla",  # above 12 mana: dispel; refuses Support spells
    "fighters": ["goblin", "skeleton", "minotaur", "ghost", "dragon"],
    "turn": 1,
    "bets": {1: [2, 5], 2: [1], 3: [3]},
    "money": {1: 7, 2: 1, 3: 0},
    "passed": [3],
    "hands": {1: ["cure", "cure", "giant_growth", "recall", "alteration"], 2: 3, 3: 1},
    "discard": ["might", "cure", "might"],
    "lasting": [
        {"card": "confusion", "by": 1, "paid": True},
        {"card": "invisibility", "by": 2, "paid": True},
        {"card": "prismatic_ray", "by": 2},
    ],
    "spells": {
        1: [{"card": "reflection", "by": 2}],
        2: [
            {"card": "might", "by": 1},
            {"card": "slow", "by": 2},
            {"card": "cure", "by": 3},
            {"card": "duplicate", "by": 1, "on": 3, "paid": True},
        ],
        3: [
            {"card": "cause_unpopularity", "by": 1},
            {"card": "mana_seal", "by": 2, "known_to": [1]},
            {"card": "meteor_strike", "by": 1},
        ],
    },
}
JUDGED: dict[str, Any] = {
    "phase": "judged",
    "judge": "ferine",
    "spell_pile": ["cure"],  # a Direct spell: above 10 mana: eject
    "fighters": ["goblin", "skeleton", "minotaur", "ghost", "dragon"],
    "starter": 2,
    "bets": {1: [1, 3], 2: [3], 3: [2, 4, 5]},
    "money": {1: 7, 2: 0, 3: 0},
    "hands": {1: ["might"], 2: 3, 3: 1},
    "spells": {
        1: [{"card": "energy_boost", "by": 1}, {"card": "refresh", "by": 1}, {"card": "strengthen", "by": 3}],
        3: [{"card": "healing", "by": 1}, {"card": "cause_unpopularity", "by": 2}],
    },
}
LAWTY: dict[str, Any] = {  # above 10 mana: dispel
    "options": {},
    "judge": "lawty",
    "lasting": [],
    "spells": {
        1: [{"card": "energy_boost", "by": 1}, {"card": "refresh", "by": 1}],
        2: [
            {"card": "meteor_strike", "by": 1},
            {"card": "fireball", "by": 3},
            {"card": "regeneration", "by": 2},
            {"card": "healing", "by": 3},
        ],
    },
    "hands": {1: [], 2: ["cure"]},
    "bets": {1: [2], 2: [1]},
    "turn": 2,
}
LESTER: dict[str, Any] = {"judge": "lester", "spells": {3: [{"card": "healing", "by": 1}]}}  # dispels at 4 or less


def board(said: dict[str, Any], seat: Seat | None, width: int, number: int) -> str:
    """The drawing of that number: 0 is the longest."""
    game = get_game("cheaty-mages")
    view = game.position(said, Chance.of_number(1)).view(seat)
    lines = [*game.words.boards(view, NAMES, width)][number]
    return "\n".join("".join(f"<{style}>{text}" if style else text for style, text in line) for line in lines)


@pytest.mark.parametrize(
    ("said", "seat", "width", "number", "drawn"),
    [
        (
            CASTING,
            1,
            80,
            0,
            """\
<title>Round 3 of 3, casting spells
<key>Judge: Morla, the devious
  Above 12 mana: dispel. Refuses Support spells.
  Confusion, paid for lies on the judge (Anna-Magdalena B)
<good>  No judgement while it lies there
  Foul play: a refused spell costs 2 gold
<key>1 Goblin: power 1, mana 3, prize 10
  1.1 Reflection [mana 3] (Bob)
<key>2 Skeleton: power 3 -> -6?, mana 4?, prize 7, undead
<you>  2.1 Might [mana 4, +5] (face down, Anna-Magdalena B)
<hidden>  2.2 face down (Bob)
  2.3 Cure [mana 0, +2] (Cy)
  2.4 Duplicate on 2.3 (Anna-Magdalena B, paid for)
<key>3 Minotaur: power 8 -> -2, mana 4, prize 8
<you>  3.1 Cause Unpopularity [mana 3] (face down, Anna-Magdalena B)
<you>  3.2 Mana Seal [mana -5] (face down, Bob)
  3.3 Meteor Strike [mana 6, -10] (Anna-Magdalena B)
<key>4 Ghost: power 5, prize 5, undead
<key>5 Dragon: power 10, prize 3
<you>>1 Anna-Magdalena B (you): 7 gold, 5 cards, 2 bets, began
 2 Bob: 1 gold, 3 cards, 1 bet, Invisibility (paid for), Prismatic Ray
 3 Cy: 0 gold, 1 card, 1 bet, passed
<dim>Spell pile 49, judge pile 5
<dim>Discarded: cure, might x2
<you>Your bet: 2 5
<title>Your hand
  cure x2: Direct, mana 0. Power +2.
  giant_growth: Enchant Forbidden, mana 10. Power +12.
  recall: Support. Draw a card.
  alteration: Support Forbidden. Move a spell from one fighter to another.""",
        ),
        (
            CASTING,
            1,
            80,
            1,
            """\
<title>Round 3 of 3, casting. Judge: Morla. No judgement while Confusion (Anna-Magda,
  paid) lies on the judge. Foul play: 2g.
<key>1 Goblin: power 1, mana 3, prize 10
  1.1 Reflection (Bob)
<key>2 Skeleton: power 3 -> -6?, mana 4?, prize 7, undead
  <you>2.1 Might (Anna-Magdalena Bach), <hidden>2.2 face down (Bob), 2.3 Cure (Cy)
  2.4 Duplicate on 3 (Anna-Magdalena Bach, paid)
<key>3 Minotaur: power 8 -> -2, mana 4, prize 8
  <you>3.1 Cause Unpopularity (Anna-Magdalena Bach), <you>3.2 Mana Seal (Bob)
  3.3 Meteor Strike (Anna-Magdalena Bach)
<key>4 Ghost: power 5, mana 0, prize 5, undead
<key>5 Dragon: power 10, mana 0, prize 3
<you>>1 Anna-Magdalena 7g 5c 2b   2 Bob 1g 3c 1b Invisibility pd Prismatic ray
 3 Cy 0g 1c 1b passed
<you>Your bet: 2 5. Hand: cure x2 [D m0 +2]  giant_growth [E m10 +12 Forbidden]
 recall  alteration [S Forbidden]
  recall: Draw a card.
  alteration: Move a spell from one fighter to another.""",
        ),
        (
            CASTING,
            1,
            59,
            3,
            """\
<title>R3/3 casting. Morla: No judgement while Confusion (Anna-
  Magda, paid) lies on the judge. Foul play: 2g.
<key>1 Goblin: power 1, mana 3, prize 10
  1.1 Reflection
<key>2 Skeleton: power 3 -> -6?, mana 4?, prize 7, undead
  <you>2.1 Might, <hidden>2.2 face down, 2.3 Cure
  2.4 Duplicate on 3 (paid)
<key>3 Minotaur: power 8 -> -2, mana 4, prize 8
  <you>3.1 Cause Unpopularity, <you>3.2 Mana Seal, 3.3 Meteor Strike
<key>4 Ghost: power 5, mana 0, prize 5, undead
<key>5 Dragon: power 10, mana 0, prize 3
<you>>1 Anna-Magda 7g 5c 2b
 2 Bob 1g 3c 1b Invisibility pd Prismatic ray
 3 Cy 0g 1c 1b passed
<you>Your bet: 2 5. Hand: cure x2 [D m0 +2]
 giant_growth [E m10 +12 Forbidden]  recall
 alteration [S Forbidden]""",
        ),
        (
            CASTING,
            1,
            59,
            5,
            """\
<title>R3/3 casting. Morla: No judgement while Confusion (Anna-
  Magda, paid) lies on the judge. Foul play: 2g.
<key>1 Goblin 1 m3 $10 1sp
<key>2 Skeleton 3->-6? m4? $7 undead 4sp 1pd
<key>3 Minotaur 8->-2 m4 $8 3sp
<key>4 Ghost 5 m0 $5 undead
<key>5 Dragon 10 m0 $3
<you>>1 Anna 7g 5c 2b  2 Bob 1g 3c 1b Inv pd Ray
 3 Cy 0g 1c 1b p
<you>Your bet: 2 5. Hand: cure x2, giant_growth, recall
 alteration""",
        ),
        (
            CASTING,
            None,
            39,
            4,
            """\
<title>R3/3 casting. Morla: No judgement while
  Confusion (Anna-Magda, paid) lies on
  the judge. Foul play: 2g.
<key>1 Goblin 1 m3 $10 1sp
<key>2 Skeleton 3->-1? m0? $7 undead 4sp 1pd
<key>3 Minotaur 8->-2? m6? $4 3sp
<key>4 Ghost 5 m0 $5 undead
<key>5 Dragon 10 m0 $3
>1 Anna-Magda 7g 5c 2b
 2 Bob 1g 3c 1b Invisibility pd Prismat
 3 Cy 0g 1c 1b passed""",
        ),
        (
            CASTING | LAWTY,
            1,
            60,
            2,
            """\
<title>Round 3 of 3, casting. Judge: Lawty. Above 10 mana: dispel.
<key>1 Goblin: power 1 -> 17, mana 10 of 10, prize 10
  1.1 Energy Boost (Anna-Magdalena Bach)
  1.2 Refresh (Anna-Magdalena Bach)
<bad>2 Skeleton: power 3 -> 10, mana 11 of 10, prize 7, undead
  2.1 Meteor Strike (Anna-Magdalena Bach), 2.2 Fireball (Cy)
  2.3 Regeneration (Bob), 2.4 Healing (Cy)
<key>3 Minotaur: power 8, mana 0 of 10, prize 4
<key>4 Ghost: power 5, mana 0 of 10, prize 5, undead
<key>5 Dragon: power 10, mana 0 of 10, prize 3
<you> 1 Anna-Magdalena 7g 0c 1b  >2 Bob 1g 1c 1b
 3 Cy 0g 6c 2b passed
<you>Your bet: 2. Hand: empty""",
        ),
        (
            CASTING | LAWTY,
            1,
            38,
            4,
            """\
<title>R3/3 casting. Lawty: Above 10: dispel.
<key>1 Goblin 1->17 m10/10 $10 2sp
<bad>2 Skeleton 3->10 m11/10 $7 undead 4sp
<key>3 Minotaur 8 m0/10 $4
<key>4 Ghost 5 m0/10 $5 undead
<key>5 Dragon 10 m0/10 $3
<you> 1 Anna-Magda 7g 0c 1b
>2 Bob 1g 1c 1b   3 Cy 0g 6c 2b passed
<you>Your bet: 2. Hand: empty""",
        ),
        (
            CASTING | LAWTY,
            1,
            80,
            0,
            """\
<title>Round 3 of 3, casting spells
<key>Judge: Lawty, the opportunist
  Above 10 mana: dispel.
  Foul play: a refused spell costs 2 gold
<key>1 Goblin: power 1 -> 17, mana 10, prize 10
  1.1 Energy Boost [mana 4, +6] (Anna-Magdalena B)
  1.2 Refresh [mana 6, +10] (Anna-Magdalena B)
<key>2 Skeleton: power 3 -> 10, mana 11, prize 7, undead
  2.1 Meteor Strike [mana 6, -10] (Anna-Magdalena B)
  2.2 Fireball [mana 1, -4] (Cy)
  2.3 Regeneration [mana 3, +3] (Bob)
  2.4 Healing [mana 1, +4] (Cy)
<key>3 Minotaur: power 8, prize 4
<key>4 Ghost: power 5, prize 5, undead
<key>5 Dragon: power 10, prize 3
<you> 1 Anna-Magdalena B (you): 7 gold, 0 cards, 1 bet
>2 Bob: 1 gold, 1 card, 1 bet, began
 3 Cy: 0 gold, 6 cards, 2 bets, passed
<dim>Spell pile 56, judge pile 5
<dim>Discarded: cure, might x2
<you>Your bet: 2
<title>Your hand is empty""",
        ),
        (
            JUDGED,
            1,
            60,
            0,
            """\
<title>Round 1 of 3, discarding and drawing
<key>Judge: Ferine, the capricious
  A spell revealed at the judgement decides: direct 10
    eject, enchant 15 dispel, support 5 dispel.
<key>  Decided: above 10 mana: eject
<bad>1 Goblin, ejected: power 1 -> 20, mana 12
  1.1 Energy Boost [mana 4, +6] (Anna-Magdalena B)
  1.2 Refresh [mana 6, +10] (Anna-Magdalena B)
  1.3 Strengthen [mana 2, +3] (Cy)
<key>2 Skeleton: power 3, mana 0, undead
<good>3 Minotaur wins: power 8 -> 12, mana 4, prize 8
  3.1 Healing [mana 1, +4] (Anna-Magdalena B)
  3.2 Cause Unpopularity [mana 3] (Bob)
<key>4 Ghost: power 5, mana 0, undead
<key>5 Dragon: power 10, mana 0
<you> 1 Anna-Magdalena B (you): 15 gold (+8), 1 card, bet 1 3
>2 Bob: 16 gold (+16), 3 cards, bet 3, began
 3 Cy: 0 gold, 1 card, bet 2 4 5
<dim>Spell pile 61, judge pile 7
<dim>Discarded: cure
<title>Your hand
  might: Enchant, mana 4. Power +5.""",
        ),
        (
            JUDGED,
            2,
            79,
            2,
            """\
<title>Round 1 of 3, drawing. Judge: Ferine. Decided: above 10 mana: eject
<bad>1 Goblin ejected: power 1 -> 20, mana 12 of 10, prize 10
  1.1 Energy Boost (Anna-Magdalena Bach), 1.2 Refresh (Anna-Magdalena Bach)
  1.3 Strengthen (Cy)
<key>2 Skeleton: power 3, mana 0 of 10, prize 7, undead
<good>3 Minotaur wins: power 8 -> 12, mana 4 of 10, prize 8
  3.1 Healing (Anna-Magdalena Bach), 3.2 Cause Unpopularity (Bob)
<key>4 Ghost: power 5, mana 0 of 10, prize 5, undead
<key>5 Dragon: power 10, mana 0 of 10, prize 3
 1 Anna-Magdalena 15g 1c bet 1 3 +8  <you>>2 Bob 16g 3c bet 3 +16
 3 Cy 0g 1c bet 2 4 5
<you>Your bet: 3. Hand: cure [D m0 +2]  magic_missile [D m0 -2]  might [E m4 +5]""",
        ),
        (
            JUDGED,
            1,
            39,
            4,
            """\
<title>R1/3 drawing. Ferine: Decided: above 10
  mana: eject
<bad>1 Goblin ejected 1->20 m12/10 $10 3sp
<key>2 Skeleton 3 m0/10 $7 undead
<good>3 Minotaur wins 8->12 m4/10 $8 2sp
<key>4 Ghost 5 m0/10 $5 undead
<key>5 Dragon 10 m0/10 $3
<you> 1 Anna-Magda 15g 1c bet 1 3 +8
>2 Bob 16g 3c bet 3 +16
 3 Cy 0g 1c bet 2 4 5
<you>Your bet: 1 3. Hand: might m4+5""",
        ),
        (
            JUDGED | LESTER,
            None,
            60,
            0,
            """\
<title>Round 1 of 3, discarding and drawing
<key>Judge: Lester, the show-off
  Above 15 mana: eject. Also dispels at 4 mana or less.
<key>1 Goblin: power 1, mana 0
<key>2 Skeleton: power 3, mana 0, undead
<bad>3 Minotaur, dispelled: power 8, mana 1
<key>4 Ghost: power 5, mana 0, undead
<good>5 Dragon wins: power 10, mana 0, prize 3
 1 Anna-Magdalena B: 7 gold, 1 card, bet 1 3
>2 Bob: 0 gold, 3 cards, bet 3, began
 3 Cy: 2 gold (+2), 1 card, bet 2 4 5
<dim>Spell pile 66, judge pile 7
<dim>Discarded: healing""",
        ),
        (
            JUDGED | LESTER,
            None,
            60,
            3,
            """\
<title>R1/3 drawing. Lester: Above 15: eject. Also dispels at 4
  mana or less.
<key>1 Goblin: power 1, mana 0 of 15, prize 10
<key>2 Skeleton: power 3, mana 0 of 15, prize 7, undead
<bad>3 Minotaur dispelled: power 8, mana 1 of 15, prize 4
<key>4 Ghost: power 5, mana 0 of 15, prize 5, undead
<good>5 Dragon wins: power 10, mana 0 of 15, prize 3
 1 Anna-Magdalena 7g 1c bet 1 3  >2 Bob 0g 3c bet 3
 3 Cy 2g 1c bet 2 4 5 +2""",
        ),
    ],
)
def test_a_board_is_drawn_line_by_line(
    said: dict[str, Any], seat: Seat | None, width: int, number: int, drawn: str
) -> None:
    assert board(said, seat, width, number) == drawn
