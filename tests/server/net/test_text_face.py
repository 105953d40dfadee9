"""A person at a terminal: whole matches typed, help that is enough, and short words."""

import re

import pytest
import trio

from games.registry import all_games
from people.text.lookup import NOT_BY_TELNET, available_commands
from server.desk.moderation import ban_name_or_address
from tests.helpers.hall import Hall, seated


async def test_a_whole_match_typed_as_a_person_would(hall: Hall) -> None:
    ann = await hall.typist()
    shown = await ann.types("help")
    first_steps = re.findall(r"^  (\w+)", shown, re.MULTILINE)[:5]
    assert first_steps == ["hello", "open", "add", "start", "legal"]
    shown = await ann.types("hello ann")
    assert shown.startswith("Welcome, ann.")
    assert "toy" in await ann.types("games")
    assert "2 (empty)" in await ann.types("open toy 2")
    assert "first" in await ann.types("bots")
    assert "2 first" in await ann.types("add first")
    shown = await ann.types("start")
    assert "The match begins: 1 ann, 2 first." in shown
    assert "> Play a card, such as: play" in shown
    shown = await ann.types("legal")
    first = re.search(r"1  (play \d+)", shown)
    assert first
    assert "* ann has chosen." in await ann.types(first[1])
    assert "* ann has chosen." in await ann.types("?", "1")
    shown = await ann.types("?", "1")
    assert "The match is over. Most points win." in shown
    assert re.search(r"^  1\. \w+: [0-3]$", shown, re.MULTILINE)
    assert "The deal's seed was" in shown
    assert (await ann.types("quit")) == "Goodbye. You said quit.\n"
    await trio.sleep(1)
    assert await ann.heard() == ""
    assert ann.ended


@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_every_game_can_be_played_to_its_end_with_numbers_and_with_words(hall: Hall, game_id: str) -> None:
    game = all_games()[game_id]
    hall.lobby.games = {game_id: game}
    ann = await hall.typist()
    shown = await ann.types("hello ann", f"open {game_id}")
    for _ in range(game.min_seats - 1):
        shown = await ann.types("add first")
    shown = await ann.types("start")
    for count in range(2_000):
        if "The match is over." in shown:
            break
        await trio.sleep(0.1)  # so that nobody types faster than is allowed, however long the match is
        if count % 2:
            legal, typed = await ann.types("legal"), "1"
        else:
            legal = await ann.types("legal")
            row = re.search(r"^ +1  (.*)$", legal, re.MULTILINE)
            assert row, (shown, legal)
            typed = row[1]
        shown = await ann.types(typed)
        if "yes sends it" in shown:
            shown = await ann.types("yes")
        assert not re.search("^! ", shown, re.MULTILINE), (typed, shown)
    assert "The match is over." in shown
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)


async def test_a_word_that_a_game_shares_with_a_command_is_the_games_with_more_words_than_the_command_takes(
    hall: Hall,
) -> None:
    hall.lobby.games = {"cheaty-mages": all_games()["cheaty-mages"]}
    ann = await hall.typist()
    shown = await ann.types("hello ann", "open cheaty-mages 3", "add first", "add first", "start")
    while "Cast a spell" not in shown:
        assert "Place your bet" in shown
        assert "The deal's seed" not in await ann.types("look might 3")
        shown = await ann.types("bet 1")
    assert "Judge:" in await ann.types("look")
    assert "Judge:" in await ann.types("look t1")
    look = re.search(r"^ +\d+  (look .*)$", await ann.types("legal"), re.MULTILINE)
    assert look
    assert "* ann discards" in await ann.types(look[1])


async def test_help_names_every_command_and_explains_each(hall: Hall) -> None:
    ann = await hall.typist()
    page = await ann.types("help all")
    for command in available_commands(NOT_BY_TELNET):
        assert re.search(rf"^  {command}\b", page, re.MULTILINE), command
        assert (await (await hall.typist()).types(f"help {command}")).startswith(command)
    assert "help GAME" in page
    of_cups = (await ann.types("help cup")).split("\n")
    assert of_cups[0] == "  cup show CUP           show a cup: its entrants and progress"
    assert {line.split()[0] for line in of_cups if line[2:3].strip()} == {"cup"}
    assert max(map(len, page.split("\n"))) <= 79
    assert "play N" in await ann.types("help toy")
    assert await ann.types("HELP ALL") == page


