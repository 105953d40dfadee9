"""The leak gate beyond answers and events: defaults, presence, house bots, aborts, tournaments, the log, the work done.

A leak is planted in each channel and has to be caught there: by that observer, in those bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from games.api import Action, Seat
from games.chance import Chance
from matches.fold import Match
from matches.referee import Referee
from people.screen import ScreenContent
from protocol import messages as m
from protocol.entries import MatchAborted, PresenceChanged
from server.cups import live_cup
from server.net.text_face import TextFace
from server.player import Player
from server.table import live as live_module
from server.table.live import LiveMatch
from server.table.table import Table
from server.web.page_face import PageFace
from tests.helpers.toy import TOY, Play, ToyState
from tests.helpers.wire import FACES
from tests.server.leaks.happenings import (
    SCENES,
    a_program_errs_three_times,
    all_run_out_of_time,
    one_gives_the_seat_up,
    one_goes_and_comes_back,
    one_goes_for_good,
    the_server_errs,
)
from tests.server.leaks.plants import Plant, answer_anew, lowest_cards_stay, pass_gate, replaced, retell, truth, wrap
from tests.server.leaks.two_worlds import Case, Leak, Scene
from tests.server.leaks.watched import work_counted
from tests.server.leaks.world import SECRET
from tournaments.schedule import deal_seed

SEATS = 3
NUMBERS = (0, 7)  # of deals that can be dealt anew while the lowest cards stay


# -- what happens ------------------------------------------------------------------------------------------------------


def cases(scene: Scene, numbers: Sequence[int] = ()) -> Iterator[Case]:
    """Every observer in every face, with these deals; or with a deal in turn."""
    turn = 0
    for observer in (None, *range(1, SEATS + 1)):
        for face in FACES if observer else FACES[:1]:
            turn += 1
            for number in numbers or [NUMBERS[turn % len(NUMBERS)]]:
                yield Case(
                    *(TOY, SEATS, observer, 0, number, face, retell),
                    redeal=lowest_cards_stay,
                    scene=scene,
                    strict=True,
                )


def tournament_cases(every: int = 1) -> Iterator[Case]:
    """Every observer in every face, or in some."""
    for observer in (None, *range(1, SEATS + 1)):
        for face in FACES[(observer or 0) % every :: every] if observer else FACES[:1]:
            yield Case(TOY, SEATS, observer, 1, face=face, retell=retell, tournament=True)


def usual_cases() -> Iterator[Case]:
    for at in (1, 3):
        for observer in (None, *range(1, SEATS + 1)):
            yield Case(TOY, SEATS, observer, at, retell=retell, number=at)


def counted_cases(every: int = 1) -> Iterator[Case]:
    for case in list(usual_cases())[::every]:
        yield Case(TOY, SEATS, case.observer, case.at, retell=retell, number=case.number, counted=True)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
@pytest.mark.parametrize("numbers", [(), pytest.param(NUMBERS, marks=pytest.mark.soak)])
async def test_whatever_happens_to_others_no_observer_is_sent_a_different_byte(
    scene: Scene, numbers: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(cases(scene, numbers), monkeypatch) >= 10 * (len(numbers) or 1)


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.soak)])
async def test_in_a_tournament_no_observer_is_sent_a_different_byte(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(tournament_cases(every), monkeypatch) > 30 / every


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
async def test_a_server_does_the_same_work_whatever_is_hidden(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every observer; or for a spectator and two seats, at either moment."""
    await pass_gate(counted_cases(every), monkeypatch)  # what a process computes once is computed now
    with work_counted():
        assert await pass_gate(counted_cases(every), monkeypatch) > 20


# -- planted leaks -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A leak, where it shows, and what the gate has to say of it."""

    leak: Plant
    cases: Callable[[], Iterator[Case]]
    says: str


PLANTS: list[Planted] = []


def planted(where: Callable[[], Iterator[Case]], says: str) -> Callable[[Plant], Plant]:
    """Marks a leak that the test below plants."""

    def mark(leak: Plant) -> Plant:
        PLANTS.append(Planted(leak, where, says))
        return leak

    return mark


