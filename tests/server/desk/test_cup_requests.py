"""Cups as players ask for them: opening, entering, starting, watching, leaving."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from people.text.listings import cup_line
from people.text.sentences import CUP_STOPPED
from protocol.messages import ClockRule
from server.page.files import render_blocks
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tournaments.cup import fold_entries
from tournaments.formats.registry import FORMATS
from tournaments.formats.round_robin import RoundRobin
from tournaments.schedule import commitment_to, deal_seed


async def play(peer: Peer) -> None:
    """Does the first legal thing at every turn, for ever; what is told is kept."""
    while True:
        message = await peer.message()
        peer.told.append(message)
        if message["type"] == "turn":
            peer.last_id += 1
            act = {"type": "act", "id": peer.last_id, "table": message["table"], "turn": message["turn"]}
            await peer.send({**act, "action": message["legal"][0]})


async def opened(hall: Hall, *names: str, **more: Any) -> tuple[Peer, list[Peer]]:
    """The owner of a cup, and its entrants."""
    ann = await hall.player("ann")
    answer = await ann.ask("cup_open", cup="friday", game="toy", **more)
    assert answer["type"] == "cup_info", answer
    peers = []
    for name in names:
        peers.append(await hall.player(name, bot=True))
        assert (await peers[-1].ask("cup_enter", cup="friday"))["type"] == "cup_info"
    return ann, peers


async def finish(hall: Hall, peers: list[Peer]) -> None:
    """All of these play until the cup is over."""
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(play, peer)
        while not hall.lobby.cups.get("friday").cup.is_over:  # noqa: ASYNC110
            await trio.sleep(0.1)
        await trio.sleep(0.1)
        nursery.cancel_scope.cancel()


async def test_a_cup_from_its_opening_to_its_secret(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", "dora", seats=2, rounds=2)
    before = (await ann.ask("cup", cup="friday"))["info"]
    assert (before["state"], [one["entrant"] for one in before["entrants"]]) == ("open", ["bob", "carl", "dora"])
    started = (await ann.ask("cup_start", cup="friday"))["info"]
    assert (started["state"], started["planned"], len(started.get("playing", ()))) == ("running", 6, 0)
    await finish(hall, peers)
    after = (await ann.ask("cup", cup="friday"))["info"]
    assert (after["state"], after["played"]) == ("finished", 6)
    assert commitment_to(bytes.fromhex(after["secret"])) == before["commitment"] == after["commitment"]
    told = [message for message in peers[0].told if message["type"] in ("cup_changed", "paired", "result")]
    assert [one["match"] for one in told if one["type"] == "result"] == [1, 2, 3, 4, 5, 6]
    assert told[-1] == {"type": "cup_changed", "info": {k: v for k, v in after.items() if k != "entrants"}}
    rows = (await ann.ask("standings", cup="friday"))["rows"]
    assert sorted(row["entrant"] for row in rows) == ["bob", "carl", "dora"]
    assert sum(row["seats"] for row in rows) == 12
    assert {tuple(row["ended"].items()) for row in rows} == {(("played", 4),)}


async def test_the_nonces_of_all_entrants_go_into_every_deal_and_are_told_from_the_start_on(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=1)
    assert (await bob.ask("cup_enter", cup="friday", nonce="b\u00fc"))["code"] == "bad_field"
    for nonce in ("x7", "x8"):
        entered = (await bob.ask("cup_enter", cup="friday", nonce=nonce))["info"]["entrants"]
        assert not any("nonce" in one for one in entered)
    await bob.ask("cup_enter", cup="friday", tables=2)
    started = (await ann.ask("cup_start", cup="friday"))["info"]["entrants"]
    assert [one.get("nonce", "") for one in started] == ["x8", ""]
    await bob.ask("cup_enter", cup="friday", nonce="later")
    await finish(hall, [bob, carl])
    after = (await ann.ask("cup", cup="friday"))["info"]
    assert after["entrants"][0]["nonce"] == "x8"
    cup = hall.lobby.cups.get("friday").cup
    seeds = [hall.lobby.tables[played.table].seed for played in cup.finished_matches()]
    assert seeds == [deal_seed(bytes.fromhex(after["secret"]), deal, ("x8", "")) for deal in (1, 2)]


async def test_a_player_enters_a_cup_after_its_start_and_plays_in_the_rounds_to_come(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=3, format="swiss", late_entry=True)
    assert (await ann.ask("cup_start", cup="friday"))["info"]["late_entry"]
    dora = await hall.player("dora", bot=True)
    entered = (await dora.ask("cup_enter", cup="friday"))["info"]
    assert ([one["entrant"] for one in entered["entrants"]], entered["planned"]) == (["bob", "carl", "dora"], 3)
    await finish(hall, [*peers, dora])
    rows = (await ann.ask("standings", cup="friday"))["rows"]
    assert {row["entrant"] for row in rows} == {"bob", "carl", "dora"}
    assert any("dora" in one["entrants"] for one in dora.told if one["type"] == "paired")


async def test_a_program_enters_no_cup_of_a_game_that_it_does_not_play(hall: Hall) -> None:
    await opened(hall)
    racer = await hall.player("racer", bot=True, games=["other"])
    answer = await racer.ask("cup_enter", cup="friday")
    assert (answer["code"], answer["text"]) == ("cup_state", "Your hello says that you do not play toy.")
    both = await hall.player("both", bot=True, games=["other", "toy"])
    assert (await both.ask("cup_enter", cup="friday"))["type"] == "cup_info"


async def test_who_follows_watches_one_match_after_the_other(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    eve = await hall.player("eve")
    await eve.ask("follow", cup="friday")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    told = await eve.heard()
    shown = [one["table"] for one in told if one["type"] == "paired" and one.get("shown")]
    assert shown == ["t1", "t2"]
    assert [one["table"] for one in told if one["type"] == "started"] == shown
    assert [one["table"] for one in told if one["type"] == "over"] == shown
    assert told[-1]["info"]["state"] == "finished"
    assert "turn" not in {one["type"] for one in told}


async def test_a_cup_takes_so_many_followers_and_who_follows_already_may_say_so_again(hall: Hall) -> None:
    hall.limit(spectators_a_table=1)
    await opened(hall, "bob", "carl", seats=2)
    eve, fay = await hall.player("eve"), await hall.player("fay")
    assert (await eve.ask("follow", cup="friday"))["type"] == "cup_info"
    assert (await fay.ask("follow", cup="friday"))["code"] == "too_many_spectators"
    assert (await eve.ask("follow", cup="friday"))["type"] == "cup_info"
    await eve.ask("follow", cup="friday", off=True)
    assert (await fay.ask("follow", cup="friday"))["type"] == "cup_info"


async def test_who_follows_and_plays_hears_a_match_once_from_the_own_seat(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    for peer in peers:
        await peer.ask("follow", cup="friday")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    seats = []
    for peer in peers:
        told = [one for one in peer.received if one.get("table") == "t1" and "n" in one]
        assert [one["n"] for one in told] == list(range(1, len(told) + 1))
        seats += [one["you"] for one in told if one["type"] == "started"]
        assert not any(one.get("shown") for one in peer.received)
    assert sorted(seats) == [1, 2]


async def test_who_follows_no_longer_hears_nothing_more(hall: Hall) -> None:
    ann, _peers = await opened(hall, "bob", "carl", seats=2)
    eve = await hall.player("eve")
    await eve.ask("follow", cup="friday")
    await eve.ask("follow", cup="friday", off=True)
    await ann.ask("cup_start", cup="friday")
    assert await eve.heard() == []


async def test_what_can_never_be_played_is_refused_when_the_cup_is_opened(hall: Hall) -> None:
    ann = await hall.player("ann")
    refused = await ann.ask("cup_open", cup="friday", game="toy", seats=2, format="gauntlet", deals="duplicate")
    assert (refused["code"], refused["where"]) == ("bad_field", "$.deals")
    assert refused["text"] == "A gauntlet has fresh deals: its first entrant plays in every match."
    for format_ in ("round_robin", "gauntlet", "swiss", "knockout"):
        more = {"format": format_, "deals": "fresh" if format_ == "gauntlet" else "duplicate"}
        assert (await ann.ask("cup_open", cup=f"a-{format_}"[:16], game="toy", seats=2, **more))["type"] == "cup_info"


async def test_a_paused_cup_begins_no_match_and_goes_on(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=3)
    await ann.ask("cup_start", cup="friday")
    await ann.ask("cup_pause", cup="friday")
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(play, peer)
        await trio.sleep(5)
        assert (await ann.ask("cup", cup="friday"))["info"].get("played", 0) <= 1
        nursery.cancel_scope.cancel()
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    assert (await ann.ask("cup", cup="friday"))["info"]["played"] == 6


async def test_a_stopped_cup_aborts_what_is_played_and_tells_its_secret(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=3)
    await ann.ask("cup_start", cup="friday")
    await peers[0].next("turn")
    stopped = (await ann.ask("cup_stop", cup="friday"))["info"]
    assert (stopped["state"], len(stopped["secret"])) == ("stopped", 64)
    over = await peers[0].next("over")
    assert over["aborted"]
    assert "stopped" in over["text"]
    assert (await ann.ask("cup_start", cup="friday"))["code"] == "cup_state"
    assert (await peers[0].ask("open", game="toy"))["type"] == "table", "nobody is held any more"


async def test_a_cup_is_stopped_though_the_table_of_one_match_cannot_be_read_any_more(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", "dora", "eve", seats=2, rounds=1)
    await ann.ask("cup_start", cup="friday")
    await peers[0].next("turn")
    await trio.sleep(1.0)  # both matches have begun
    gone, going_on = (table for table in hall.lobby.tables.values() if table.state == "playing")
    hall.lobby.tables.remove(gone.id)
    live = hall.lobby.cups.get("friday")
    assert {gone.id, going_on.id} <= {live.cup.tables[pairing.number] for pairing in live.cup.running_pairings()}
    hall.lobby.cups.change_state(live, "stopped")
    assert (await ann.ask("cup", cup="friday"))["info"]["state"] == "stopped"
    over = going_on.require_live_match().match.over
    assert over is not None
    assert over.text == CUP_STOPPED


async def test_who_drops_is_played_for_and_may_return_or_be_replaced(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=3)
    await ann.ask("cup_start", cup="friday")
    await bob.next("turn")
    assert (await bob.ask("cup_drop", cup="friday"))["info"]["entrants"][0]["dropped"]
    assert (await bob.ask("open", game="toy"))["type"] == "table"
    dora = await hall.player("dora", bot=True, tables=1)
    assert (await ann.ask("cup_replace", cup="friday", entrant="nobody", player="dora"))["code"] == "no_such_player"
    eve = await hall.player("eve")
    assert (await ann.ask("cup_replace", cup="friday", entrant="bob", player="eve"))["code"] == "cup_state"
    await hall.player("fay", bot=True, tables=1, games=["ikasamage"])
    assert (await ann.ask("cup_replace", cup="friday", entrant="bob", player="fay"))["code"] == "cup_state"
    assert await eve.heard() == []
    replaced = (await ann.ask("cup_replace", cup="friday", entrant="bob", player="dora"))["info"]
    assert replaced["entrants"][0] == {"entrant": "bob"}
    assert "plays for you" in (await bob.ask("cup_enter", cup="friday"))["text"], "only the owner puts bob back"
    await finish(hall, [carl, dora])
    rows = {row["entrant"]: row for row in (await ann.ask("standings", cup="friday"))["rows"]}
    assert rows["bob"]["ended"]["played"] >= 4
    assert rows["carl"]["ended"] == {"played": 6}


async def test_a_cup_whose_entrants_have_all_dropped_out_ends(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=50)
    await ann.ask("cup_start", cup="friday")
    await bob.next("turn")
    await bob.ask("cup_drop", cup="friday")
    await trio.sleep(60)
    assert (await ann.ask("cup", cup="friday"))["info"]["state"] == "running", "carl stays"
    await carl.ask("cup_drop", cup="friday")
    await trio.sleep(1)
    info = (await ann.ask("cup", cup="friday"))["info"]
    assert (info["state"], info["played"] < 5, info.get("playing", ())) == ("stopped", True, ())


async def test_a_swiss_cup_pairs_those_who_stay_without_the_one_who_left(hall: Hall) -> None:
    ann, peers = await opened(hall, *(f"bot-{number}" for number in range(5)), seats=2, rounds=3, format="swiss")
    await ann.ask("cup_start", cup="friday")
    await peers[0].ask("cup_drop", cup="friday")
    await finish(hall, peers[1:])
    cup = hall.lobby.cups.get("friday").cup
    late = [match.pairing.entrants for match in cup.finished_matches()[2:]]
    assert len(late) == 4
    assert not any(0 in entrants for entrants in late)
    assert fold_entries(cup.settings, cup.entries).pairings() == cup.pairings(), "the log alone tells the pairings"


async def test_a_gauntlet_s_standings_mark_its_challenger_and_show_it_against_each(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", "dora", seats=2, rounds=9, format="gauntlet", rank_by="rating")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    told = await ann.ask("standings", cup="friday")
    assert (told["rank_by"], told["challenger"]) == ("rating", "bob")
    assert [(one["entrant"], one["matches"]) for one in told["against"]] == [("carl", 9), ("dora", 9)]
    assert all(0 <= one["low"] <= one["ahead"] <= one["high"] <= 1 for one in told["against"])
    assert all(0 <= row["score_low"] <= row["score"] <= row["score_high"] <= 1 for row in told["rows"])
    refused = await ann.ask("cup_open", cup="monday", game="toy", rank_by="beauty")
    assert (refused["code"], refused["text"]) == ("bad_field", "A cup is ranked by: score, rating.")


async def test_standings_of_few_deals_say_that_their_numbers_are_no_ranks(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    rows = (await ann.ask("standings", cup="friday"))["rows"]
    assert [row["ranked"] for row in rows] == [False, False]


async def test_whom_the_owner_sends_away_is_told_and_enters_again_only_when_invited(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=1)
    kick = {"cup": "friday", "entrant": "bob"}
    assert (await carl.ask("cup_kick", **kick))["code"] == "not_cup_owner"
    assert (await ann.ask("cup_kick", **kick))["info"]["entrants"] == [{"entrant": "carl"}]
    (told,) = await bob.heard()
    assert told == {"type": "sent_away", "table": "", "why": "kicked", "by": "ann", "cup": "friday"}
    assert (await ann.ask("cup_kick", **kick))["code"] == "no_such_player"
    refused = await bob.ask("cup_enter", cup="friday")
    assert refused["text"] == "You were sent away from friday; its owner may invite you."
    await ann.ask("cup_invite", cup="friday", player="bob")
    entrants = (await bob.ask("cup_enter", cup="friday"))["info"]["entrants"]
    assert [one["entrant"] for one in entrants] == ["carl", "bob"]


async def test_who_is_sent_away_from_a_running_cup_is_played_for(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=2)
    await ann.ask("cup_start", cup="friday")
    await bob.next("turn")
    assert (await ann.ask("cup_kick", cup="friday", entrant="bob"))["info"]["entrants"][0]["dropped"]
    assert (await bob.next("sent_away"))["cup"] == "friday"
    assert (await bob.ask("cup_enter", cup="friday"))["code"] == "cup_state"
    await finish(hall, [carl])
    seats = [seat for table in hall.lobby.tables.values() for seat in table.table_info().seats]
    assert [seat.kind for seat in seats] == ["bot"] * 8, "who keeps a seat for bob is a program too"
    rows = {row["entrant"]: row for row in (await ann.ask("standings", cup="friday"))["rows"]}
    assert (rows["carl"]["ended"], rows["bob"]["ended"]) == ({"played": 4}, {"left": 1, "absent": 3})


async def test_who_was_replaced_is_put_back_without_being_a_program_who_gave_up_once_they_ask(hall: Hall) -> None:
    ann = await hall.player("ann")
    bob, carl = await hall.player("bob"), await hall.player("carl")
    await ann.ask("cup_open", cup="friday", game="toy", seats=2, rounds=3)
    for peer in (bob, carl):
        await peer.ask("cup_enter", cup="friday")
    await ann.ask("cup_start", cup="friday")
    back = {"cup": "friday", "entrant": "bob", "player": "bob"}
    await ann.ask("cup_replace", **{**back, "player": "ann"})
    assert "plays for you" in (await bob.ask("cup_enter", cup="friday"))["text"]
    assert (await ann.ask("cup_replace", **back))["type"] == "cup_info"
    await bob.ask("cup_drop", cup="friday")
    await ann.ask("cup_replace", **{**back, "player": "ann"})
    assert "has not agreed" in (await ann.ask("cup_replace", **back))["text"]
    assert (await bob.ask("cup_enter", cup="friday"))["code"] == "cup_state", "ann plays on until she puts bob back"
    assert (await ann.ask("cup_replace", **back))["type"] == "cup_info"
    await bob.ask("cup_drop", cup="friday")
    assert "has not agreed" in (await ann.ask("cup_replace", **back))["text"], "what was asked for was had"


async def test_an_invitation_reaches_who_is_invited_and_nobody_else(hall: Hall) -> None:
    ann, _ = await opened(hall, seats=2)
    bob, eve = await hall.player("bob"), await hall.player("eve")
    assert (await ann.ask("cup_invite", cup="friday", player="bob"))["type"] == "cup_info"
    (invited,) = await bob.heard()
    assert (invited["type"], invited["by"], invited["info"]["cup"]) == ("invited", "ann", "friday")
    assert await eve.heard() == []
    assert (await bob.ask("cup_invite", cup="friday", player="eve"))["code"] == "not_cup_owner"
    await ann.ask("cup_stop", cup="friday")
    refused = await ann.ask("cup_invite", cup="friday", player="eve")
    assert (refused["code"], refused["text"]) == ("cup_state", "friday takes no more entrants.")
    assert await eve.heard() == [], "there is nothing to enter any more"


async def test_the_owner_gives_an_entrant_a_clock_of_its_own_before_the_start(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=1)
    clock = {"main": 5.0, "increment": 1.0}
    told = {"cup": "friday", "entrant": "bob", "clock": clock}
    assert (await bob.ask("cup_clock", **told))["code"] == "not_cup_owner"
    assert (await ann.ask("cup_clock", **{**told, "entrant": "dora"}))["code"] == "no_such_player"
    entrants = (await ann.ask("cup_clock", **told))["info"]["entrants"]
    assert entrants == [{"entrant": "bob", "clock": clock}, {"entrant": "carl"}]
    await bob.ask("cup_drop", cup="friday")
    entrants = (await bob.ask("cup_enter", cup="friday"))["info"]["entrants"]
    assert entrants == [{"entrant": "carl"}, {"entrant": "bob", "clock": clock}], "who leaves and returns keeps it"
    await ann.ask("cup_clock", cup="friday", entrant="carl", clock=clock)
    assert "clock" not in (await ann.ask("cup_clock", cup="friday", entrant="carl"))["info"]["entrants"][0]
    await ann.ask("cup_start", cup="friday")
    seats = (await bob.next("started"))["seats"]
    assert {one["name"]: one.get("clock") for one in seats} == {"bob": clock, "carl": None}
    late = await ann.ask("cup_clock", cup="friday", entrant="bob")
    assert (late["code"], late["text"]) == ("cup_state", "friday has started; clocks stay as they are.")
    await finish(hall, [bob, carl])
    cup, tables = hall.lobby.cups.get("friday").cup, hall.lobby.tables
    clocks = [
        {info.name: info.clock for info in tables[one.table].require_match().header.seats}
        for one in cup.finished_matches()
    ]
    assert clocks == [{"bob": ClockRule(5.0, 1.0), "carl": None}] * 2


async def test_clocks_of_a_cup_by_telnet(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await bob.types("hello bob")
    await ann.types("hello ann", "cup open friday toy 2 clock=30+5", "enter friday")
    await bob.types("enter friday")
    assert "* bob is ready, 1 table at once, clock 5+1" in (await ann.types("cup clock friday bob 5+1")).replace(
        "  ", "* "
    )
    assert "Only the player who opened the cup" in await bob.types("cup clock friday bob 900+60")
    assert "MAIN+INC" in await ann.types("cup clock friday bob soon")
    assert hall.lobby.cups.get("friday").cup.settings.clock == ClockRule(30.0, 5.0)
    assert "once, clock" not in await ann.types("cup clock friday bob")


async def test_what_cannot_be_played_is_refused_when_it_is_opened_or_started(hall: Hall) -> None:
    ann, _peers = await opened(hall, "bob", seats=2)
    assert "fewer entrants" in (await ann.ask("cup_start", cup="friday"))["text"]
    for fields, code in (
        ({"game": "chess"}, "no_such_game"),
        ({"game": "toy", "seats": 99}, "bad_field"),
        ({"game": "toy", "format": "scramble"}, "bad_field"),
        ({"game": "toy", "deals": "rotated"}, "bad_field"),
        ({"game": "toy", "deals": "marked"}, "bad_field"),
        ({"game": "toy", "rounds": 0}, "bad_field"),
        ({"game": "toy", "options": {"no": 1}}, "bad_option"),
    ):
        assert (await ann.ask("cup_open", **{"cup": "other", **fields}))["code"] == code, fields
    marked = await ann.ask("cup_open", cup="other", game="toy", deals="marked")
    assert marked["text"] == "Deals are: fresh, duplicate."
    assert (await ann.ask("cup_open", cup="", game="toy"))["code"] == "bad_field"
    assert (await ann.ask("cup_open", cup="1x", game="toy"))["code"] == "bad_name"


async def test_a_cups_replays_are_closed_until_its_deal_is_played_everywhere(hall: Hall) -> None:
    names = ("bob", "carl", "dora", "emil")
    ann, peers = await opened(hall, *names, seats=2, rounds=2, deals="duplicate")
    await ann.ask("cup_start", cup="friday")
    quick, slow = ("t1", "t2")
    at = {name: (await peer.next("started"))["table"] for name, peer in zip(names, peers, strict=True)}
    assert set(at.values()) == {quick, slow}
    eve = await hall.player("eve")
    await eve.ask("follow", cup="friday")
    assert (await eve.ask("watch", table=slow))["code"] == "not_over"
    async with trio.open_nursery() as nursery:
        for name, peer in zip(names, peers, strict=True):
            if at[name] == quick:
                nursery.start_soon(play, peer)
        await trio.sleep(1)
        assert hall.lobby.tables[quick].state == "over"
        assert (await ann.ask("replay", table=quick))["code"] == "not_over"
        nursery.cancel_scope.cancel()
    await finish(hall, peers)
    assert (await ann.ask("replay", table=quick))["type"] == "replay_lines"
    assert {one["type"] for one in await eve.heard()} == {"paired", "result", "cup_changed"}
    assert hall.lobby.tables[quick].seed == hall.lobby.tables[slow].seed


async def test_a_cup_by_telnet(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    assert "friday (by ann), toy, 3 seats, Swiss, fresh deals, rounds 4, clock 60+5: open" in await ann.types(
        "cup open friday toy 3 format=swiss rounds=4 clock=60+5"
    )
    shown = await ann.types("enter friday 3")
    assert "ann is ready, 3 tables at once" in shown
    assert "open, 0 matches" in await ann.types("cups")
    assert "No match is over yet." in await ann.types("standings friday")
    assert "There are fewer entrants" in await ann.types("cup start friday")
    assert "stopped" in await ann.types("cup stop friday")


async def test_who_entered_a_cup_by_telnet_looks_at_its_match_from_the_first_turn_on(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann", "cup open friday toy 2 rounds=1", "enter friday")
    await bob.ask("cup_enter", cup="friday")
    assert "> Play a card" in await ann.types("cup start friday")
    assert "* ann has chosen." in await ann.types("?", "1")
    assert len(hall.done()) == 1


async def test_a_new_format_needs_one_registration(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    class Duel(RoundRobin):
        id, about = "duel", "the first two entrants, once"
        takes_late = False

        @staticmethod
        def title() -> str:
            return "duel to the end"

    monkeypatch.setitem(FORMATS, "duel", Duel)
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1, format="duel")
    late = await ann.ask("cup_open", cup="monday", game="toy", format="duel", late_entry=True)
    assert (late["code"], "duel" in late["text"]) == ("bad_field", False), (
        "it names the formats that take late entrants"
    )
    unknown = await ann.ask("cup_open", cup="monday", game="toy", format="triel")
    assert "duel" in str(unknown["text"])
    assert "duel to the end" in cup_line(hall.lobby.cups.get("friday").cup_info())
    assert "| `duel` | the first two entrants, once |" in render_blocks()["cup-formats"]
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    after = (await ann.ask("cup", cup="friday"))["info"]
    assert (after["format"], after["state"], after["played"]) == ("duel", "finished", 2)