@pytest.mark.parametrize(
    ("short", "shown"),
    [
        *(("g", "toy "), ("tab", "t1"), ("wh", "Do you mean"), ("b", "Do you mean"), ("leg", "You may do")),
        *(("cloc", "ann: "), ("l", "ann: 0"), ("pi", "pong")),
        *(("he", "Do you mean hello or help?"), ("lo", "Do you mean look or log or lobby?")),
    ],
)
async def test_short_words_do_as_far_as_they_are_clear(hall: Hall, short: str, shown: str) -> None:
    ann = await seated(hall)
    assert shown in await ann.types(short)


async def test_help_on_a_command_says_who_may_say_it_and_which_letters_stand_for_it(hall: Hall) -> None:
    ann = await hall.typist()
    assert await ann.types("help add") == (
        "add BOT [SEAT]\n  put a bot on a seat of your table, the next empty one if you name none\n"
        "  For the table's owner.\n"
    )
    assert (await ann.types("h qu")).endswith("  For anyone, before hello too. Short: q, exit, bye.\n")
    assert await ann.types("help play") == "In toy:\nplay N    play the card N\n"


async def test_a_question_mark_lists_what_may_be_done_on_ones_turn_and_is_the_help_page_elsewhere(hall: Hall) -> None:
    bob = await hall.player("bob", bot=True, tables=1)
    ann = await hall.typist()
    page = await ann.types("?")
    assert page == await ann.types("help") == await ann.types("h")
    await ann.types("hello ann", "open toy 2", "add bob", "start")
    assert (await ann.types("?")) == (await ann.types("legal"))
    assert (await ann.types("? who")).startswith("who [NAME|after NAME]\n")
    await ann.types("?", "1")
    assert await ann.types("?") == page
    assert (await bob.next("event"))["event"]["what"] == "dealt"


async def test_letters_a_slash_and_a_quote_stand_for_commands_and_slash_r_answers_who_told_one_something(
    hall: Hall,
) -> None:
    ann, bob = await seated(hall), await hall.player("bob")
    for short, word in (("k", "clock"), ("w", "who"), ("l", "look"), ("/tables", "tables"), ("/l", "look")):
        assert await ann.types(short) == await ann.types(word)
    assert await ann.types("/r hello") == "! Nobody has told you anything yet.\n"
    await bob.ask("tell", to="ann", text="psst")
    await bob.ask("say", text="to all")
    assert await ann.heard() == "bob (to you): psst\n", "of the lobby nothing comes to a table that plays"
    assert await ann.types("/r") == "! Add what to say to bob.\n"
    await ann.types("/r thank  you")
    assert (await bob.next("chat"))["text"] == "thank you"
    await ann.types("t bob 'hi")
    assert (await bob.next("chat"))["text"] == "'hi"
    assert (await ann.types("leave")).startswith("You left t1. Your seat is held for ")
    await ann.types("'good evening")
    assert (await bob.next("chat"))["text"] == "good evening"
    assert await ann.types("q") == "Goodbye. You said quit.\n"


async def test_a_card_is_shown_by_the_beginning_of_its_name(hall: Hall) -> None:
    ann = await seated(hall)
    assert await ann.types("cards 3") == "Card 3 (3): card\n  A number.\n"
    assert (await ann.types("cards card_1")) == "Card 1 (1): card\n  A number.\n"
    assert (await ann.types("cards toy car")).count("A number.") == 12
    assert await ann.types("cards knight") == "! There is no such card in this game.\n"


