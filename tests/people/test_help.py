"""Help, and how clocks and times are typed and shown."""

from __future__ import annotations

import pytest

from people.text.clocks import clock_rule
from people.text.help import help_page, on_topic
from people.text.times import delay_in, minutes
from protocol.messages.parts import ClockRule

FORMS = {"toy": "pass\nplay CARD", "chess": "move FROM TO\npass", "go": "pass"}


def test_help_on_a_command_on_several_or_on_a_word_of_games() -> None:
    assert on_topic("who", FORMS) == [
        "who [NAME]", "  list the players, from after that name", "  For a player. Short: w.",
    ]  # fmt: skip
    assert on_topic("games", FORMS)[2] == "  For anybody, before hello too."
    assert on_topic("hello", FORMS)[0] == "hello NAME [CODE]"
    assert on_topic("hello", FORMS, {"hello"}) == []
    rows = on_topic("cup", FORMS)
    assert rows[0] == "  cup show CUP           show a cup: its entrants and progress"
    assert rows[1:3] == [
        "  cup open CUP GAME [SEATS] [rounds=N format=F deals=D clock=C OPTION=V ...]",
        "                         open a cup, which every player may enter; F is",
    ]
    assert on_topic("pass", FORMS) == ["In toy and chess and go:", "pass"]
    assert on_topic("play", FORMS) == ["In toy:", "play CARD"]
    assert on_topic("", FORMS) == on_topic("xyzzy", FORMS) == []


def test_the_help_page_fits_a_terminal_and_lists_short_forms_and_games() -> None:
    assert help_page("TOY", FORMS) == "To act in toy, type one of these:\npass\nplay CARD"
    assert help_page("Who", FORMS) == "\n".join(on_topic("who", FORMS))
    page = help_page("xyzzy", FORMS).split("\n")
    assert max(map(len, page)) <= 79
    assert page[0] == "A first match, line by line:"
    assert page[8:10] == [
        "Commands:",
        "  hello NAME [CODE]      take a name, or come back to yours with the code you",
    ]
    assert page[-1] == "How to type a game's actions: help GAME (toy, chess, go)"
    whole = " ".join(page)
    assert "Short: h=help, w=who, l=look, " in whole
    assert "? shows what you may do when it is your turn, else this page." in whole


@pytest.mark.parametrize("word", ["0+0.05", "86400+3600", "1.5+2.5"])
def test_a_clock_is_main_time_and_what_is_added(word: str) -> None:
    main, increment = word.split("+")
    assert clock_rule(word) == ClockRule(main=float(main), increment=float(increment))


@pytest.mark.parametrize("word", ["0+0.04", "86400.5+1", "1+3600.5", "1", "+1", "1+", "-1+1", "1+x"])
def test_no_clock_goes_beyond_what_a_table_takes(word: str) -> None:
    with pytest.raises(ValueError, match="A clock is seconds as MAIN"):
        clock_rule(word)


def test_hands_are_shown_half_a_minute_to_a_day_later() -> None:
    assert [delay_in(word) for word in ("30s", "24h", "1d")] == [30, 86_400, 86_400]
    for word in ("29s", "25h", "86401s"):
        with pytest.raises(ValueError, match=f"Hands are shown 30 seconds to 24 hours later, not {word}"):
            delay_in(word)


def test_minutes_are_shown_as_a_clock_shows_them() -> None:
    assert [minutes(seconds) for seconds in (0, 5.9, 60, 325, 3_600)] == ["0:00", "0:05", "1:00", "5:25", "60:00"]
