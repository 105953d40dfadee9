"""What a person at a telnet line needs beside the game: coming back, finding a table, being told what it is about."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.registry import all_games
from matches.house import HouseBot
from tests.helpers.hall import Hall


@pytest.mark.parametrize("word", ["join", "watch"])
async def test_who_left_a_running_match_is_back_with_one_word(hall: Hall, word: str) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "start")
    assert "join t1 brings you back" in await ann.types("leave")
    back = await ann.types(f"{word} t1")
    assert "You are back at t1, seat 1." in back
    assert back.count("> Play a card, such as:") == 1
    assert "* ann has chosen." in await ann.types("?", "1")


async def test_who_leaves_on_purpose_is_not_told_to_have_lost_the_connection(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 2")
    await bob.types("hello bob", "join t1")
    await ann.types("start")
    await bob.types("leave")
    assert "- bob left; the seat is held." in await ann.heard()
    await bob.types("join t1", "quit")
    assert "- bob left; the seat is held." in await ann.heard()


async def test_join_alone_takes_the_only_open_table_and_never_a_finished_one(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    assert "! No table is open now" in await ann.types("join")
    await ann.types("open toy 2", "add first", "start", "?", "1", "leave")
    assert "You are back at t1, seat 1." in await ann.types("join")
    await ann.types("?", "1", "?", "1")
    assert "! No table is open now" in await ann.types("join")


async def test_join_alone_passes_by_open_tables_without_an_empty_seat(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "open toy 2")
    await bob.types("hello bob")
    assert "2 bob" in await bob.types("join")
    carl = await hall.typist()
    await carl.types("hello carl")
    assert "! Say which table: t1, t2; tables lists all." in await carl.types("join")


async def test_a_hint_says_what_a_house_bot_would_do_and_the_aim_what_the_game_is_about(hall: Hall) -> None:
    hall.lobby.games = {"ikasamage": all_games()["ikasamage"]}
    ann = await hall.typist()
    assert "! You have nothing to decide now." in await ann.types("hello ann", "hint")
    await ann.types("open ikasamage 3", "add first", "add first", "start")
    assert re.match(r"first would do this: bet \d.*\. If it wins, you get: \d ", await ann.types("hint"))
    assert "After three rounds, the richest player wins." in await ann.types("aim")


async def test_g17_the_chance_in_a_hint_is_the_same_for_one_turn_and_another_one_at_each_table(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else others know in which turns whoever asks for hints bluffs."""
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "start", "open toy 2", "add first", "start")
    make, seeds = hall.lobby.house.make, list[int]()

    def noted(*asked: Any) -> HouseBot:
        seeds.append(asked[-1])
        return make(*asked)

    monkeypatch.setattr(hall.lobby.house, "make", noted)
    await ann.types("look t1", "hint", "hint", "look t2", "hint")
    one, again, other = seeds
    assert one == again != other


async def test_who_comes_too_late_for_a_seat_is_told_how_to_watch(hall: Hall) -> None:
    await hall.table_of("bob", "cid")
    ann = await hall.typist()
    assert await ann.types("hello ann", "join t1") == "! The match has started. Type watch t1 to see it.\n"


async def test_who_types_a_taken_name_is_told_how_its_owner_comes_back(hall: Hall) -> None:
    ann, eve = await hall.typist(), await hall.typist()
    await ann.types("hello ann")
    assert "If ann is yours, type: hello ann CODE" in (await eve.types("hello ann")).replace("\n", " ")
    assert "CODE" not in await eve.types("hello server"), "which is nobody's"


async def test_hand_shows_the_own_hand_and_no_more(hall: Hall) -> None:
    hall.lobby.games = all_games()
    ann, eve = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open mages-110m 2", "add first", "start")
    shown = await ann.types("hand")
    assert shown.startswith("Hand:\n")
    assert "Turn 1" not in shown
    await eve.types("hello eve", "watch t1")
    assert (await eve.types("hand")).strip() == "You hold nothing there."


async def test_a_name_may_have_letters_of_any_script_and_is_found_by_each_way_to_write_it(hall: Hall) -> None:
    elise, eve = await hall.typist(), await hall.typist()
    assert "Élise" in await elise.types("hello E\u0301lise")
    assert "is taken" in (await eve.types("hello elise")).replace("\n", " ")
    await eve.types("hello Вова")
    assert "Вова" in await elise.types("who")
    await eve.types("tell Élise bonsoir")
    assert "bonsoir" in await elise.types("")