async def test_several_actions_on_one_line_are_done_turn_by_turn_and_dropped_after_an_error(hall: Hall) -> None:
    ann = await seated(hall)
    legal = re.findall(r"play (\d+)", await ann.types("legal"))
    shown = await ann.types("play " + " ".join(legal))
    assert shown.count("* ann has chosen.") == 3
    assert "The match is over." in shown
    await ann.types("open toy 2", "add first", "start")
    legal = re.findall(r"play (\d+)", await ann.types("legal"))
    shown = await ann.types(f"play {legal[0]} 99 {legal[1]}")
    assert shown.count("* ann has chosen.") == 1
    assert "! Not done, as it is not legal now: play 99" in shown
    assert len(re.findall(r"play (\d+)", await ann.types("legal"))) == 2


async def test_why_look_log_and_clock_answer_in_words(hall: Hall) -> None:
    ann = await seated(hall)
    hand = re.findall(r"play (\d+)", await ann.types("legal"))
    assert await ann.types(f"why play {hand[0]}") == "That would be legal.\n"
    assert await ann.types("why play 99") == "No: You do not have that card.\n"
    assert f"Hand: {' '.join(hand)}" in await ann.types("look")
    log = (await ann.types("log")).splitlines()
    assert [line.split()[0] for line in log] == ["1", "2", "3", "4"]
    assert log[1].endswith(f"* You hold {' '.join(hand)}.")
    assert await ann.types("log 4") == ""
    assert (await ann.types("log 99")).startswith("! There is no message with that number")
    assert re.search(r"ann: 5:00 of main time, deciding, 5:(29|30) left", await ann.types("clock"))


async def test_who_leaves_a_table_is_at_the_other_one_where_they_are(hall: Hall) -> None:
    ann = await seated(hall)
    assert await ann.types("open toy 2", "leave") == "You left t2.\nYou are at t1 now.\n"
    assert "* ann has chosen." in await ann.types("?", "1")
    assert "now" not in await ann.types("leave")
    assert await ann.types("clock") == "! You are at no table; open, join or watch one.\n"


async def test_brief_leaves_the_board_out_and_brief_off_brings_it_back(hall: Hall) -> None:
    ann = await seated(hall)
    await ann.types("brief on")
    assert "Hand:" not in await ann.types("?", "1")
    await ann.types("brief off")
    await ann.types("open toy 2", "add first")
    assert "Hand:" in await ann.types("start")


async def test_talk_between_the_text_and_the_json_face(hall: Hall) -> None:
    bob = await hall.player("bob")
    ann = await hall.typist()
    await ann.types("hello ann")
    assert await ann.types("say hello  there: 1 < 2") == "ann: hello there: 1 < 2\n", "echoed, as at a table"
    assert (await bob.next("chat"))["text"] == "hello there: 1 < 2"
    await ann.types("tell bob psst you")
    told = await bob.next("chat")
    assert (told["text"], told["private"]) == ("psst you", True)
    await bob.ask("tell", to="ann", text="yes")
    assert await ann.heard() == "bob (to you): yes\n"
    await bob.ask("quit")
    assert await ann.types("say anybody") == "Nobody else hears you.\n"


