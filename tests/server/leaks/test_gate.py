"""The gate: whatever happens in a town, nobody is sent anything that depends on what they cannot know.

Every request is asked, every scene is played in every setting, and everything that leaves the server is compared: bytes
and their moments, prices, the log, the operator's answers, what the network is told, and the report of a cup.
"""

from __future__ import annotations

import pytest

from protocol import messages as m
from protocol.errors import CODES, GOODBYES
from tests.server.leaks.gate_scenes import PLAYS, in_turn
from tests.server.leaks.twins import Seen, compare_towns
from tests.server.leaks.two_worlds import Leak
from tests.server.leaks.watched import work_counted

MESSAGES_NOT_COMPARED: dict[str, str] = {}  # reasons
CODES_NOT_COMPARED = {
    "other_rules": "a match that began under rules that are not installed any more is not played: nothing is dealt",
    "no_resigning": "the toy game allows it; test_leaks_of_real_games.py plays those that do not",
    "server_full": "answered before anything of a table is looked at; takes 20,000 names",
    "too_many_cups": "takes many cups; looks at their number alone",
    "too_many_tables": "takes many tables; looks at their number alone",
    "too_many_spectators": "takes 256 connections; looks at their number alone",
    "too_much_chat": "takes 300 messages; looks at their number alone",
    "not_agreed": "looks at the delay of an open table alone",
    "bad_chat": "answered before anything of a table is looked at",
    "bad_number": "of a typed line, which is compared as the text that it leads to",
    "unknown_word": "of a typed line, which is compared as the text that it leads to",
    "bad_id": "looks at the numbers of one's own requests",
    "slow_down": "looks at the proofs of one name from one address",
    "table_full": "an open table has no hands yet",
    "unreadable": "the toy game reads what is typed without looking at the table; real games are in the other gates",
}
GOODBYES_NOT_COMPARED = {
    "internal": "an error of ours that concerns one connection; its sentence is fixed, and its incident is in the log",
    "slow_reader": "is never told",
}
WITH_ALL_MESSAGES = (
    *("all_is_changed_by_strangers-fresh-everybody", "strangers_knock-table-p1", "all_are_silent-table-p1"),
    *("the_server_errs_at_a_table-duplicate-everybody", "all_is_changed_by_players-fresh-p1"),
    *("the_disk_is_full-table-p1", "the_server_is_killed-open-everybody", "everybody_talks-table-everybody"),
    *("the_server_errs_at_a_table-fresh-p1", "entrants_change-fresh-everybody", "one_errs_until_it_is_out-table-p1"),
    *("connections_end_badly-table-p1", "the_server_ends_in_good_order-table-p1"),
    *("all_is_changed_through_the_socket-table-p1", "players_come_and_go-table-p1"),
    *("all_pause-table-p1", "a_decision_is_taken_back-table-p1"),
)
_TOGETHER = {PLAYS[name].scene for name in WITH_ALL_MESSAGES}
ALONE = [name for name in in_turn() if PLAYS[name].scene not in _TOGETHER]
COUNTED = ("all_is_asked-duplicate-p1", "a_round_is_played-table-spectators")


@pytest.mark.parametrize("name", ALONE)
async def test_in_every_scene_observers_of_two_worlds_are_told_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await compare_towns(PLAYS[name], monkeypatch)).compared > 50


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in PLAYS if name not in (*ALONE, *WITH_ALL_MESSAGES)])
async def test_in_every_scene_all_other_observers_are_told_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await compare_towns(PLAYS[name], monkeypatch)).compared > 50


@pytest.mark.timeout(400)  # it plays eleven scenes
async def test_all_messages_and_errors_are_compared_while_the_worlds_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """These scenes are played nowhere else. A new message is told in one of them, or stands in one of the tables above
    with the reason why not."""
    seen = Seen()
    for name in WITH_ALL_MESSAGES:
        before = seen.compared
        try:
            await compare_towns(PLAYS[name], monkeypatch, seen)
        except Leak as leak:
            leak.add_note(name)
            raise
        assert seen.compared > before + 50
    told = {kind.__name__ for kind in (*m.REPLIES, *m.TOLD)}
    assert told - MESSAGES_NOT_COMPARED.keys() - set(seen.kinds) == set()
    assert CODES.keys() - CODES_NOT_COMPARED.keys() - set(seen.kinds) == set()
    assert {f"bye {why}" for why in GOODBYES.keys() - GOODBYES_NOT_COMPARED.keys()} - set(seen.kinds) == set()


@pytest.mark.parametrize("name", COUNTED)
async def test_the_server_does_the_same_work_in_both_worlds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await compare_towns(PLAYS[name], monkeypatch)  # what a process computes once is computed now
    with work_counted():
        assert (await compare_towns(PLAYS[name], monkeypatch)).compared > 50
