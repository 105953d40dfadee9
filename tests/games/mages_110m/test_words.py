"""110 Metres Mages: what people type and read, and the track as it is drawn."""

import pytest

from games.api import Unreadable, plain_lines
from games.mages_110m import GAMES
from games.mages_110m.events import Drew, Moved
from games.mages_110m.moves import Cast, Drop, Trade
from tests.games.mages_110m.given import GAME, cast, do, given, lay, mage

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def test_prefixes_and_places_stand_for_cards() -> None:
    state = given("hop kick glow")
    view, legal = state.view(1), state.legal_actions(1)
    for typed in ("cast kick", "cas k", "cast ki", "cast 2", "CAST KICK"):
        assert GAME.words.parse_actions(typed, view, legal) == [Cast("kick")]
    with pytest.raises(Unreadable, match="cast, counter"):
        GAME.words.parse_actions("c k", view, legal)
    with pytest.raises(Unreadable):
        GAME.words.parse_actions("counter no 2", view, legal)


def test_a_deed_and_its_price_fit_in_one_line() -> None:
    state = given("hop kick glow")
    read = GAME.words.parse_actions("trade rese 1 glow", state.view(1), state.legal_actions(1))
    assert read == [Trade("reserve"), Drop("hop"), Drop("glow")]


def test_the_only_target_need_not_be_typed() -> None:
    two = given("trip", "")
    assert GAME.words.parse_actions("cast trip", two.view(1), two.legal_actions(1)) == [Cast("trip", 2)]
    three = given("trip", "", "")
    with pytest.raises(Unreadable, match="2 or 3"):
        GAME.words.parse_actions("cast trip", three.view(1), three.legal_actions(1))


ACTIONS = "cast, trade, gamble, pass, drop, aim, pay, fizzle, let, counter"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", f"Type one of: {ACTIONS}."),
        ("fly", f"There is no action 'fly'; there are: {ACTIONS}."),
        ("x" * 25, f"There is no action '{'x' * 20}'; there are: {ACTIONS}."),
        ("c kick", "'c' may be cast, counter."),
        ("cast", "cast needs a word after it; see: help."),
        ("aim", "aim needs a word after it; see: help."),
        ("cast xyz", "There is no card 'xyz'."),
        ("cast h", "'h' may be hop, hum."),  # of the hand
        ("cast g", "'g' may be glow, grow."),  # of the deck
        ("cast 0", "There is no card '0'."),
        ("cast 5", "There is no card '5'."),
        ("cast trip x", "'x' is not a seat number."),
        ("cast trip 100", "'100' is not a seat number."),
        ("aim ²", "'²' is not a seat number."),
        ("cast trip", "trip is aimed at a seat: 2 or 3."),
        ("cast trip 2 3", "Too many words; the form is: cast CARD SEAT."),
        ("pass now", "Too many words; the form is: pass."),
        ("aim 2 3", "Too many words; the form is: aim SEAT."),
        ("trade x", "There is no deed 'x'; there are: arm, leg, step, clear, rest, reserve."),
        ("trade re", "'re' may be rest, reserve."),
        ("trade arm 1 2 3", "Too many words; the form is: trade DEED A B."),
        ("counter no 2", "Too many words; the form is: counter CARD."),
        ("drop zz", "There is no card 'zz'."),
    ],
)
def test_what_is_no_action_is_answered_with_a_sentence(line: str, answer: str) -> None:
    state = given("hop kick trip hum", "", "")
    with pytest.raises(Unreadable) as refused:
        GAME.words.parse_actions(line, state.view(1), state.legal_actions(1))
    assert str(refused.value) == answer


def test_the_end_names_the_mage_that_crossed_the_line() -> None:
    assert GAME.words.ending_sentence("line", ["Ada"], 110) == "Ada crossed the line."
    assert GAME.words.ending_sentence("called_off", ["Ada"], 70) == (
        "The race was called off; the win goes to Ada, in front with 70 metres."
    )


def test_help_names_every_word() -> None:
    for word in ("cast", "trade", "gamble", "pass", "drop", "aim", "pay", "fizzle", "let", "counter"):
        assert word in GAME.words.help_text