async def test_a_spectator_at_a_terminal_sees_public_events_and_cannot_act(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.typist()
    shown = await eve.types("hello eve", "watch")
    assert shown.startswith("You watch t1.")
    assert re.search(r"Hand:\s*$", shown)
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    assert await eve.heard() == "* ann has chosen.\n"
    assert (await eve.types("play 3")).startswith("! ")
    assert await eve.types("legal") == "! You have no seat at that table.\n"
    assert await eve.types("resign", "resign") == "! You have no seat at that table.\n"
    assert await eve.types("leave") == "You left t1.\n"
    await bob.ask("say", table="t1", text="secret plans")
    assert await eve.heard() == ""


async def test_presence_lateness_and_takeover_are_told_in_words(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2")
    bob = await hall.player("bob")
    await bob.ask("join", table="t1")
    assert "2 bob" in await ann.heard()
    await ann.types("start")
    await bob.cut()
    assert await ann.heard() == "- bob lost the connection; the seat is held.\n"
    bob = await hall.again("bob", bob.token)
    await bob.ask("resume", table="t1")
    assert await ann.heard() == "- bob is back.\n"
    await bob.ask("resign", table="t1")
    assert "- bob resigned; first plays seat 2 from now on." in await ann.heard()
    await trio.sleep(331)
    assert "- ann ran out of time; the default was done for them (1)." in await ann.heard()
    await ann.types("?", "1", "?", "1")
    over = await bob.next("over")
    assert [result["how"] for result in over["results"]] == ["played", "resigned"]


async def test_who_types_for_a_seat_that_a_house_bot_plays_is_told_so(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann", "open toy 2")
    await bob.ask("join", table="t1")
    await ann.types("start", "resign", "resign")
    for line in ("play 3", "3", "why 1", "hint"):
        assert await ann.types(line) == "! first plays your seat now; there is nothing more to decide.\n"
    assert await ann.types("resign") == "! There is nothing left to resign.\n"


async def test_the_end_says_so_when_the_seat_that_would_have_won_was_taken_over(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    ends = set()
    for number in range(1, 9):
        await ann.types("open toy 2")
        bob = await hall.player(f"bob-{number}x")
        await bob.ask("join", table=f"t{number}")
        await ann.types("start")
        await bob.ask("resign", table=f"t{number}")
        await ann.types("?", "1", "?", "1", "?", "1")
        over = await bob.next("over")
        mine, theirs = (result["score"] for result in over["results"])
        assert [result["place"] for result in over["results"]] == [1, 2]
        assert ("as bob-" in over["text"]) == (theirs >= mine)
        ends.add(theirs >= mine)
    assert ends == {True, False}


async def test_a_person_at_two_tables_acts_at_the_one_they_look_at(hall: Hall) -> None:
    ann = await seated(hall)
    await ann.types("open toy 2", "add first", "start")
    assert "* ann has chosen." in await ann.types("?", "1")
    assert [len(hall.done(table, seat=1)) for table in hall.lobby.tables] == [0, 1]
    assert "at t1 t2" in await ann.types("who")


async def test_a_person_and_a_program_play_each_other(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2")
    bob = await hall.player("bob", bot=True, tables=1)
    await ann.types("add bob", "start")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bob.play_on)
        shown = await ann.types("?", "1", "?", "1", "?", "1")
    assert "The match is over." in shown


async def test_a_person_who_types_nothing_is_told_that_the_time_is_over(hall: Hall) -> None:
    ann = await hall.typist()
    await trio.sleep(61)
    assert await ann.heard() == "Goodbye. You gave no name in time.\n"
    assert await ann.heard() == ""
    assert ann.ended


@pytest.mark.parametrize(("told", "line", "widest"), [(0, "ping", 79), (80, "ping", 79), (80, "width 80", 80)])
async def test_lines_leave_the_last_column_free_unless_a_width_was_typed(
    hall: Hall, told: int, line: str, widest: int
) -> None:
    ann = await hall.typist(told)
    await ann.types("hello ann", line)
    rows = (await ann.types("say " + "x " * 300, "rules cheaty 1", "cup open a toy " + "y" * 90)).split("\n")
    assert max(map(len, rows)) <= widest


async def test_the_numbered_list_of_a_decision_is_that_of_the_choices(hall: Hall) -> None:
    ann = await seated(hall)
    listed = (await ann.types("legal")).splitlines()
    (decision,) = [table.require_match().state.legal_actions(1) for table in hall.lobby.tables.values()]
    assert len(listed) == len(decision) + 1
    assert [line.split()[0] for line in listed[1:]] == [str(number + 1) for number in range(len(decision))]


@pytest.mark.parametrize(("reason", "said"), [("spam", "spam"), ("", "not given")])
async def test_a_ban_tells_its_end_beside_its_reason(hall: Hall, reason: str, said: str) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    ban_name_or_address(hall.lobby, "ann", 7200.0, "the operator", reason)
    assert re.search(rf"The reason: {said} \(until \S+ \S+ UTC\)", await ann.heard())


async def test_cup_enter_is_understood_as_enter(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "cup open friday toy 2")
    assert "ann is ready" in await ann.types("cup enter friday")
