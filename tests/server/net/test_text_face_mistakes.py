"""What a person at a terminal types by mistake, or where it has no place: a sentence that helps."""

import trio

from people.text.sentences import another_match_text
from protocol.errors import CODES
from tests.helpers.hall import Hall, seated


async def test_a20_unknown_words_and_bad_arguments_never_end_a_connection(hall: Hall) -> None:
    ann = await seated(hall)
    for _ in range(15):
        for typed in (
            *("xyzzy", "play", "play x", "play 999", "99", "0", "-1", "1e9", "join", "join t1 x", "join t99", "log x"),
            *("say", "tell", "tell nobody hi", "why", "why fly", "cards 99", "rules chess", "open", "open toy 99"),
            *("open toy speed=9", "hello bob", "say " + "x" * 400, "tell " + "y" * 90 + " hi", "open " + "z" * 90),
            *("join " + "t" * 60, "a\x1b[2Jb", "\x07", "say \u202e", "   ", "", "{}", '{"type":"quit","id":1}'),
        ):
            await ann.types(typed)
            await trio.sleep(1)
        await ann.stream.send_all(b"\xff\xf4caf\xe9\r\n")
    assert not ann.ended
    assert (await ann.types("ping")).endswith("pong\n")


async def test_a20_each_wrong_line_gets_one_sentence_that_helps(hall: Hall) -> None:
    ann = await seated(hall)
    for typed, sentence in (
        ("xyzzy", "Type play and a card, such as: play 3"),
        ("play", "Type play and a card, such as: play 3"),
        ("99", "Type a number from 1 to 3, or an action."),
        ("why 99", "Type a number from 1 to 3, or an action."),
        ("play 99", "You do not have that card."),
        ("join t1 x", "Expected a seat, a whole number."),
        ("say", "Add something to say."),
        ("tell bob", "Add a text."),
        ("hello zoe", "This connection has a name already."),
        ("say " + "x" * 301, None),
        ("start", "The match has started."),
        ("clock t1", "Too many words; type: clock"),
        ("resign t1", "Too many words; type: resign"),
        (
            "cup friday",
            "After cup comes one of: show, open, invite, start, pause, stop, replace, add, kick, clock, drop.",
        ),
        ("add first 2 3", "Too many words; type: add BOT [SEAT]"),
        ("cup drop friday now", "Too many words; type: cup drop CUP"),
        ("brief maybe", "Type brief on or brief off."),
    ):
        shown = await ann.types(typed)
        assert shown.startswith("! "), typed
        assert shown.count("\n") == 1
        assert sentence is None or shown == f"! {sentence}\n"


async def test_a_stranger_is_told_to_say_hello(hall: Hall) -> None:
    ann = await hall.typist()
    for line in ("tables", "open toy", "add greedy", "start", "say", "leave t1 t2"):
        assert await ann.types(line) == "! Say hello with your name first.\n", line
    assert "toy" in await ann.types("games")
    assert await ann.types("hello 7up") == f"! {CODES['bad_name'].translated_text}\n"
    assert (await ann.types("hello ann")).startswith("Welcome")


async def test_a_number_or_a_game_word_out_of_turn_says_that_it_is_not_ones_turn(hall: Hall) -> None:
    bob = await hall.player("bob", bot=True, tables=1)
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add bob", "start", "?", "1")
    assert await ann.types("play 3") == "! You have nothing to decide now.\n"
    assert await ann.types("2") == "! You have nothing to decide now.\n"
    assert await ann.types("why play 3") == "! You have nothing to decide now.\n"
    assert (await bob.next("event"))["event"]["what"] == "dealt"


async def test_who_has_no_part_in_a_match_is_told_so_whatever_they_would_do_there(hall: Hall) -> None:
    ann, eve = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first")
    for line in ("play 3", "2", "why play 3", "hint", "resign"):
        assert await ann.types(line) == "! The match has not started.\n", line
    await ann.types("start")
    await eve.types("hello eve", "watch t1")
    for line in ("play 3", "2", "why play 3", "hint", "resign"):
        assert await eve.types(line) == "! You have no seat at that table.\n", line
    await ann.types("?", "1", "?", "1", "?", "1")
    for line in ("play 3", "2", "why play 3", "hint", "resign"):
        assert await ann.types(line) == f"! The match is over. {another_match_text()}\n", line
