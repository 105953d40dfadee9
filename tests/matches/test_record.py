"""A match is written to a file and read again; whatever is changed in the file is found, and its place named."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.api import Game
from games.chance import Chance
from games.registry import all_games
from matches.record import Record, read_replay, verify_replay
from protocol.entries import ChatSent, PresenceChanged
from protocol.replay import BadReplay, HashChain
from tests.e2e.schemas import faults
from tests.helpers.toy import TOY
from tests.matches.golden import golden_records
from tests.matches.played import file_of, forged, plain, played

GAMES = {**all_games(), TOY.id: TOY}
Lines = list[dict[str, Any]]


@pytest.mark.parametrize(("path", "record"), golden_records().items(), ids=lambda value: getattr(value, "stem", ""))
def test_a_match_makes_the_file_that_it_made_before_and_the_file_holds(path: Path, record: Record) -> None:
    assert path.is_file(), "write it: python -m tests.matches.golden"
    assert path.read_bytes() == file_of(record)
    assert verify_replay(path.read_bytes(), GAMES).entries == record.entries


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_file_that_is_read_and_written_again_has_the_same_bytes(game: Game) -> None:
    for seats in (game.min_seats, game.max_seats):
        data = file_of(played(game, seats, number=seats))
        assert file_of(verify_replay(data, GAMES)) == data


@pytest.mark.parametrize("how", ["left", "late", "illegal", "resigned", "crashed", "kicked"])
def test_a_seat_may_be_taken_over_in_every_way_that_there_is(how: str) -> None:
    record = played(TOY, most=2)
    entries = (*record.entries[:-1], PresenceChanged(record.entries[-1].at, 2, how, "random"), record.entries[-1])
    assert verify_replay(file_of(replace(record, entries=entries)), GAMES).entries == entries


def test_the_cards_of_a_match_are_in_its_file_where_they_replaced_the_game_s_own() -> None:
    own = all_games()["mages-110m"]
    text = (Path(__file__).parents[1] / "games/mages_110m/deck.toml").read_text(encoding="utf-8")
    game = own.with_cards(text)
    data = file_of(played(game))
    assert plain(data)[0]["cards"] == game.cards_digest
    record = verify_replay(data, GAMES)
    assert (record.game.cards_digest, record.game.card_file_text()) == (game.cards_digest, game.card_file_text())
    assert "source" not in plain(file_of(played(own)))[0]


# -- damage ------------------------------------------------------------------------------------------------------------


def refusal(data: bytes) -> BadReplay:
    with pytest.raises(BadReplay) as caught:
        verify_replay(data, GAMES)
    return caught.value


def test_a_flipped_bit_of_any_byte_is_found_and_its_line_named() -> None:
    data = file_of(played(TOY, 2))
    number = 1
    for place, byte in enumerate(data):
        flipped = data[:place] + bytes((byte ^ 1 << place % 8,)) + data[place + 1 :]
        assert refusal(flipped).line == number, place
        number += byte == ord("\n")


def test_a_file_that_ends_early_is_found_wherever_it_ends() -> None:
    data = file_of(played(TOY, 2))
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    for length in sorted({*range(0, len(data), 5), *ends, *(end + 1 for end in ends[:-1])}):
        assert refusal(data[:length]).line in (data[:length].count(b"\n"), data[:length].count(b"\n") + 1)


def test_a_line_that_is_missing_stands_twice_or_elsewhere_is_found() -> None:
    lines = file_of(played(TOY, 2)).splitlines(keepends=True)
    for place in range(len(lines)):
        assert refusal(b"".join(lines[:place] + lines[place + 1 :])).line >= place
        assert refusal(b"".join(lines[: place + 1] + lines[place:])).line in (place + 1, place + 2)
    assert refusal(b"".join([lines[1], lines[0], *lines[2:]])).line == 1
    assert refusal(b"").text == "The line `over` is missing at the end."


# -- forgery: the hashes fit -------------------------------------------------------------------------------------------


def change(where: int, **fields: Any) -> Callable[[Lines], object]:
    """Other values in the line of that number, or the last one's for -1."""

    def forge(lines: Lines) -> None:
        lines[where - 1 if where > 0 else where].update(fields)

    return forge


