"""A card file's figures: the least and the most of each is taken, and one beyond is refused in so many words."""

from __future__ import annotations

import pytest

from games.api import CardsRefused
from games.chance import Chance
from games.cheaty_mages.editions import read_edition
from games.cheaty_mages.game import IKASAMAGE
from games.cheaty_mages.moves import Bet
from tests.games.cheaty_mages.owned import FEW, TEXT, TINY, changed


def own(*changes: tuple[str, str], more: str = "") -> str:
    """The tiny arena (two seats, two fighters, three spells) with these changes, and more cards at its end."""
    return changed(TINY, *changes) + more


def spells(*counts: int) -> str:
    """Kinds of spells, of each so many cards."""
    row = '[[spell]]\nname = "s{0}"\ntitle = "S{0}"\nkind = "direct"\ncount = {1}\ntext = "-"\n'
    return "".join(row.format(number, count) for number, count in enumerate(counts))


def support(name: str, target: str, count: int, more: str = "") -> str:
    """A Support spell, of so many cards."""
    row = f'[[spell]]\nname = "{name}"\ntitle = "{name}"\nkind = "support"\ntext = "-"\n'
    return f'{row}count = {count}\ntarget = "{target}"\n{more}\n'


def fighters(count: int) -> str:
    """So many fighters, none of the power of another."""
    row = '[[fighter]]\nname = "f{0}"\ntitle = "F{0}"\npower = {1}\nprize = 1\n'
    return "".join(row.format(number, 20 + number) for number in range(count))


def judges(count: int) -> str:
    """So many judges, of whom nobody has a judgement."""
    return "".join(f'[[judge]]\nname = "j{number}"\ntitle = "J{number}"\n' for number in range(count))


def seats(dealt: str, others: str) -> tuple[tuple[str, str], ...]:
    """The hands for other numbers of seats, as changes."""
    return (
        ("dealt = { 2 = 1 }", f"dealt = {{ {dealt} }}"),
        ("drawn = { 2 = 0 }", f"drawn = {{ {others} }}"),
        ("limit = { 2 = 1 }", f"limit = {{ {others} }}"),
    )


def refusal(text: str, edition: str = "ikasamage") -> str:
    with pytest.raises(CardsRefused) as refused:
        read_edition(text, edition)
    return str(refused.value)


FIVE = fighters(3)
FOR_FIVE = ("fighters = 2", "fighters = 5")


@pytest.mark.parametrize(
    ("says", "text", "before", "after", "least", "most"),
    [
        ("spell 'fireball': count is 0 to 20", TINY, "count = 1\nmana = 1", "count = {}\nmana = 1", 0, 20),
        ("spell 'fireball': mana is -20 to 20", TINY, "mana = 1", "mana = {}", -20, 20),
        ("spell 'fireball': power is -20 to 20", TINY, "power = -4", "power = {}", -20, 20),
        ("spell 'fireball': prize_times is 1 to 4", TINY, "power = -4", "prize_times = {}", 1, 4),
        ("fighter 'goblin': power is 0 to 50", TINY, "power = 1\n", "power = {}\n", 0, 50),
        ("fighter 'goblin': prize is 0 to 50", TINY, "prize = 10", "prize = {}", 0, 50),
        ("judge 'lawty': a limit is 0 to 99", TINY, "limit = 4,", "limit = {},", 0, 99),
        ("judge 'lawty': dispels_up_to is -99 to 99", TINY, "judgement =", "dispels_up_to = {}\njudgement =", -99, 99),
        ("[house]: starting_money is 0 to 99", TINY, "starting_money = 0", "starting_money = {}", 0, 99),
        ("[house]: rounds are 1 to 9", TINY, "rounds = 1", "rounds = {}", 1, 9),
        ("[house]: fighters are 2 to 5", own(more=FIVE), "fighters = 2", "fighters = {}", 2, 5),
        ("[house]: bets are 1 to 3", own(FOR_FIVE, more=FIVE), "bets = 2", "bets = {}", 1, 3),
        ("[house]: bets are 1 to 2", TINY, "bets = 2", "bets = {}", 1, 2),
        ("[hands]: dealt is 1 to 12", own(more=spells(20, 20)), "{ 2 = 1 }", "{ 2 = {} }", 1, 12),
        ("[hands]: drawn and limit are 0 to 12", TINY, "{ 2 = 0 }", "{ 2 = {} }", 0, 12),
        ("[hands]: drawn and limit are 0 to 12", TINY, "limit = { 2 = 1 }", "limit = { 2 = {} }", 0, 12),
    ],
    ids=lambda value: value if str(value).startswith(("spell '", "fighter '", "judge '", "[h")) else "",
)
def test_a_figure_may_be_as_small_and_as_large_as_is_said(
    says: str, text: str, before: str, after: str, least: int, most: int
) -> None:
    def with_figure(figure: int) -> str:
        return changed(text, (before, after.replace("{}", str(figure))))

    for figure in (least, most):
        read_edition(with_figure(figure), "ikasamage")
    for figure in (least - 1, most + 1):
        assert refusal(with_figure(figure)).endswith(f", {says}.")


