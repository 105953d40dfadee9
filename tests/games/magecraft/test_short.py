"""The table in few lines, as it is read."""

from __future__ import annotations

import pytest

from games.api import plain
from games.chance import Chance
from games.columns import columns_of
from games.magecraft.short import short_lines
from games.magecraft.views import Academy, Gems, SeatView
from tests.games.magecraft.given import CARDS, GAME

LONG = GAME.with_cards(CARDS.replace('"Storm"', '"A Storm out of the Northern Sea"'))
SET = LONG.card_set  # type: ignore[attr-defined]
NAMES = ("Annabella of York", "Ben", "Cyrill")
TABLE = """
seats = 3
turn = 1
first = 1
academy = ["bolt", "storm", "both", "dusk", "fade", "well", "pair", "third", "ward"]
[[mage]]
character = "ann"
hand = "2F 1W"
bag = "3L"
shield = "2E"
score = "1L"
discard = ""
books = ["storm* bolt", "missile cure fireball", "tricks"]
[[mage]]
character = "bob"
hand = "FW"
known = "F"
[[mage]]
character = "cid"
life = ""
score = "2W"
"""


def seen() -> SeatView:
    view = LONG.position(TABLE, Chance.of_number(1)).view(1)
    assert isinstance(view, SeatView)
    return view


@pytest.mark.parametrize(
    ("width", "detail", "drawn"),
    [
        (
            120,
            2,
            """\
Round 1, Annabella of York: spells and learning
1 Annabella of  life 12 (3F 3W 3E 3L)  score 1  shield 2E  hand 2F 1W  bag 3L  innate F attack
  1 A Storm out of the N* FW > Bolt F > Meditation + | 2 Missile F+ > Cure W > Fireball FF | 3 Tricks L+
2 Ben  life 12 (3F 3W 3E 3L)  score 0  hand 2 with 1F bag 10
  1 Meditation | 2 Missile | 3 Tricks
3 Cyrill: eliminated, score 2
Academy 12F 12W 12E 12L 8D
  Cure             W   x2 heal            Ward             E   x3 shield          Well             W   x3 2 draw
  Absorb           E+  x3 attack heal     Both             ++  x3 attack shield   A Storm out of t FW  x2 2 attack
  Fireball         FF  x2 2 attack        Dusk             +   x3 darkness        Pair             +F  x3 heal
  Bolt             F   x2 attack          Fade             L   x3 vanish          Third            L++ x3 2 heal""",
        ),
        (
            59,
            1,
            """\
Round 1, Annabella of York: spells and learning
1 Annabel life 12 score 1 shield 2E hand 2F 1W bag 3L
  innate F attack
  1 A Storm out of the N* FW > Bolt F > Meditation +
  2 Missile F+ > Cure W > Fireball FF | 3 Tricks L+
2 Ben life 12 score 0 hand 2 with 1F bag 10
  1 Meditation | 2 Missile | 3 Tricks
3 Cyrill: eliminated, score 2
Academy 12F 12W 12E 12L 8D
  Cure W 2, Absorb E+ 3, Fireball FF 2, Bolt F 2, Ward E 3
  Both ++ 3, Dusk + 3, Fade L 3, Well W 3
  A Storm out of the Northern Sea FW 2, Pair +F 3
  Third L++ 3""",
        ),
        (
            38,
            0,
            """\
Round 1, Annabella of York: spells a
1 Annabel life 12 score 1 shield 2E
  hand 2F 1W bag 3L innate F attack
  1 A Stor* FW > Bolt F > Medita +
  2 Missile F+ > Cure W > Fireball FF
  3 Tricks L+
2 Ben life 12 score 0 hand 2 bag 10
3 Cyrill: eliminated, score 2
Academy 12F 12W 12E 12L 8D
  Cure W 2, Absorb E+ 3, Fireball FF 2
  Bolt F 2, Ward E 3, Both ++ 3
  Dusk + 3, Fade L 3, Well W 3
  A Storm out of the Northern Sea FW 2
  Pair +F 3, Third L++ 3""",
        ),
    ],
)
def test_the_table_in_few_lines(width: int, detail: int, drawn: str) -> None:
    assert plain(short_lines(seen(), NAMES, width, SET, detail)) == drawn.splitlines()


def test_a_title_keeps_fourteen_letters_on_the_narrowest_screen() -> None:
    assert "  A Storm out of FW" in plain(short_lines(seen(), NAMES, 22, SET, 2))


@pytest.mark.parametrize("detail", [0, 1, 2])
def test_no_line_is_wider_than_the_screen(detail: int) -> None:
    for width in range(22, 130):
        assert max(map(columns_of, plain(short_lines(seen(), NAMES, width, SET, detail)))) <= width


@pytest.mark.parametrize("detail", [0, 2])
def test_of_an_academy_that_is_sold_out_its_gems_are_left(detail: int) -> None:
    view = seen()
    bare = SeatView(view.progress, view.you, view.others, Academy(Gems(), ()))
    assert plain(short_lines(bare, NAMES, 60, SET, detail))[-2:] == ["3 Cyrill: eliminated, score 2", "Academy no gems"]