def test_the_whole_board_lists_the_discard_pile() -> None:
    """Rule 10.1."""
    state = given("hop", discard="kick glow kick")
    for seen_by in (2, None):
        text = "\n".join(plain_lines(GAME.words.render_board(state.view(seen_by), NAMES, 80)))
        assert "\nDiscarded: Kick x2; Glow" in text


@pytest.mark.parametrize("width", [40, 80])
def test_the_lanes_show_the_race(width: int) -> None:
    state = given("hop", "", square=5)
    mage(state, 1).hurdles = 1 << 5 | 1 << 8
    lines = plain_lines(GAME.words.render_board(state.view(1), NAMES, width))
    assert all(len(line) <= width for line in lines)
    first = next(line for line in lines if line[1:].startswith("1 Ann"))
    second = next(line for line in lines if line[1:].startswith("2 Bob"))
    assert (first[0], second[0]) == (">", " ")  # seat 1 has to decide
    assert first.index("@") > second.index("@")
    assert first.count("#") == 2
    assert second.count("#") == 10
    assert len(first) == len(second)
    assert first.index("#") > first.index("@")


def test_a_mage_is_shown_once_wherever_it_is() -> None:
    state, squares = given("hop", ""), 11  # of the test's deck
    for square in range(1, squares + 2):
        mage(state, 1).square = square
        mage(state, 1).invalidate_view()
        (lane,) = [
            line
            for line in plain_lines(GAME.words.render_board(state.view(2), NAMES, 80))
            if line[1:].startswith("1 Ann")
        ]
        assert lane.count("@") == 1
        assert ("|@" in lane) == (square > squares)


def test_the_own_board_repeats_the_own_answer_until_all_have_answered() -> None:
    state = given("hop", "no", "no")
    do(state, 1, "cast hop")
    assert not any("Answer" in line for line in plain_lines(GAME.words.render_board(state.view(2), NAMES, 80)))
    do(state, 2, "counter no")
    assert plain_lines(GAME.words.render_board(state.view(2), NAMES, 80))[-1] == "Answer: no"
    assert not any("Answer" in line for line in plain_lines(GAME.words.render_board(state.view(3), NAMES, 80)))


def test_a_mage_over_the_line_stands_behind_it() -> None:
    state = given("hop", "", square=11)
    cast(state, "hop")
    lane = next(
        line
        for line in plain_lines(GAME.words.render_board(state.view(None), NAMES, 80))
        if line[1:].startswith("1 Ann")
    )
    assert lane.endswith("|@")


def test_the_board_shows_spells_hand_and_what_is_asked() -> None:
    state = given("hop leap", "no glow")
    lay(state, 2, "luck", 2)
    do(state, 1, "cast hop")
    text = "\n".join(plain_lines(GAME.words.render_board(state.view(2), NAMES, 80)))
    assert "Ann casts Hop" in text
    assert "Luck 2" in text
    assert "Counters any spell." in text
    assert "leap" not in text
    assert "`let` it be" in GAME.words.decision_prompt(state.view(2), state.legal_actions(2))


@pytest.mark.parametrize(
    ("square", "cleared", "said"),
    [
        (10, (), "Ann moves to square 10."),
        (11, (9,), "Ann moves to square 11 through 1 hurdle."),
        (12, (9, 10), "Ann leaves the last square through 2 hurdles."),
    ],
)
def test_who_stands_on_the_last_square_has_not_left_it(square: int, cleared: tuple[int, ...], said: str) -> None:
    assert GAME.words.event_sentence(Moved(1, square, cleared), NAMES) == said


def test_a_cv_is_read_aloud_when_it_is_drawn() -> None:
    """Rule 3.2."""
    game = GAMES[0]
    told = game.words.event_sentence(Drew(1, 1, front=("cv_excellent_beard",)), NAMES)
    card = next(kind.line for kind in game.deck.kinds if kind.name == "cv_excellent_beard")
    assert told.endswith(f'{card.title["en"]} (in front): "{card.joke["en"].rstrip(".")}".')