DRAWS = ("draws_after_no_winner = false", "draws_after_no_winner = true")
FREE = (("mana = 1", "mana = 0"), ("mana = 4", "mana = 0"), ("mana = 4", "mana = 0"))
RICH = ("prize = 10", "prize = 50")  # a single bet on it gets 100
ONE_SPELL_LESS = ("count = 1", "count = 0")


@pytest.mark.parametrize(
    ("says", "right", "wrong"),
    [
        ("up to 31 lower-case", own(('"fireball"', f'"{"f" * 31}"')), own(('"fireball"', f'"{"f" * 32}"'))),
        ("a letter first", own(('"fireball"', '"f_1"')), own(('"fireball"', '"1_f"'))),
        ("1 to 40 characters", own(('"Fireball"', f'"{"F" * 40}"')), own(('"Fireball"', f'"{"F" * 41}"'))),
        ("1 to 200 characters", own(('"Power -4."', f'"{"P" * 200}"')), own(('"Power -4."', f'"{"P" * 201}"'))),
        ("1 to 50 kinds of spells", own(more=spells(*[1] * 47)), own(more=spells(*[1] * 48))),
        ("1 to 50 kinds of spells", own(("count = 1", "count = 2"), *[ONE_SPELL_LESS] * 2), own(*[ONE_SPELL_LESS] * 3)),
        ("at most 100 spell cards", own(more=spells(20, 20, 20, 20, 17)), own(more=spells(20, 20, 20, 20, 18))),
        ("there are 2 to 20 fighters", own(more=fighters(18)), own(more=fighters(19))),
        ("there are 3 to 20 fighters", own(more=FIVE), own(("fighters = 2", "fighters = 3"))),
        ("there are 1 to 20 judges", own(more=judges(19)), own(more=judges(20))),
        ("there are 1 to 20 judges", TINY, TINY.partition("[[judge]]")[0]),
        ("from 2 or more to 6 or fewer", own(*seats("2=1,3=1,4=1,5=1,6=1", "2=1,3=1,4=1,5=1,6=1"), more=spells(20)),
         own(*seats("2=1,3=1,4=1,5=1,6=1,7=1", "2=1,3=1,4=1,5=1,6=1,7=1"), more=spells(20))),
        ("the numbers of seats go one by one", TINY, own(*seats("1=1, 2=1", "1=1, 2=1"))),
        ("the numbers of seats go one by one", TINY, own(*seats("2=1, 4=1", "2=1, 4=1"), more=spells(20))),
        ("for the same numbers of seats", TINY, own(*seats("2=1", "2=1, 3=1"))),
        ("3 seats are dealt more spell cards than there are", own(*seats("2=1, 3=1", "2=1, 3=1")),
         own(*seats("2=1, 3=2", "2=1, 3=1"))),
        ("a player could get more than 999 gold", own(RICH, ("rounds = 1", "rounds = 9"), ("money = 0", "money = 99")),
         own(RICH, ("rounds = 1", "rounds = 5"), ("power = -4", "prize_times = 2"))),
        ("more than 2 other cards", own(more=support("recall", "none", 2)),
         own(ONE_SPELL_LESS, more=support("recall", "none", 2))),
        ("several recall could be drawn for ever", own(ONE_SPELL_LESS, more=support("recall", "none", 1)),
         own(("limit = { 2 = 1 }", "limit = { 2 = 2 }"), more=support("recall", "none", 2))),
        ("with fewer than 10 a match might never end", own(DRAWS, FOR_FIVE, more=FIVE),  # two cards on each of five
         own(DRAWS, ("fighters = 2", "fighters = 3"), ("limit = 4", "limit = 8"), more=FIVE)),
        ("8 cards eject every fighter", own(DRAWS, *FREE),  # without mana there is no way to do it
         own(DRAWS, *FREE, ("mana = 0", "mana = 1"), ("limit = 4", "limit = 3"))),
        ("2 cards eject every fighter", own(DRAWS, ('"eject"', '"dispel"')), own(DRAWS, ("limit = 4", "limit = 3"))),
        ("two cards have one name", own(more=judges(1)), own(more=judges(1).replace("j0", "might"))),
        ("two cards have one title", own(more=judges(1)), own(more=judges(1).replace("J0", "GOBLIN"))),
        ("refuses names one kind twice", own(more='refuses = ["direct", "enchant"]'),
         own(more='refuses = ["direct", "direct"]')),
        ("a Support spell has no numbers", own(more=support("recall", "none", 1)),
         own(more=support("recall", "none", 1, "prize_times = 2"))),
        ("a Support spell has no numbers", TINY, own(more=support("recall", "none", 1, "mana = 1"))),
        ("a Support spell has no numbers", TINY, own(more=support("recall", "none", 1, "power = 1"))),
        ("its target is 'none'", TINY, own(more=support("recall", "player", 1))),
        ("enduring is '' or 'judge'", own(more=support("confusion", "none", 1, 'enduring = "judge"')),
         own(more=support("confusion", "none", 1, 'enduring = "player"'))),
        ("enduring is '' or 'player'", own(more=support("invisibility", "none", 1, 'enduring = "player"')),
         own(more=support("invisibility", "none", 1, 'enduring = "judge"'))),
        ("enduring is 'spell'", own(more=support("duplicate", "spell", 2, 'enduring = "spell"')),
         own(more=support("duplicate", "spell", 2))),
        ("so there can be one only", own(more=support("confusion", "none", 2)),
         own(more=support("confusion", "none", 2, 'enduring = "judge"'))),
        ("is for spells at a fighter", own(more=support("metamorphosis", "fighter", 1, "through_reflection = true")),
         own(more=support("recall", "none", 1, "through_reflection = true"))),
    ],
    ids=lambda value: value if value.isprintable() else "",
)  # fmt: skip
def test_a_file_is_read_up_to_a_bound_and_refused_beyond_it(says: str, right: str, wrong: str) -> None:
    read_edition(right, "ikasamage")
    assert says in refusal(wrong)


