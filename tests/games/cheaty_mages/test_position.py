"""A position as a person describes it: what is said holds, the rest is dealt, what cannot be is refused."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.api import PositionRefused
from games.chance import Chance
from games.cheaty_mages.described import DescribedPosition, DescribedSpell
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.views import HiddenSpell, Known, LimitKnown, OpenSpell
from games.registry import get_game
from games.testing.exam import check_redeal
from tests.games.cheaty_mages.given import discards, hand, nobody_discards, row, why, you

EDITIONS = ("ikasamage", "cheaty-mages")
EXAMPLES = sorted((Path(__file__).parent / "positions").glob("*.toml"))


def position(edition: str = "ikasamage", number: int = 1, **said: Any) -> ArenaState:
    match = get_game(edition).build_position(said, Chance.of_number(number))
    assert isinstance(match, ArenaState)
    return match


def example(name: str, edition: str = "ikasamage", number: int = 1) -> ArenaState:
    text = (Path(__file__).parent / "positions" / f"{name}.toml").read_text(encoding="utf-8")
    match = get_game(edition).build_position(text, Chance.of_number(number))
    assert isinstance(match, ArenaState)
    return match


def every_card(match: ArenaState) -> Counter[int]:
    rows = [lying.card for spells in match.rows for lying in spells]
    held = [card for cards in match.hands for card in cards]
    return Counter([*match.pile, *match.discard, *held, *rows, *(one.card for one in match.enduring)])


def test_what_is_said_holds() -> None:
    match = example("casting")
    assert (match.seats, match.round, match.phase, match.starter, match.turn) == (3, 2, "cast", 3, 1)
    assert sorted(hand(match, 1)) == ["alteration", "dispel_magic", "fireball", "shrink"]
    assert [len(held) for held in match.hands[1:]] == [4, 3, 4]
    assert (match.bets[1:3], match.money[1:], match.passed[1:]) == ([(1, 3), (5,)], [4, 10, 10], [False, True, False])
    assert discards(match) == ["recall", "blizzard"]
    assert (row(match, 1), row(match, 3), row(match, 5)) == (
        ["might", "cripple"],
        ["paralyze", "healing"],
        ["reflection"],
    )
    assert you(match, 1).knows[-1] == Known(1, 2, "cripple")
    table = match.view(1).table
    assert isinstance(table.fighters[0].spells[1], HiddenSpell)
    assert table.fighters[2].spells[1] == OpenSpell("healing", 1, False)
    assert (table.judge.name, table.judges_gone) == ("zapp", ("tad",))
    assert [fighter.name for fighter in table.fighters] == ["goblin", "orc", "skeleton", "ghost", "dragon"]
    assert why(match, 1, "cast fireball 5") == "protected"


def test_what_is_not_said_is_dealt() -> None:
    one, two, three = example("casting"), example("casting"), example("casting", number=2)
    assert one == two
    assert one != three
    assert one.hands[2] != three.hands[2]
    assert {len(example("casting", number=number).bets[3]) for number in range(20)} == {1, 2, 3}
    empty = [position(number=number) for number in range(20)]
    assert len({match.judge for match in empty}) > 3
    assert {match.starter for match in empty} == {1, 2, 3}
    assert {len(held) for match in empty for held in match.hands[1:]} == {8}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_a_whole_deck_that_can_be_played_on(path: Path, edition: str) -> None:
    game = get_game(edition)
    chance = Chance.of_number(1)
    match = game.build_position(path.read_text(encoding="utf-8"), chance.fork("position"))
    while movers := match.to_move():
        assert isinstance(match, ArenaState)
        assert every_card(match) == Counter(range(72))
        observer = chance.choice("observer", [None, *range(1, match.seats + 1)])
        check_redeal(game, match, observer, chance.fork("redeal"), path.stem)
        seat = min(movers)
        match.apply(seat, chance.choice("action", match.legal_actions(seat)))
    assert match.outcome() is not None


def test_a_judged_arena_is_described_as_it_was_at_the_last_pass() -> None:
    match = example("drawing")
    assert (match.phase, match.turn, match.money[1:]) == ("redraw", 4, [0, 4, 0, 0])
    (result,) = match.view(None).table.result
    assert (result.limit, result.winner, result.prize) == (LimitKnown(5, "dispel"), 1, 4)
    assert [one.verdict for one in result.fighters] == ["none", "dispel", "dispel", "none", "none"]
    assert row(match, 5) == ["cripple", "fireball"]
    last = position(phase="judged", round=3, judge="tad")
    assert last.phase == "over"
    assert last.outcome() is not None


def test_somebody_has_to_discard() -> None:
    match = example("forced_discard")
    assert (match.phase, match.to_move(), match.turn) == ("forget", frozenset({6}), 2)
    assert len(match.legal_actions(6)) == 2


def test_who_has_not_bet_yet_has_no_bet() -> None:
    match = example("betting")
    assert match.phase == "bet"
    assert [len(bet) for bet in match.bets[1:]] == [3, 0, 1, len(match.bets[4])]
    assert match.bets[4]
    assert match.turn == 2


def test_a_slipped_in_card_is_struck_and_a_paid_one_is_marked() -> None:
    match = example("foul_play", "cheaty-mages")
    assert (match.options.foul_play, match.options.illegal_plays) == (True, "discard")
    refresh, growth = match.rows[0]
    meteor, haste = match.rows[3]
    assert not refresh.lawful >> match.deck.kind_of[refresh.card] & 1
    assert growth.lawful >> match.deck.kind_of[growth.card] & 1
    assert meteor.marked
    assert haste.knowers == 1 << 5 | 1 << 2 | 1 << 3
    assert match.view(None).table.players[1].hides_directs
    assert match.view(None).table.players[1].enduring == (OpenSpell("prismatic_ray", 2, False),)
    first = example("foul_play")
    assert first.hides_directs == 1 << 2
    assert discards(first) == ["prismatic_ray"]


def test_a_duplicate_doubles_the_spell_in_the_place_it_names() -> None:
    match = position("cheaty-mages", spells={2: ["cure", {"card": "duplicate", "on": 1}]})
    assert match.rows[1][1].doubles == match.rows[1][0].card
    assert match.open_fighters == 0b111110


def test_the_spell_pile_can_be_small_and_the_rest_is_discarded() -> None:
    match = position(spell_pile=["recall", "might"], spell_pile_size=2)
    assert [match.deck.name_of[card] for card in match.pile] == ["might", "recall"]
    assert len(match.discard) == 72 - 2 - 24
    judged = position(spell_pile_size=0, judge="tad", phase="judged", hands={1: ["cure"], 2: 30, 3: 41})
    assert judged.discard == []
    nobody_discards(judged)
    assert len(judged.hands[1]) == 1


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("round = 4", r"<= 3.*\$\.round"),
        ("colour = 1", "unknown field `colour`"),
        ("round = ", "Invalid value"),
        ('phase = "dance"', r"\$\.phase"),
        ("seats = 2", "seats: .* 3 to 6 players"),
        ("seats = 7", "seats: "),
        ("seats = 3\nturn = 4", "turn: there is no seat 4 among 3"),
        ("seats = 3\n[hands]\n5 = 2", "hands: there is no seat 5"),
        ("passed = [-1]", "passed: there is no seat -1"),
        ("[options]\nmoon = 1", "options: .*no option 'moon'"),
        ('judge = "judy"', "judge: there is no 'judy'"),
        ('judge = "tad"\njudges_gone = ["tad"]', "judges_gone: tad is said twice"),
        ('fighters = ["goblin"]', "fighters: 5 stand in the arena, not 1"),
        ('fighter_pile = ["orc", "orc"]', "fighter_pile: orc is said twice"),
        ('discard = ["joker"]', "discard: there is no spell 'joker'"),
        ('[hands]\n1 = ["shrink"]\n2 = ["shrink"]', "hands.2: no shrink is left; the deck has 1"),
        ("[hands]\n1 = 70\n2 = 3", "hands.2: only 2 cards are left"),
        ("[money]\n1 = -1", r">= 0.*\$\.money"),
        ("[bets]\n1 = [1, 1]", "bets.1: a bet is on one, two or three different"),
        ("[bets]\n1 = []", "bets.1: "),
        ('phase = "bet"\nstarter = 1\nturn = 2\n[bets]\n3 = [1]', "bets.3: seat 3 has not bet yet"),
        ('phase = "bet"\npassed = [1]', "passed: in phase bet"),
        ('phase = "bet"\n[spells]\n1 = ["might"]', "spells: nothing has been cast"),
        ("passed = [1, 2, 3]", "passed: when all have passed"),
        ("turn = 2\npassed = [2]", "turn: seat 2 has passed"),
        ("turn = 2\n[hands]\n2 = 0", "turn: seat 2 has passed or holds no card"),
        ("[hands]\n1 = 0\n2 = 0\n3 = 0", "hands: a player who has not passed"),
        ("forgetting = 1", "forgetting: only in phase forget does a player have to discard"),
        ('phase = "forget"\nforgetting = 1\n[hands]\n1 = 0', "forgetting: it takes a seat that holds a card"),
        ('phase = "forget"\nturn = 1\npassed = [1]', "turn: seat 1 has passed"),
        ('phase = "judged"\nround = 3\njudge = "tad"\nturn = 1', "turn: after the last round"),
        ('[spells]\n6 = ["might"]', "spells.6: the fighters are 1 to 5"),
        ('[spells]\n1 = ["recall"]', "spells.1.1: recall does not lie face up"),
        (
            '[spells]\n1 = ["cure", { card = "fireball", face_down = true }]',
            "spells.1.2: fireball cannot have been laid",
        ),
        ('[spells]\n1 = [{ card = "might", face_down = false }]', "spells.1.1: might does not lie face up"),
        ('[spells]\n1 = [{ card = "cure", known_to = [1] }]', "spells.1.1.known_to: a spell that lies face up"),
        ('[spells]\n1 = [{ card = "might", by = 9 }]', "spells.1.1.by: there is no seat 9"),
        ('[spells]\n1 = [{ card = "might", paid = true }]', "spells.1.1.paid: foul play is for round 3"),
        ('[spells]\n1 = ["cure", { card = "might", on = 1 }]', "spells.1.2: a spell that lies on a spell"),
        ('lasting = ["recall"]', "lasting.1: the effect of recall does not last"),
        ("spell_pile_size = 60", "spell_pile_size: between 0 and 48"),
        (
            'judges_gone = ["adoth", "tad", "ferine", "zapp", "lawty", "orlair", "lester", "morla"]',
            "judge_pile: one of",
        ),
        ('fighter_pile = ["orc", "ghost", "goblin", "demon", "dragon", "minotaur"]', "fighter_pile: 5 of"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(said: str, says: str) -> None:
    with pytest.raises(PositionRefused, match=says):
        get_game("ikasamage").build_position(said, Chance.of_number(1))


@pytest.mark.parametrize(
    ("spells", "says"),
    [
        ({1: ["duplicate"]}, "spells.1.1: a spell that lies on a spell"),
        ({1: [{"card": "duplicate", "on": 1}]}, "spells.1.1.on: it takes the place of another spell"),
        ({1: ["cure", {"card": "duplicate", "on": 3}]}, "spells.1.2.on"),
    ],
)
def test_a_duplicate_lies_on_another_spell(spells: dict[int, list[Any]], says: str) -> None:
    with pytest.raises(PositionRefused, match=says):
        position("cheaty-mages", spells=spells)


FOUL: dict[str, Any] = {"round": 3, "options": {"foul_play": True}}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("card", "judge", "gone", "lies"),
    [
        ("might", "lawty", ["tad", "zapp"], None),
        ("strengthen", "adoth", ["tad", "zapp"], None),
        ("cause_unpopularity", "lawty", ["tad", "zapp"], None),
        ("giant_growth", "orlair", ["tad", "zapp"], None),
        ("giant_growth", "orlair", ["zapp", "adoth"], None),
        ("cure", "zapp", [], False),
        ("reflection", "orlair", [], False),
    ],
)
def test_nothing_was_paid_for_what_no_judge_of_the_round_refused(
    edition: str, card: str, judge: str, gone: list[str], lies: bool | None
) -> None:
    """Rule 10.3."""
    spells = {2: [{"card": card, "by": 1, "paid": True, "face_down": lies}]}
    with pytest.raises(PositionRefused, match=rf"spells\.2\.1\.paid: no judge of this round.* refuses {card}"):
        position(edition, judge=judge, judges_gone=gone, spells=spells, **FOUL)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("judge", "gone"),
    [("zapp", []), ("lawty", ["tad", "lester", "zapp"]), ("lawty", ["tad", "lester", "zapp", "orlair"])],
)
def test_what_was_paid_for_could_be_what_a_judge_of_the_round_refused(
    edition: str, judge: str, gone: list[str]
) -> None:
    """Rules 4.9, 10.3."""
    spells = {2: [{"card": "giant_growth", "by": 1, "paid": True}]}
    lasting = [{"card": "invisibility", "by": 1}]
    match = position(edition, judge=judge, judges_gone=gone, spells=spells, lasting=lasting, **FOUL)
    (growth,) = match.rows[1]
    forbidden = {kind for name, kind in match.deck.number.items() if name in ("giant_growth", "shrink")}
    assert growth.possible == growth.lawful == sum(1 << kind for kind in forbidden)
    check_redeal(get_game(edition), match, 2, Chance.of_number(1), "paid")


def test_what_lies_on_a_judge_is_paid_for_under_that_judge() -> None:
    """Rule C6.2."""
    paid = [{"card": "confusion", "by": 1, "paid": True}]
    assert position("cheaty-mages", judge="morla", lasting=paid, **FOUL).no_judgement
    with pytest.raises(PositionRefused, match=r"lasting\.1\.paid: no judge"):
        position("cheaty-mages", judge="lawty", judges_gone=["tad", "zapp", "morla"], lasting=paid, **FOUL)


RAY: dict[str, Any] = {"lasting": [{"card": "prismatic_ray", "by": 1}]}


@pytest.mark.parametrize(
    ("edition", "said"),
    [
        ("ikasamage", {"judge": "lawty", **RAY}),
        ("ikasamage", {"judge": "orlair", "judges_gone": ["lawty"], **RAY}),
        ("ikasamage", {"judge": "orlair", "judges_gone": ["tad", "adoth", "lawty"], "round": 2, **RAY}),
        ("ikasamage", {"judge": "orlair", **RAY}),
        ("cheaty-mages", {"judge": "orlair", "judges_gone": ["lawty"], **RAY}),
        ("cheaty-mages", {"judge": "lawty", "discard": ["prismatic_ray", "dispel_magic"]}),
        ("cheaty-mages", {"judge": "orlair", "judges_gone": ["lawty"], "discard": ["prismatic_ray", "dispel_magic"]}),
        ("cheaty-mages", {"judge": "orlair", "discard": ["prismatic_ray", "invisibility"]}),
    ],
)
def test_a_direct_spell_was_laid_face_down_under_an_earlier_judge_or_a_ray_that_has_gone(
    edition: str, said: dict[str, Any]
) -> None:
    """Rules 4.9, 5.9, C3.6."""
    match = position(edition, spells={2: [{"card": "fireball", "by": 1, "face_down": True}]}, **said)
    (fireball,) = match.rows[1]
    directs = match.deck.directs
    assert fireball.possible == fireball.lawful
    assert fireball.possible & directs == directs
    assert fireball.possible & match.deck.hiding == match.deck.hiding
    check_redeal(get_game(edition), match, 2, Chance.of_number(1), "ray")


def test_a_judge_before_leaves_what_could_be_laid_under_that_judge() -> None:
    """Rules 4.9, 5.9."""
    spells = {2: [{"card": "fireball", "by": 1, "face_down": True}]}
    match = position(judge="orlair", judges_gone=["tad", "zapp"], round=2, spells=spells, **RAY)
    assert match.rows[1][0].possible & 1 << match.deck.number["refresh"] == 0


@pytest.mark.parametrize(
    ("edition", "said"),
    [
        ("ikasamage", {"discard": ["prismatic_ray"]}),
        ("ikasamage", {"judges_gone": ["lawty"]}),
        ("cheaty-mages", {"judges_gone": ["lawty"], "discard": ["dispel_magic"]}),
        ("cheaty-mages", {"lasting": [{"card": "prismatic_ray", "by": 2}]}),
    ],
)
def test_without_any_ray_no_direct_spell_was_laid_face_down(edition: str, said: dict[str, Any]) -> None:
    """Rules 5.9, C3.6."""
    spells = {2: [{"card": "fireball", "by": 1, "face_down": True}]}
    with pytest.raises(PositionRefused, match=r"spells\.2\.1: fireball cannot have been laid face down"):
        position(edition, judge="tad", spells=spells, **said)


def test_a_round_that_all_fighters_lost_is_looked_at_where_cards_are_drawn_after_it() -> None:
    said: dict[str, Any] = {"judge": "orlair", "phase": "judged"}
    said["spells"] = {
        1: ["giant_growth", "haste"],
        2: ["shrink", "haste"],
        3: ["paralyze", "slow"],
        4: ["power_awakening", "slow"],
        5: ["mana_boost", "mana_boost", "might"],
    }
    with pytest.raises(PositionRefused, match="phase: with every fighter ejected the next round begins at once"):
        position(**said)
    match = position("cheaty-mages", **said)
    assert match.phase == "redraw"
    assert match.view(None).table.result[0].winner == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_example_on_the_rules_page_is_a_position(edition: str) -> None:
    page = get_game("ikasamage").rules.read_text(encoding="utf-8")
    match = get_game(edition).build_position(page.split("```toml\n")[1].split("```")[0], Chance.of_number(1))
    assert isinstance(match, ArenaState)
    assert (match.phase, match.turn, row(match, 1)) == ("cast", 1, ["might", "cripple"])


def test_every_key_is_on_the_rules_page() -> None:
    page = get_game("ikasamage").rules.read_text(encoding="utf-8")
    for key in [*DescribedPosition.__struct_fields__, *DescribedSpell.__struct_fields__]:
        assert f"`{key}`" in page or f"`[{key}]`" in page, key
