"""A bot that is a program of its own, as bots/README.md shows one: what it is told, what it answers, how it ends."""

from __future__ import annotations

import gc
import json
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.sdk.bot import Turn
from bots.sdk.check import check
from bots.sdk.local import play
from bots.sdk.program import Program, ProgramFailed
from bots.sdk.registry import NoSuchBot, all_bots, bot_file_path, get_bot
from client.processes.limits import descendant_pids
from games.api import options_from
from games.chance import Chance
from tests.helpers.toy import TOY, Chose, ToyState

PAGE = (Path(__file__).parents[2] / "bots" / "README.md").read_text(encoding="utf-8")


def program(folder: Path, text: str, name: str = "program") -> str:
    """An executable file; returns the bot's spec."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return f"cmd:{file}"


def python(folder: Path, text: str) -> str:
    return program(folder, f"#!{sys.executable}\nimport json, sys, time\n{text}\n")


def test_the_program_on_the_page_passes_the_check(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```sh\n(#!/bin/sh\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(text.splitlines()) <= 10
    kind = get_bot(program(tmp_path, text, "first.sh"))
    assert (kind.__name__, kind.games) == ("first", ())
    assert check("first", kind, {TOY.id: TOY}, seed=1, matches=3).findings == ()


def test_a_program_is_told_what_a_bot_in_python_is_told(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    kind = get_bot(
        python(tmp_path, f"file = open({str(notes)!r}, 'w')\nfor line in sys.stdin:\n    file.write(line)\n"
               "    if '\"turn\"' in line[:20]: print(json.dumps(json.loads(line)['legal'][-1]), flush=True)")
    )  # fmt: skip
    outcome = play(TOY, [kind(7), all_bots()["random"](1)], options_from(TOY, {}), Chance(b"1" * 32))
    lines = [json.loads(line) for line in notes.read_text().splitlines()]
    assert lines[0] == {"type": "hello", "version": 1, "seed": 7}
    turns = [line for line in lines if line["type"] == "turn"]
    assert [(turn["game"], turn["seat"], turn["turn"], turn["clock"]) for turn in turns] == [
        ("toy", 1, number, None) for number in (1, 2, 3)
    ]
    assert set(turns[0]) == {"type", "game", "seat", "seats", "options", "turn", "clock", "view", "legal"}
    assert (turns[0]["seats"], turns[0]["options"]) == (2, {"rounds": 3})
    assert turns[0]["legal"][0].keys() == {"do", "card"}
    assert {line["event"]["what"] for line in lines if line["type"] == "event"} >= {"dealt", "chose", "shown"}
    assert lines[-1] == {
        "type": "over", "places": list(outcome.places), "scores": list(outcome.scores),
        "reason": outcome.reason, "text": outcome.text,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("does", "text"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("sys.exit()", "ended with exit code 0"),
        ("import os; os.kill(os.getpid(), 9)", "Signal 9 ended the program"),
        ("print('good morning')", "answered what is no JSON: 'good morning'"),
        ("import os; os.write(1, b'\"\\xff\"\\n')", "answered what is no JSON: '\"\ufffd\"'"),
        ("print('x' * 90)", f"answered what is no JSON: '{'x' * 80}'."),
        ("print(json.dumps('x' * 90))", f"answered '{'x' * 80}', which is neither"),
        ("print(0)", "answered 0; there are 3 actions, from 1"),
        ("print(4)", "answered 4; there are 3 actions, from 1"),
        ("print('[1]')", "is neither a number nor an action"),
        ('print(\'{"do":"fly"}\')', "The program answered {'do': 'fly'}: "),
        ("print('x' * 70_000)", "answered a line of more than 65,536 bytes"),
    ],
)
def test_what_is_no_answer_is_told_in_a_sentence(tmp_path: Path, does: str, text: str) -> None:
    kind = get_bot(python(tmp_path, f"for line in sys.stdin:\n    {does}\n    sys.stdout.flush()"))
    bot = kind(1)
    with pytest.raises(ProgramFailed, match=re.escape(text)):
        play(TOY, [bot, all_bots()["random"](1)], options_from(TOY, {}), Chance(b"1" * 32))


def test_a_program_that_says_no_more_and_goes_on_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.sdk.program.PATIENCE_SECONDS", 0.02)
    with (
        ended(python(tmp_path, "import os; os.close(1); time.sleep(99)")) as bot,
        pytest.raises(ProgramFailed, match="closed its stdin or stdout"),
    ):
        play(TOY, [bot, all_bots()["random"](1)], options_from(TOY, {}), Chance(b"1" * 32))


def ask_again_and_again(bot: Program, turn: Turn) -> None:
    for _ in range(10_000):
        bot.choose(turn)


@pytest.mark.parametrize(
    ("does", "text"),
    [
        ("sys.stdout.write('\\0' * 4_096)", "The program answered a line of more than 65,536 bytes."),
        ("print(1)", "The program writes without a question and does not read its input."),
    ],
)
def test_a_program_that_writes_and_does_not_read_is_told_of_and_keeps_no_one_waiting(
    tmp_path: Path, does: str, text: str
) -> None:
    with ended(python(tmp_path, f"while True:\n    {does}")) as bot:
        state = ToyState(2, 3, [[3, 4, 9], [5, 6, 7]], Chance(bytes(32)), points=[0, 0])
        turn = Turn(TOY, 1, state.view(1), state.legal_actions(1))
        for _ in range(2):  # the same reason each time that it is asked
            with pytest.raises(ProgramFailed, match=re.escape(text)):
                ask_again_and_again(bot, turn)
        with pytest.raises(ProgramFailed, match=re.escape(text)):
            bot.hear(Chose(1))


def test_a_program_that_ended_as_soon_as_it_began_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sdk.program.RUNNING_SECONDS", 30.0)
    with ended(python(tmp_path, "sys.exit(3)")) as bot, pytest.raises(ProgramFailed, match="ended with exit code 3"):
        bot.check_runs()
    for name in ("RUNNING_SECONDS", "PATIENCE_SECONDS"):
        monkeypatch.setattr(f"bots.sdk.program.{name}", 0.02)
    with ended(python(tmp_path, "time.sleep(99)")) as bot:
        bot.check_runs()


@contextmanager
def ended(spec: str) -> Iterator[Program]:
    """The bot, whose program is ended in the end."""
    bot = get_bot(spec)(1)
    assert isinstance(bot, Program)
    try:
        yield bot
    finally:
        bot._end()


def test_a_program_that_does_not_end_is_ended_with_its_match(tmp_path: Path) -> None:
    kind = get_bot(python(tmp_path, "for line in sys.stdin:\n    print(1, flush=True)\ntime.sleep(99)"))
    before = descendant_pids()
    bot = kind(1)
    play(TOY, [bot, all_bots()["random"](1)], options_from(TOY, {}), Chance(b"1" * 32))
    assert descendant_pids() == before
    left = kind(1)  # whose match never ends
    assert descendant_pids() > before
    del left
    gc.collect()
    assert descendant_pids() == before


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("cmd:", "needs a program"),
        ("cmd:./no-such-program --fast", "There is no program './no-such-program'"),
        ("cmd:'open", "No closing quotation"),
    ],
)
def test_a_program_that_is_not_there_is_told_in_a_sentence(spec: str, text: str) -> None:
    assert bot_file_path(spec) is None
    with pytest.raises(NoSuchBot, match=text):
        get_bot(spec)


def test_arguments_are_passed_on_and_the_class_is_named_after_the_program(tmp_path: Path) -> None:
    spec = python(
        tmp_path, "for line in sys.stdin:\n    if 'turn' in line[:20]: print(len(sys.argv[1].split()) - 1, flush=True)"
    )
    kind = get_bot(f"{spec} 'two words'")
    bot = kind(1)
    play(TOY, [bot, all_bots()["random"](1)], options_from(TOY, {}), Chance(b"1" * 32))
    assert kind.__name__ == "program"