@pytest.mark.parametrize(
    ("place", "before", "after", "says"),
    [
        ("[haus]", "[house]", "[haus]", "there is no such section"),
        ("[house]", "rounds = 3", "round = 3", "there is no figure 'round'"),
        ("[hands]", "dealt = {", "given = {", "Object contains unknown field `given`"),
        ("[hands]", "[hands]", "[hands]\nlimits = 1", "Object contains unknown field `limits`"),
        ("[edition.other]", "[edition.ikasamage]", "[edition.other]", "the editions are ikasamage and cheaty-mages"),
        ("[edition.ikasamage]", "starting_money = 0", "starting_money = true", "starting_money is a whole number"),
        ("[edition.ikasamage]", "[edition.ikasamage]", "[edition.ikasamage]\nspells = 2", "spells is a table"),
        ("[edition.cheaty-mages.spells.dupe]", "spells.duplicate]", "spells.dupe]", "it changes a spell 'dupe'"),
        ("[edition.cheaty-mages]", "starting_money = 2", "starting_money = 2.0", "starting_money is a whole number"),
    ],
)
def test_a_refusal_names_the_line_and_the_section(place: str, before: str, after: str, says: str) -> None:
    text = changed(TEXT, (before, after))
    line = text[: text.index(place)].count("\n") + 1
    assert refusal(text).startswith(f"line {line}, {place}: {says}")


@pytest.mark.parametrize("where", ["edition", "house"])
def test_a_section_that_is_a_number_is_refused_by_its_name(where: str) -> None:
    assert refusal(f"{where} = 1").startswith(f"line 1, [{where}]: {where} is a table")


def test_a_file_that_says_nothing_of_the_house_has_the_printed_one() -> None:
    house = read_edition(changed(TEXT, ("rounds = 3\nfighters = 5\nbets = 3\n", "")), "ikasamage").house
    assert (house.rounds, house.fighters, house.bets) == (3, 5, 3)


@pytest.mark.parametrize(
    ("bets", "wrong", "says"),
    [
        (1, (1, 2), "Bet on one fighter of 1 to 3."),
        (2, (1, 2, 3), "Bet on one or two different fighters of 1 to 3."),
        (3, (1, 2, 4), "Bet on one, two or three different fighters of 1 to 3."),
    ],
)
def test_a_bet_too_large_is_refused_by_the_house_of_the_file(bets: int, wrong: tuple[int, ...], says: str) -> None:
    own = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", f"bets = {bets}")))
    match, _told = own.start(2, own.options_type(), Chance.of_number(1))
    (seat,) = match.to_move()
    refusal = match.refusal(seat, Bet(wrong))
    assert refusal is not None
    assert refusal.text == says
    assert max(len(action.on) for action in match.legal_actions(seat) if isinstance(action, Bet)) == bets


@pytest.mark.parametrize(
    ("bets", "helps", "asks"),
    [
        (1, "bet 2                      place a betting card", "a fighter, for example: bet 2"),
        (2, "bet 1 2                    place one or two betting cards", "one or two fighters, for example: bet 1 2"),
        (
            3,  # of three fighters
            "bet 2 5                    place one, two or three betting cards",
            "one, two or three fighters, for example: bet 1 3",
        ),
    ],
)
def test_people_read_how_many_bets_the_house_of_the_file_takes(bets: int, helps: str, asks: str) -> None:
    own = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", f"bets = {bets}")))
    match, _told = own.start(2, own.options_type(), Chance.of_number(1))
    (seat,) = match.to_move()
    assert own.words.help.startswith(f"{helps}\ncast ")
    assert own.words.ask(match.view(seat), match.legal_actions(seat)) == f"Place your bet on {asks}"


def test_a_file_s_figures_of_an_edition_are_for_that_edition() -> None:
    richer = changed(TEXT, ("[edition.ikasamage]\nstarting_money = 0", "[edition.ikasamage]\nstarting_money = 7"))
    assert [read_edition(richer, name).starting_money for name in ("ikasamage", "cheaty-mages")] == [7, 2]