FORGERIES: dict[str, tuple[int, str, Callable[[Lines], object]]] = {
    "no game": (1, "There is no game", change(1, game="chess")),
    "version": (1, "Replays of version 1", change(1, replay=2)),
    "rules": (1, "rules version 0", change(1, rules_version="0")),
    "cards": (1, "other cards", change(1, cards="00")),
    "card file": (1, "does not support other cards", change(1, source="x = 1")),
    "option": (1, "no option", change(1, options={"moon": 1})),
    "seats": (1, "not played with such seats", lambda lines: lines[0]["seats"].pop()),
    "nonces": (1, "not played with such seats and nonces", change(1, nonces=["a"])),
    "nonce": (1, "That cannot be", change(1, nonces=["\u00e4", ""])),
    "commitment": (1, "The commitment does not fit", change(1, commitment="0" * 64)),
    "salt": (1, "The commitment does not fit", change(-1, salt="f" * 32)),
    "seed": (1, "The commitment does not fit", change(-1, seed="f" * 64)),
    "deal": (1, "`told` is", lambda lines: lines[0]["told"][0]["event"].update(cards=[1])),
    "position": (2, "`state` is", change(2, state="0" * 64)),
    "field": (2, "It is no line of a replay", change(2, mood="good")),
    "why": (2, "It is no line of a replay", change(2, why="moon")),
    "seat": (2, "There are 2 seats", change(2, seat=3)),
    "turn": (2, "`turn` is 2, but 1", change(2, turn=2)),
    "action": (2, "The rules refuse this action", change(2, action={"do": "play", "card": 99})),
    "no action": (2, "do", change(2, action={"do": "steal"})),
    "clock": (2, "`main` is", change(2, main=1.0)),
    "too late": (2, "seconds were left", lambda lines: [line.update(at=line["at"] + 1e3) for line in lines[1:-1]]),
    "too early": (3, "seconds before the line above", change(3, at=0.0)),
    "time": (2, "seconds were left", change(2, why="time")),
    "twice": (3, "had nothing to decide", lambda lines: lines[2].update(seat=lines[1]["seat"])),
    "score": (-1, "`results` is", lambda lines: lines[-1]["results"][0].update(score=9)),
    "place": (-1, "`results` is", lambda lines: lines[-1]["results"][0].update(place=9)),
    "text": (-1, "`text` is", change(-1, text="Ada wins.")),
    "not over": (-1, "That cannot be: the match is not over", lambda lines: lines.pop(-2)),
    "goes on": (-1, "That cannot be: the match was over", lambda lines: lines.insert(-1, copy.deepcopy(lines[-2]))),
    "two matches": (3, "one in a file", lambda lines: lines.insert(2, lines[0])),
    "two ends": (3, "Lines follow", lambda lines: lines.insert(2, lines[-1])),
    "no beginning": (1, "begins with a line `match`", lambda lines: lines.pop(0)),
    "other order": (2, "not written as it has to be", lambda lines: lines[1].update(seat=lines[1].pop("seat"))),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_h03_a_forged_line_is_named_though_all_hashes_fit(name: str) -> None:
    number, text, forge = FORGERIES[name]
    record = played(TOY, 2)
    lines = plain(file_of(record))
    forge(lines)
    found = refusal(forged(lines))
    assert text in found.text
    assert found.line == (number if number > 0 else len(lines) if name != "goes on" else len(lines) - 1)


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    3,
    10**18,
    1.5,
    -0.5,
    1e308,
    "",
    "x",
    [],
    {},
    [[]],
    {"do": 1},
    "\u2603" * 10,
)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
@pytest.mark.parametrize("forgeries", [150, pytest.param(4_000, marks=pytest.mark.soak)])
def test_h03_whatever_a_forged_file_holds_the_answer_is_a_sentence(game: Game, forgeries: int) -> None:
    lines = plain(file_of(played(game, most=12)))
    chance = Chance.of_number(7)
    for _ in range(forgeries):
        wrong = copy.deepcopy(lines)
        spoil(wrong[chance.below("line", len(wrong))], chance)
        found: BadReplay | None = None
        try:
            verify_replay(forged(wrong), GAMES)
        except BadReplay as error:
            found = error
        assert found is None or (1 <= found.line <= len(wrong) and found.text)


