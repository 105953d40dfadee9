"""What is refused to who opens, joins, watches and starts tables, in its words; and what is nearly the same is not."""

from __future__ import annotations

from typing import Any

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import ClockRule
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer

OPENS: tuple[str, dict[str, Any]] = ("ann open", {"game": "toy", "seats": 2})
BEGUN: list[tuple[str, dict[str, Any]]] = [OPENS, ("bob join", {}), ("ann start", {})]
AFTER_ITS_LEAST = {"game": "toy", "seats": 2, "delay": limits.LEAST_DELAY}


async def done(hall: Hall, peers: dict[str, Peer], *steps: tuple[str, dict[str, Any]]) -> Message:
    """Everybody takes these steps; returns the last answer. They are about t1 where no table is named."""
    answer: Message = {}
    for step, fields in steps:
        name, _blank, kind = step.partition(" ")
        if name not in peers:
            peers[name] = await hall.player(name)
        about = {} if kind == "open" or kind.startswith("cup_") else {"table": "t1"}
        answer = await peers[name].ask(kind, **{**about, **fields})
    return answer


@pytest.mark.parametrize(
    ("before", "last", "code", "says", "where"),
    [
        ([], ("ann open", {"game": "chess"}), "no_such_game", "The games here are: toy.", ""),
        ([], ("ann open", {"game": "toy", "seats": 5}), "bad_field", "", "$.seats"),
        ([], ("ann open", {"game": "toy", "seats": 2, "seat": 3}), "bad_field", "1 to 2", "$.seat"),
        ([], ("ann open", {"game": "toy", "delay": 1}), "bad_field", f"{limits.LEAST_DELAY} seconds", "$.delay"),
        ([], ("ann open", {"game": "toy", "delay": limits.LEAST_DELAY - 1}), "bad_field", "at least 30", "$.delay"),
        ([], ("ann open", {"game": "toy", "options": {"odd": 1}}), "bad_option", "odd", "$.options"),
        ([OPENS], ("bob join", {"nonce": "a b"}), "bad_field", "printable ASCII", "$.nonce"),
        ([OPENS], ("bob join", {"seat": 3}), "bad_field", "1 to 2", "$.seat"),
        ([OPENS], ("ann start", {"nonce": "a b"}), "bad_field", "printable ASCII", "$.nonce"),
        ([OPENS], ("bob start", {}), "not_owner", "", ""),
        ([OPENS], ("bob add", {"bot": "first"}), "not_owner", "", ""),
        ([OPENS], ("ann add", {"bot": "odd"}), "no_such_bot", "The bots for toy are: first.", ""),
        ([OPENS], ("ann add", {"bot": "bob"}), "no_such_bot", "The bots for toy are: first.", ""),
        ([OPENS], ("ann legal", {}), "not_started", "", ""),
        ([OPENS], ("ann watch", {}), "already_seated", "", ""),
        (BEGUN, ("bob join", {}), "already_seated", "", ""),
        (BEGUN, ("eve join", {}), "already_started", "Type watch t1 to see it", ""),
        (BEGUN, ("ann start", {}), "already_started", "", ""),
        (BEGUN, ("ann watch", {}), "already_seated", "", ""),
        (BEGUN, ("eve act", {"turn": 1, "action": {}}), "not_seated", "", ""),
        ([("ann open", AFTER_ITS_LEAST)], ("bob join", {}), "not_agreed", "", ""),
    ],
)  # fmt: skip
async def test_what_is_refused_at_a_table_is_said_and_changes_nothing(
    hall: Hall,
    before: list[tuple[str, dict[str, Any]]],
    last: tuple[str, dict[str, Any]],
    code: str,
    says: str,
    where: str,
) -> None:
    peers: dict[str, Peer] = {}
    await hall.player("bob") if last[1].get("bot") == "bob" else None
    assert (await done(hall, peers, *before)).get("type") != "error"
    kept = [table.table_info() for table in hall.lobby.tables.values()]
    answer = await done(hall, peers, last)
    assert (answer.get("code"), answer.get("where", "")) == (code, where), answer
    assert says in answer["text"]
    assert [table.table_info() for table in hall.lobby.tables.values()] == kept


async def test_what_happens_to_tables_that_nobody_needs_depends_on_the_time_alone(hall: Hall) -> None:
    config, peers = hall.lobby.config, dict[str, Peer]()
    await trio.sleep(2 * config.idle_seconds)
    await done(hall, peers, OPENS, ("bob open", OPENS[1]), ("bob add", {"table": "t2", "bot": "first"}))
    await done(hall, peers, ("bob start", {"table": "t2"}), ("eve open", OPENS[1]), ("eve leave", {"table": "t3"}))
    await peers["bob"].play_on()

    async def here(seconds: float) -> list[str]:
        await trio.sleep(seconds)
        return [one["table"] for one in (await peers["ann"].ask("tables"))["tables"]]

    begun = trio.current_time()
    assert await here(0.9) == ["t1", "t2", "t3"]
    assert await here(1.05) == ["t1", "t2"], "where nobody sits"
    assert await here(begun + config.keep_seconds - 1 - trio.current_time()) == ["t1", "t2"]
    assert await here(2.1) == ["t1"], "what is over"
    assert await here(begun + config.idle_seconds - 1 - trio.current_time()) == ["t1"]
    await trio.sleep(3.1)
    await peers["eve"].ask("open", game="toy")
    assert list(hall.lobby.tables) == ["t4"], "where nothing happens"


def opened(hall: Hall, *owners: str) -> list[str]:
    """These have opened a table each, one after the other; returns all that are there."""
    for owner in owners:
        hall.lobby.open_table("toy", 2, owner, {}, ClockRule())
    return list(hall.lobby.tables)


@pytest.mark.parametrize("config", [{"tables": 3}], indirect=True)
async def test_on_a_full_server_what_is_over_makes_room_before_what_never_started_and_a_cup_has_its_own(
    hall: Hall,
) -> None:
    await trio.sleep(10 * limits.UNSTARTED_SECONDS)
    tables = hall.lobby.tables
    assert opened(hall, "ann", "bob", "eve") == ["t1", "t2", "t3"]
    with pytest.raises(Refusal, match="The server is full: it has 3 tables, the most that it takes"):
        opened(hall, "zoe")
    assert opened(hall, "", "", "")[3:] == ["t4", "t5", "t6"], "players leave cups their room"
    with pytest.raises(Refusal, match="the most that it takes"):
        opened(hall, "")
    for table_id in ("t4", "t5", "t6"):
        tables.remove(table_id)
    tables["t1"].touched -= limits.UNSTARTED_SECONDS
    with pytest.raises(Refusal, match="the most that it takes"):
        opened(hall, "zoe")
    tables["t1"].touched -= 2
    tables["t2"].touched -= 1
    tables["t2"].done.set()
    tables["t3"].done.set()
    assert opened(hall, "zoe") == ["t1", "t3", "t7"], "of what is over the one that was over first"
    assert opened(hall, "zoe") == ["t1", "t7", "t8"]
    assert opened(hall, "zoe") == ["t7", "t8", "t9"], "nobody began there for long"
    with pytest.raises(Refusal, match="the most that it takes"):
        opened(hall, "zoe")