def during(scene: Scene) -> Callable[[], Iterator[Case]]:
    return lambda: cases(scene, NUMBERS)


@planted(usual_cases, r"late-\w+ is sent .*Hand: \d")
def a_late_spectator_is_shown_the_last_view_that_a_seat_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    last: dict[Table, Any] = {}

    def look(
        original: Callable[..., m.Position], here: Any, request: m.LookRequest, table: Table, hearer: int
    ) -> m.Message:
        answer = original(here, request, table, hearer)
        if hearer:
            last[table] = answer.view
        return answer

    def watch(original: Callable[..., m.Watching], here: Any, request: m.Watch) -> m.Message:
        answer = original(here, request)
        return replaced(answer, view=last.get(here.lobby.tables[request.table], answer.view))

    answer_anew(monkeypatch, m.LookRequest, look)
    answer_anew(monkeypatch, m.Watch, watch)


@planted(usual_cases, r"The log is told (Play|.*plays)")
def every_action_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        logging.getLogger("magehall.table").debug(
            "%s plays %s", seat, table.require_live_match().parse_action(request.action)
        )
        original(table, seat, request, answer)

    wrap(monkeypatch, Table, "apply_decision", act)


@planted(usual_cases, r"The log is told .*play \d+")
def every_action_is_logged_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        if seat == 1:
            logging.getLogger("magehall.table").debug(
                TOY.words.format_action(table.require_live_match().parse_action(request.action))
            )
        original(table, seat, request, answer)

    wrap(monkeypatch, Table, "apply_decision", act)


@planted(usual_cases, r"The log is told [0-9a-f]{64}")
def the_key_of_a_name_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(original: Callable[..., None], player: Player) -> None:
        logging.getLogger("magehall.people").debug("%s is known by %s", player.name, player.key.hex())
        original(player)

    wrap(monkeypatch, Player, "save", keep)


@planted(usual_cases, r"The log is told [0-9a-f]{64}")
def a_proof_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def proves(original: Callable[..., bool], player: Player, hello: m.Hello, challenge: str) -> bool:
        logging.getLogger("magehall.people").debug("%s proves with %s", player.name, hello.proof)
        return original(player, hello, challenge)

    wrap(monkeypatch, Player, "is_proved_by", proves)


@planted(usual_cases, r"The log is told .*magehall\.table: (\d|holds)")
def a_hidden_hand_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(
        original: Callable[..., m.Message], here: Any, request: m.LookRequest, table: Table, hearer: int
    ) -> m.Message:
        hands = sorted(sum(hand) for hand in truth(table).hands)
        logging.getLogger("magehall.table").info("holds %s", hands)
        return original(here, request, table, hearer)

    answer_anew(monkeypatch, m.LookRequest, look)


@planted(tournament_cases, r"p1 is sent the seed")
def the_seed_of_a_deal_stands_in_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    def seated(info: m.TableInfo, seat: int) -> m.Seated:
        return m.Seated(info=replaced(info, options={"deal": deal_seed(SECRET, 1).hex()}), seat=seat)

    monkeypatch.setattr(live_cup, "Seated", seated)


