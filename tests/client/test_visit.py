"""A person's visit over a link: what they type is played, what they miss is shown, what they leave is played on."""

from __future__ import annotations

from tests.bots.conftest import Scissors
from tests.client.conftest import PaperScreen, play_toy
from tests.server.conftest import Hall


async def test_typed_lines_play_a_match(hall: Hall) -> None:
    screen = PaperScreen(["1", "1", "1"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("Your turn:") == 3
    assert screen.count("The match is over.") == 1
    assert screen.count("house bot") == 0


async def test_a_line_that_stands_for_several_actions_is_played_turn_by_turn(hall: Hall) -> None:
    first = PaperScreen(["look"], open_end=False)
    await play_toy(hall, first)
    hand = next(line for line in first.shown if line.startswith("Hand: ")).removeprefix("Hand: ")
    screen = PaperScreen([f"play {hand}"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("Your turn:") == 1


async def test_the_rest_of_a_line_is_dropped_when_it_is_not_legal(hall: Hall) -> None:
    first = PaperScreen(["look"])
    await play_toy(hall, first)
    card = next(line for line in first.shown if line.startswith("Hand: ")).split()[1]
    screen = PaperScreen([f"play {card} {card}"])
    await play_toy(hall, screen)
    assert screen.count(f"Not done, as it is not legal now: play {card}") == 1


async def test_at_the_end_of_the_input_a_house_bot_plays_on(hall: Hall) -> None:
    screen = PaperScreen(["1"])
    assert await play_toy(hall, screen) == 0
    assert screen.count("a house bot plays on for you") == 1
    assert screen.count("Played for you: play") == 2
    assert screen.count("The match is over.") == 1


async def test_a_refused_action_is_explained_and_asked_for_again(hall: Hall) -> None:
    screen = PaperScreen(["play 99", "1", "1", "1"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("! You hold no such card.") == 1


async def test_what_was_missed_while_the_connection_was_lost_is_shown_once(hall: Hall) -> None:
    whole = PaperScreen(["1", "1", "1"], open_end=True)
    uncut = Scissors()
    await play_toy(hall, whole, uncut)
    events = [line for line in whole.shown if line.startswith("* ")]
    lines = uncut.received.count(b"\n")
    assert lines > 10
    for cut in range(4, lines):
        screen = PaperScreen(["1", "1", "1"], open_end=True)
        scissors = Scissors(cut)
        assert await play_toy(hall, screen, scissors) == 0
        assert [line for line in screen.shown if line.startswith("* ")] == events
        assert scissors.connections == 2
        assert screen.count("The connection is lost") == 1
        assert screen.count("Connected again") == 1


async def test_quit_says_goodbye_and_ends_well(hall: Hall) -> None:
    screen = PaperScreen(["1", "quit"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("The match is over.") == 0
    assert screen.count("Goodbye. Your seat is held for a while") == 1