def spoil(value: Any, chance: Chance) -> None:
    """Replaces something in a map, or deep within it."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = chance.choice("key", keys)
    if isinstance(value[key], dict | list) and value[key] and chance.below("deeper", 3):
        spoil(value[key], chance)
    else:
        value[key] = chance.choice("junk", JUNK)


def test_a_file_that_is_only_read_names_its_damage_too() -> None:
    data = file_of(played(TOY, 2))
    assert read_replay(data, GAMES).entries == verify_replay(data, GAMES).entries
    with pytest.raises(BadReplay, match="There is no game 'toy' here"):
        read_replay(data, all_games())
    for number, fields in ((1, {"options": {"moon": 1}}), (2, {"action": {"do": "steal"}})):
        lines = plain(data)
        change(number, **fields)(lines)
        with pytest.raises(BadReplay) as caught:
            read_replay(forged(lines), GAMES)
        assert caught.value.line == number


@pytest.mark.parametrize(
    ("forge", "text"),
    [
        (change(2, at=1e6), r"It happened 99\d\d\d\d\.\d\d\d seconds before the line above\."),
        (change(-1, text="x" * 58), f'`text` is "{"x" * 58}", but "Most points win." follows from what was done.'),
        (
            change(-1, text="x" * 59),
            f'`text` is "{"x" * 56}\\.\\.\\., but "Most points win." follows from what was done.',
        ),
    ],
)
def test_what_is_wrong_is_told_exactly(forge: Callable[[Lines], object], text: str) -> None:
    lines = plain(file_of(played(TOY, 2)))
    forge(lines)
    assert re.fullmatch(text, refusal(forged(lines)).text)


def test_clocks_are_written_to_the_millisecond() -> None:
    record = played(TOY, 2, most=1)
    (done, aborted) = record.entries
    done = msgspec.structs.replace(done, at=1.23456)
    lines = plain(file_of(replace(record, entries=(done, aborted))))
    assert (lines[1]["at"], lines[1]["left"], lines[1]["main"]) == (1.23456, 63.765, 60.0)


# -- the page and the schema -------------------------------------------------------------------------------------------


def test_the_page_s_example_of_a_hash_is_right() -> None:
    text = (Path(__file__).parents[2] / "docs" / "protocol-replays.md").read_text(encoding="utf-8")
    found = re.search(r"began with the body `(.*?)`, the hash of this line would be\n`([0-9a-f]{64})`", text)
    assert found is not None
    sealed = HashChain().add_hash(ChatSent(at=1.5, sender="Ada", text="Good luck!")).decode()
    assert sealed == f'{found[1]},"hash":"{found[2]}"}}\n'


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_line_fits_the_schema_and_what_it_tells_that_of_the_game(game: Game) -> None:
    for raw in file_of(played(game, game.max_seats, most=30)).splitlines():
        line = json.loads(raw)
        assert faults("replay", line["line"], line) == []
        if game is not TOY:
            assert not any(faults(game.id, "event", one["event"]) for one in line.get("told", ()))
            assert "action" not in line or faults(game.id, "action", line["action"]) == []
    assert faults("replay", "spoke", {"line": "spoke", "at": 1, "sender": "Ada", "text": "Hm", "hash": "0", "mood": 1})
