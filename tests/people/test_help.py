"""Help, and how clocks and times are typed and shown."""

from __future__ import annotations

from people.text.help import help_page, topic_help_lines

FORMS = {"toy": "pass\nplay CARD", "chess": "move FROM TO\npass", "go": "pass"}


def test_help_on_a_command_on_several_or_on_a_word_of_games() -> None:
    assert topic_help_lines("who", FORMS) == [
        "who [NAME|after NAME]", "  list the players, or say where one of them is", "  For a player. Short: w.",
    ]  # fmt: skip
    assert topic_help_lines("games", FORMS)[2] == "  For anyone, before hello too."
    assert topic_help_lines("hello", FORMS)[0] == "hello NAME [CODE]"
    assert topic_help_lines("hello", FORMS, {"hello"}) == []
    rows = topic_help_lines("cup", FORMS)
    assert rows[0] == "  cup show CUP           show a cup: its entrants and progress"
    assert rows[1:3] == [
        "  cup open CUP GAME [SEATS] [rounds=N format=F deals=D clock=C OPTION=V ...]",
        "                         open a cup, which every player may enter; F is a",
    ]
    assert topic_help_lines("pass", FORMS) == ["In toy and chess and go:", "pass"]
    assert topic_help_lines("play", FORMS) == ["In toy:", "play CARD"]
    assert topic_help_lines("", FORMS) == topic_help_lines("xyzzy", FORMS) == []


def test_the_help_page_fits_a_terminal_and_lists_short_forms_and_games() -> None:
    assert help_page("TOY", FORMS) == "To act in toy, type one of these:\npass\nplay CARD"
    assert help_page("Who", FORMS) == "\n".join(topic_help_lines("who", FORMS))
    page = help_page("xyzzy", FORMS).split("\n")
    assert max(map(len, page)) <= 79
    assert page[0] == "A first match, line by line:"
    assert page[8:10] == [
        "Commands:",
        "  open GAME [SEATS] [delay=TIME] [OPTION=VALUE ...]",
    ]
    assert page[-3] == "How to type a game's actions: help GAME (toy, chess, go)"
    whole = " ".join(page)
    assert "standings" not in whole
    everything = help_page("all", FORMS)
    order = [everything.index(f"\n  {word} ") for word in ("hello", "standings", "announce")]
    assert order == sorted(order)
    assert "Short: h=help, w=who, l=look, " in whole
    assert "? shows what you may do when it is your turn, else this page." in whole
