"""What is refused in a cup, whatever it is in, in its words; and what is nearly the same is not."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from server.cups.standings_worker import StandingsWorker
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer
from tournaments.cup import Cup

Step = tuple[str, str, dict[str, Any]]  # who asks what
BY_ANN = {"cup": "friday", "game": "toy", "seats": 2}
KNOCKOUT_FOR_ALL = {"format": "knockout", "late_entry": True}
OPENS: Step = ("ann", "cup_open", BY_ANN)
RUNS = [OPENS, *((name, "cup_enter", {}) for name in ("bob", "carl")), ("ann", "cup_start", {})]
PROGRAMS = ("bob", "carl", "dora")  # who all agreed to be seated


async def done(hall: Hall, peers: dict[str, Peer], *steps: Step) -> Message:
    """Everybody takes these steps; returns the last answer. They are about friday where no cup is named."""
    answer: Message = {}
    for name, kind, fields in steps:
        if name not in peers:
            program: dict[str, Any] = {"bot": True, "tables": 4} if name in PROGRAMS else {}
            peers[name] = await hall.player(name, **program)
        if kind != "comes":
            answer = await peers[name].ask(kind, **{"cup": "friday", **fields})
    return answer


@pytest.mark.parametrize(
    ("before", "last", "code", "says", "where"),
    [
        ([], ("ann", "cup_open", {**BY_ANN, "deals": "rotated"}), "bad_field", "bots that the organiser", "$.deals"),
        ([], ("ann", "cup_open", {**BY_ANN, "deals": "odd"}), "bad_field", "Deals are: fresh, duplicate.", "$.deals"),
        ([], ("ann", "cup_open", {**BY_ANN, "seats": 16}), "bad_field", "2 to", "$.seats"),
        ([], ("ann", "cup_open", {**BY_ANN, "format": "odd"}), "bad_field", "Formats are: round_robin", "$.format"),
        ([], ("ann", "cup_open", {**BY_ANN, "options": {"odd": 1}}), "bad_option", "odd", "$.options"),
        ([], ("ann", "cup_open", {**BY_ANN, **KNOCKOUT_FOR_ALL}), "bad_field", "Late entrants are", "$.late_entry"),
        (RUNS, ("dora", "cup_enter", {}), "cup_state", "friday takes no more entrants.", ""),
        ([OPENS], ("bob", "cup_enter", {"nonce": "a b"}), "bad_field", "printable ASCII", "$.nonce"),
        ([OPENS], ("bob", "cup_drop", {}), "cup_state", "You are not an entrant of that cup.", ""),
        ([OPENS], ("ann", "cup_invite", {"player": "zoe"}), "no_such_player", "", ""),
        ([OPENS], ("ann", "cup_kick", {"entrant": "zoe"}), "no_such_player", "zoe is not an entrant", ""),
        ([OPENS], ("ann", "cup_clock", {"entrant": "zoe"}), "no_such_player", "zoe is not an entrant", ""),
        ([OPENS], ("bob", "cup_start", {}), "not_cup_owner", "", ""),
        ([OPENS], ("bob", "cup_pause", {}), "not_cup_owner", "", ""),
        (RUNS, ("ann", "cup_start", {}), "cup_state", "friday is running.", ""),
        (RUNS, ("zoe", "cup_enter", {}), "cup_state", "friday takes no more entrants.", ""),
        ([*RUNS, ("zoe", "comes", {})], ("ann", "cup_invite", {"player": "zoe"}), "cup_state", "no more entrants", ""),
        (
            [*RUNS, ("ann", "cup_stop", {})],
            ("ann", "cup_invite", {"player": "bob"}),
            "cup_state",
            "friday takes no more entrants.",
            "",
        ),
        (
            RUNS,
            ("ann", "cup_replace", {"entrant": "bob", "player": "carl"}),
            "cup_state",
            "carl already plays in the cup",
            "",
        ),
        (
            [*RUNS, ("dora", "comes", {}), ("ann", "cup_replace", {"entrant": "bob", "player": "dora"})],
            ("dora", "cup_enter", {}),
            "cup_state",
            "You play for bob there.",
            "",
        ),
        (
            [
                OPENS, ("eve", "cup_enter", {}), ("zoe", "cup_enter", {}), ("ann", "cup_start", {}),
                ("ann", "cup_replace", {"entrant": "eve", "player": "ann"}), ("eve", "cup_enter", {}),
                ("ann", "cup_kick", {"entrant": "eve"}),
            ],
            ("ann", "cup_replace", {"entrant": "eve", "player": "eve"}),
            "cup_state",
            "eve has not agreed",
            "",
        ),
    ],
)  # fmt: skip
async def test_what_a_cup_refuses_is_said_and_changes_nothing(
    hall: Hall, before: list[Step], last: Step, code: str, says: str, where: str
) -> None:
    peers: dict[str, Peer] = {}
    assert (await done(hall, peers, *before)).get("type") != "error"
    kept = [(live.cup.state, live.cup.entrant_names) for live in hall.lobby.cups.list_cups()]
    answer = await done(hall, peers, last)
    assert (answer.get("code"), answer.get("where", "")) == (code, where), answer
    assert says in answer["text"]
    assert [(live.cup.state, live.cup.entrant_names) for live in hall.lobby.cups.list_cups()] == kept


async def test_nobody_is_told_a_nonce_before_the_start_and_everybody_after_it(hall: Hall) -> None:
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS, ("bob", "cup_enter", {"nonce": "x7"}), ("carl", "cup_enter", {}))
    for kind, nonces in (("cup", [None, None]), ("cup_start", ["x7", None]), ("cup", ["x7", None])):
        answer = await done(hall, peers, ("ann", kind, {}))
        assert [one.get("nonce") for one in answer["info"]["entrants"]] == nonces


async def test_a_program_that_plays_in_a_cup_says_nothing_until_it_is_over_and_everybody_else_may(hall: Hall) -> None:
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS, *((name, "cup_enter", {}) for name in ("bob", "eve")), ("ann", "cup_start", {}))
    heard = {name: await done(hall, peers, (name, "comes", {})) for name in ("ann", "bob", "eve", "dora")}
    for name in heard:
        heard[name] = await peers[name].ask("say", text="hello")
    assert {name: answer.get("code") for name, answer in heard.items()} == {
        "ann": None, "bob": "in_cup", "eve": None, "dora": None
    }  # fmt: skip
    assert heard["bob"]["text"] == "A program in a cup may not talk until the cup is over."


async def test_f04_standings_are_refused_where_the_last_of_what_they_counted_never_happened(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS)
    assert (await done(hall, peers, ("ann", "standings", {})))["type"] == "cup_standings"
    live = hall.lobby.cups.get("friday")

    def undone(_tally: StandingsWorker, _cup: Cup) -> list[float]:
        live.tally = StandingsWorker(hall.nursery, trio.Lock())
        return []

    monkeypatch.setattr(StandingsWorker, "update_rows", undone)
    assert (await done(hall, peers, ("ann", "standings", {})))["code"] == "storage"