@planted(during(the_server_errs), r"(live-text|p\d) is sent .*\[\[")
def an_aborted_match_tells_what_everybody_held(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(original: Callable[[LiveMatch], None], live: LiveMatch) -> None:
        hands = truth(live.match).hands
        monkeypatch.setattr(live_module, "MatchAborted", lambda at, text: MatchAborted(at, f"{text} {hands}"))
        original(live)

    wrap(monkeypatch, LiveMatch, "_crash", crash)


@planted(during(the_server_errs), r"The log is told .*they held")
def the_log_of_an_abort_tells_what_everybody_held(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(original: Callable[[LiveMatch], None], live: LiveMatch) -> None:
        logging.getLogger("magehall.table").error("they held %s", truth(live.match).hands)
        original(live)

    wrap(monkeypatch, LiveMatch, "_crash", crash)


def default_by_the_next_hand(state: ToyState, seat: Seat, _chance: Chance) -> Action:
    hand, beside = state.hands[seat - 1], state.hands[seat % state.seats]
    return Play(hand[sum(beside) % len(hand)])


@planted(during(all_run_out_of_time), r"is sent .*[Ss]hown")
def the_default_of_a_late_seat_follows_the_next_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyState, "default_action", default_by_the_next_hand)


@planted(during(all_run_out_of_time), r"is sent .*ran out of time")
def the_typed_line_of_a_late_seat_tells_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_hands(original: Any, face: TextFace, message: m.Message) -> str:
        lines: str = original(face, message)
        if not isinstance(message, m.Late):
            return lines
        return f"{lines.rstrip()} {truth(face._typist._lobby.tables[message.table]).hands}\n"

    wrap(monkeypatch, TextFace, "_heard", with_hands)


@planted(during(all_run_out_of_time), r"is sent .*Board of")
def the_page_of_a_late_seat_shows_what_others_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_hands(original: Any, face: PageFace, seen: ScreenContent) -> dict[str, object]:
        parts: dict[str, object] = original(face, seen)
        table = face._typist._lobby.tables.get(str(parts["table"]))
        hands = truth(table).hands if table is not None and table.match is not None else ""
        return {**parts, "board": f"Board of {hands}"}

    wrap(monkeypatch, PageFace, "_parts", with_hands)


@planted(during(a_program_errs_three_times), r"is sent .*too many illegal actions")
def a_default_after_errors_tells_how_strong_the_hand_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def do(original: Any, match: Match, entry: Any, outgoing: Any) -> None:
        if entry.why == "illegal":
            match.late[entry.seat] += sum(truth(match).hands[entry.seat - 1])
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_do", do)


@planted(during(one_goes_for_good), r"is sent .*left")
def the_house_bot_that_takes_over_is_named_by_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def go(original: Any, match: Match, entry: PresenceChanged, outgoing: Any) -> None:
        by = f"first-{sum(truth(match).hands[entry.seat - 1])}" if entry.by else ""
        original(match, PresenceChanged(entry.at, entry.seat, entry.how, by), outgoing)

    wrap(monkeypatch, Match, "_go", go)


@planted(during(one_gives_the_seat_up), r"is sent .*(chose|chosen|turn)")
def a_house_bot_that_takes_over_waits_if_the_hand_is_strong(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_house(original: Callable[..., bool], referee: Referee, now: float) -> bool:
        strong = sum(truth(referee._match).hands[0]) % 2
        return not strong and original(referee, now)

    wrap(monkeypatch, Referee, "play_house_bot", play_house)


@planted(during(one_goes_and_comes_back), r"is sent .*(presence|connected|back)")
def who_comes_back_is_announced_with_a_number_from_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def go(original: Any, match: Match, entry: PresenceChanged, outgoing: Any) -> None:
        if entry.how == "back":
            match.counts = [count + sum(truth(match).hands[entry.seat - 1]) for count in match.counts]
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_go", go)


@planted(counted_cases, r"The server is kept busy for as many lines as")
def an_answer_takes_as_many_steps_as_the_next_hand_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        for _ in range(sum(card**2 for card in truth(table).hands[seat % SEATS])):
            pass
        original(table, seat, request, answer)

    wrap(monkeypatch, Table, "apply_decision", act)


@pytest.mark.parametrize("one", PLANTS, ids=lambda one: one.leak.__name__)
async def test_the_gate_catches_a_leak_in_its_channel(one: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    one.leak(monkeypatch)
    cases = islice(one.cases(), 5 if one.leak is a_proof_is_logged else 0, None)  # which shows in the sixth
    with work_counted() if one.cases is counted_cases else nullcontext(), pytest.raises(Leak, match=one.says):
        await pass_gate(cases, monkeypatch)
