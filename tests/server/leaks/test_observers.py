"""The leak gate: observers of two worlds that they cannot tell apart are sent the same bytes, in every face.

Then leaks are planted, one at a time, and the gate has to catch every one of them: a gate that lets one through is
broken.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec
import pytest

from games.api import AddressedEvent
from games.registry import all_games
from matches.fold import SPECTATORS, Match
from matches.record import Record, iter_replay_lines
from protocol import messages as m
from protocol.errors import Refusal
from server.name_registry import NameRegistry
from server.net.text_face import TextFace
from server.table.live import LiveMatch
from server.table.replays import ReplayInProgress, Replays
from server.table.seating import Seating
from server.table.table import Table
from tests.helpers.toy import TOY, Dealt
from tests.helpers.wire import FACES, Face
from tests.server.leaks.plants import Plant, answer_anew, others_hold, pass_gate, replaced, retell, truth, wrap
from tests.server.leaks.two_worlds import Case, Leak

SEATS = 3


def toy_cases(faces: Sequence[Face] = (), every: int = 1) -> Iterator[Case]:
    """Every observer, worlds that part at every moment of a match, or some, and these faces; or a face in turn."""
    for at in range(0, 3 * SEATS - 1, every):
        yield Case(TOY, SEATS, None, at, retell=retell, number=at)
        for observer in range(1, SEATS + 1):
            for face in faces or [FACES[(at + observer) % len(FACES)]]:
                yield Case(TOY, SEATS, observer, at, face=face, retell=retell, number=at)


@pytest.mark.parametrize(("faces", "every"), [((), 3), pytest.param(FACES, 1, marks=pytest.mark.soak)])
async def test_in_two_worlds_of_the_toy_game_no_observer_is_sent_a_different_byte(
    faces: Sequence[Face], every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(toy_cases(faces, every), monkeypatch) > 30


@pytest.mark.parametrize(("turn", "game_id"), [*enumerate(sorted(all_games()))])
@pytest.mark.parametrize("alone", [True, pytest.param(False, marks=pytest.mark.soak)])
async def test_in_two_worlds_of_a_real_game_no_observer_is_sent_a_different_byte(
    turn: int, game_id: str, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every observer at every one of these moments; or each of both alone, in other pairs in each game."""
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    observers = (None, 1, seats)
    cases = (
        Case(game, seats, observer, at, number=at, face=FACES[(at + place) % len(FACES)], steps=5)
        for late, at in enumerate((0, 9, 30))
        for place, observer in enumerate(observers)
        if not alone or (late + place + turn) % 3 == 0
    )
    assert await pass_gate(cases, monkeypatch) > (5 if alone else 15)


@pytest.mark.parametrize("game_id", sorted(all_games()))
@pytest.mark.parametrize("moments", [range(2, 30, 14), pytest.param(range(0, 80, 3), marks=pytest.mark.soak)])
async def test_no_reason_and_no_foresight_of_a_real_game_tells_what_is_hidden(
    game_id: str, moments: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of actions all over the game, as typed and as sent, legal or not."""
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    cases = (
        Case(game, seats, 1 + at % seats, at, number=at, face=FACES[at % len(FACES)], steps=4, sentences=150)
        for at in moments
    )
    assert await pass_gate(cases, monkeypatch) > 1


async def test_in_two_worlds_of_the_tiny_arena_no_observer_is_sent_a_different_byte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arena = all_games()["ikasamage"]
    tiny = arena.with_cards(arena.rules.with_name("tiny-arena.toml").read_text(encoding="utf-8"))
    observers = ((None, 1), (2, None), (1, 2), (None, 1))
    cases = (Case(tiny, 2, observer, at, number=at, steps=5) for at, some in enumerate(observers) for observer in some)
    assert await pass_gate(cases, monkeypatch) > 4


# -- planted leaks -----------------------------------------------------------------------------------------------------

PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    PLANTS[function.__name__] = function
    return function


@plant
def a_spectator_looks_at_the_view_of_seat_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(
        original: Callable[..., m.Message], here: Any, request: m.LookRequest, table: Table, hearer: int
    ) -> m.Message:
        return replaced(original(here, request, table, hearer), view=truth(table).view(hearer or 1))

    answer_anew(monkeypatch, m.LookRequest, look)


@plant
def a_new_spectator_is_shown_the_view_of_seat_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(original: Callable[..., m.Message], here: Any, request: m.Watch) -> m.Message:
        answer = original(here, request)
        match = here.lobby.tables[request.table].match
        return answer if match is None else msgspec.structs.replace(answer, view=truth(match).view(1))

    answer_anew(monkeypatch, m.Watch, watch)


@plant
def whoever_comes_back_is_told_the_story_of_the_next_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    def story(original: Any, table: Table, hearer: int, after: int) -> Any:
        return original(table, hearer if hearer == SPECTATORS else hearer % SEATS + 1, 0)

    wrap(monkeypatch, Table, "message_log", story)


@plant
def the_log_of_a_spectator_is_that_of_seat_2(monkeypatch: pytest.MonkeyPatch) -> None:
    def story(original: Any, table: Table, hearer: int, after: int) -> Any:
        return original(table, hearer or 2, min(after, table.require_match().counts[2]))

    wrap(monkeypatch, Table, "message_log", story)


@plant
def the_replay_of_a_running_match_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(_original: Any, _replays: Replays, table: Table) -> ReplayInProgress:
        def so_far() -> Iterator[bytes]:
            with suppress(ValueError):
                yield from iter_replay_lines(live.match.game, live.match.header, live.entries)

        live = table.require_live_match()
        writing = ReplayInProgress(Record(live.match.game, live.match.header, tuple(live.entries)), live)
        writing._rest = so_far()
        return writing

    wrap(monkeypatch, Replays, "replay_at", of)


@plant
def a_turn_brings_the_knowledge_of_the_next_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(original: Callable[..., m.TurnUpdate], match: Match, seat: int) -> m.TurnUpdate:
        return replaced(original(match, seat), knowledge=match.state.knowledge(seat % match.seats + 1))

    wrap(monkeypatch, Match, "_turn", turn)


@plant
def the_seed_stands_in_the_first_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def started(original: Callable[..., m.MatchStarted], match: Match, hearer: int) -> m.MatchStarted:
        return replaced(original(match, hearer), options={"header": match.header.seed.hex()})

    wrap(monkeypatch, Match, "start_message", started)


@plant
def the_salt_stands_in_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    def info(original: Callable[..., m.TableInfo], table: Table) -> m.TableInfo:
        return replaced(original(table), options={"salt": table.salt.hex()})

    wrap(monkeypatch, Table, "table_info", info)


@plant
def everybody_hears_what_one_seat_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def publish(original: Any, match: Match, told: list[AddressedEvent], outgoing: Any) -> None:
        original(match, [AddressedEvent(one.event) for one in told], outgoing)

    wrap(monkeypatch, Match, "_publish", publish)


@plant
def an_action_is_told_as_it_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def do(original: Any, match: Match, entry: Any, outgoing: Any) -> None:
        match._publish([AddressedEvent(Dealt((entry.action.card,)))], outgoing)
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_do", do)


@plant
def a_stale_turn_encloses_what_the_next_seat_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        try:
            original(table, seat, request, answer)
        except Refusal as error:
            if isinstance(error.turn, m.TurnUpdate):
                legal = [{"card": card} for card in truth(table).hands[seat % SEATS]]
                error.turn = replaced(error.turn, legal=legal)
            raise

    wrap(monkeypatch, Table, "apply_decision", act)


@plant
def a_turn_holds_the_view_of_the_next_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(original: Callable[..., m.TurnUpdate], match: Match, seat: int) -> m.TurnUpdate:
        return replaced(original(match, seat), view=truth(match).view(seat % SEATS + 1))

    wrap(monkeypatch, Match, "_turn", turn)


@plant
def why_says_where_the_card_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def why(original: Callable[..., m.Reason], here: Any, request: m.Why, table: Table, seat: int) -> m.Reason:
        answer = original(here, request, table, seat)
        hands = truth(table).hands
        where = [seat for seat, hand in enumerate(hands, 1) if request.action["card"] in hand]
        return msgspec.structs.replace(answer, text=f"{answer.text} {where}")

    answer_anew(monkeypatch, m.Why, why)


@plant
def a_refusal_says_what_the_next_seat_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        def tell_more(message: Any) -> None:
            if isinstance(message, m.Error):
                message = msgspec.structs.replace(message, text=others_hold(truth(table), seat))
            answer(message)

        original(table, seat, request, tell_more)

    wrap(monkeypatch, Table, "apply_decision", act)


@plant
def the_lobby_tells_a_sum_over_hidden_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    def info(original: Callable[..., m.TableInfo], table: Table) -> m.TableInfo:
        luck = sum(truth(table).hands[0]) * 20 + sum(truth(table).hands[1]) if table.match else 0
        return replaced(original(table), options={"luck": luck})

    wrap(monkeypatch, Table, "table_info", info)


@plant
def a_number_is_missing_after_a_secret_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def publish(original: Any, match: Match, told: list[AddressedEvent], outgoing: Any) -> None:
        for one in told:
            if one.only is not None and isinstance(one.event, Dealt):
                gap = one.event.cards[0]
                match.counts = [count + gap * (hearer != one.only) for hearer, count in enumerate(match.counts)]
        original(match, told, outgoing)

    wrap(monkeypatch, Match, "_publish", publish)


@plant
def the_time_left_depends_on_what_the_next_seat_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(original: Callable[..., m.TurnUpdate], match: Match, seat: int) -> m.TurnUpdate:
        asked, hand = original(match, seat), truth(match).hands[seat % SEATS]
        return msgspec.structs.replace(asked, left=asked.left - hand[0] / 1_000) if hand else asked

    wrap(monkeypatch, Match, "_turn", turn)


@plant
def people_see_a_board_with_all_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(original: Any, face: TextFace, message: Any) -> str:
        table = face._typist._lobby.tables.get(getattr(message, "table", ""))
        shown: str = original(face, message)
        if table is None or table.match is None or getattr(message, "view", None) is None:
            return shown
        return f"{shown}{truth(table).hands}\n"

    wrap(monkeypatch, TextFace, "_heard", lines)


@plant
def spectators_are_told_to_wait_only_when_somebody_holds_a_high_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def record(original: Any, live: LiveMatch, entry: Any, accepted: Any = None) -> None:
        original(live, entry, accepted)
        if any(hand and hand[-1] in (11, 12) for hand in truth(live.match).hands[:1]):
            for listener in live._seating.spectators:
                listener.push((m.Chat(sender="server", text="One moment."),))

    wrap(monkeypatch, LiveMatch, "record_entry", record)


@plant
def live_spectators_hear_what_seat_1_hears(monkeypatch: pytest.MonkeyPatch) -> None:
    def deliver(original: Any, seating: Seating, outgoing: Any, *rest: Any) -> None:
        both = SPECTATORS in outgoing and 1 in outgoing
        original(seating, {**outgoing, SPECTATORS: outgoing[1]} if both else outgoing, *rest)

    wrap(monkeypatch, Seating, "deliver", deliver)


@plant
def the_names_in_the_lobby_are_sorted_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def who(original: Callable[..., m.Players], here: Any, request: m.Who) -> m.Players:
        answer = original(here, request)
        hands = truth(here.lobby.tables["t1"]).hands
        return msgspec.structs.replace(answer, players=tuple(sorted(answer.players, key=lambda one: _hand(one, hands))))

    answer_anew(monkeypatch, m.Who, who)


def _hand(player: m.PlayerInfo, hands: list[list[int]]) -> list[int]:
    return hands[int(player.name[1]) - 1] if player.name[0] == "p" else []


@plant
def a_new_key_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def admit(original: Any, people: NameRegistry, hello: m.Hello, *args: Any) -> Any:
        logging.getLogger("magehall.people").debug("%s takes the key %s", hello.name, hello.key)
        return original(people, hello, *args)

    wrap(monkeypatch, NameRegistry, "admit_by_proof", admit)


@plant
def the_header_of_a_match_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(original: Any, match: Match, wanted: Any) -> Any:
        logging.getLogger("magehall.match").debug("begins: %s", match.header)
        return original(match, wanted)

    wrap(monkeypatch, Match, "begin", begin)


LATE = {  # the place of the first case in which a leak shows; those before it only take time
    "a_turn_brings_the_knowledge_of_the_next_seat": 2,
    "why_says_where_the_card_is": 2,
    "a_refusal_says_what_the_next_seat_holds": 4,
    "a_stale_turn_encloses_what_the_next_seat_may_do": 5,
    "the_time_left_depends_on_what_the_next_seat_holds": 5,
    "spectators_are_told_to_wait_only_when_somebody_holds_a_high_card": 20,
}


@pytest.mark.parametrize("name", PLANTS)
async def test_the_gate_catches_a_planted_leak(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    with pytest.raises(Leak):
        await pass_gate(islice(toy_cases(FACES), LATE.get(name, 0), None), monkeypatch)


def test_enough_leaks_are_planted() -> None:
    assert len(PLANTS) >= 20
