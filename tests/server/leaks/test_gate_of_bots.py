"""The gate for bots: those without sockets, in a tournament's own workers and as the house's, and entrants' processes.

A bot in seat 1 notes all that it is given: its seed, its turns, what it hears, how it ended. In two worlds that it
cannot tell apart it notes the same, until the rules show a difference.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from bots.sdk.bot import Bot, Turn
from bots.sdk.seeds import bot_seed
from client.tournament import local_match
from client.tournament.local_match import BotSetup, MatchJob, _LocalMatch
from client.tournament.plan import TournamentPlan
from client.tournament.roster import build_roster, entrant_seeds
from games.api import Action, Event, Outcome
from matches.fold import MatchHeader
from matches.house import HouseQuestion
from matches.referee import Referee
from protocol.messages import ClockRule, Happened, SeatInfo
from tests.helpers.toy import TOY, Shown, ToyState
from tests.server.leaks.forked import ForkedState
from tests.server.leaks.other_secrets import OtherSecrets
from tests.server.leaks.plants import Plant, lowest_cards_stay, wrap
from tests.server.leaks.town import TwinGame
from tests.server.leaks.two_worlds import Leak, _alike
from tests.server.leaks.watched import Ledger

SEATS, CRASHES_AT = 3, 2
PLAYERS = tuple(SeatInfo(seat, f"p{seat}", "bot") for seat in range(1, SEATS + 1))


class Notes:
    """What was given to seat 1, until the second round is shown: its cards differ."""

    def __init__(self) -> None:
        self.taken = bytearray()
        self.rounds = 0

    def add(self, *given: Any) -> None:
        self.rounds += any(isinstance(one, Shown) for one in given)
        if self.rounds < 2:
            self.taken += f"{given}\n".encode()


def bots_of(notes: Notes) -> Callable[..., type[Bot]]:
    """A bot that notes, and one that does not."""

    class Noting(Bot):
        wants = ("view", "legal", "knowledge")

        def __init__(self, seed: int = 0, **_options: Any) -> None:
            super().__init__(seed)
            notes.add("made", seed)

        def choose(self, turn: Turn) -> Action:
            notes.add(
                *(getattr(turn, name) for name in ("seat", "view", "legal", "number", "clock", "seats", "options"))
            )
            notes.add(turn.knowledge, self.rng.random())
            if turn.number == CRASHES_AT:
                raise RuntimeError
            return turn.legal[0]

        def hear(self, event: Event) -> None:
            notes.add(event)

        def end(self, outcome: Outcome) -> None:
            notes.add(outcome)

    class Quiet(Bot):
        def choose(self, turn: Turn) -> Action:
            return turn.legal[0]

    return lambda bot, _options: Noting if bot == "noting" else Quiet


def house_of(notes: Notes) -> type[Bot]:
    """A house bot that notes the turns of seat 1. Its seed is the deal's, and nobody's to know."""

    class HouseBot(Bot):
        def choose(self, turn: Turn) -> Action:
            if turn.seat == 1 and turn.number <= CRASHES_AT:  # later the rules have shown other cards
                notes.add(turn.view, turn.legal, turn.number, turn.clock, turn.options, turn.knowledge)
            return turn.legal[0]

    return HouseBot


def played(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the bot in seat 1 noted in each world."""
    noted = []
    with monkeypatch.context() as patch:
        drawn = OtherSecrets(3)
        drawn.install(patch)
        patch.setattr("client.tournament.local_match.perf_counter", lambda: 0.0)  # thinking takes no time
        drawn.apart = True
        for world in (0, 1):
            notes, ledger = Notes(), Ledger(world=world)
            game = TwinGame(TOY, lambda: 1, 3, lowest_cards_stay)
            game.apart = True
            patch.setattr(local_match, "get_game", lambda _id, game=game: game)
            patch.setattr(local_match, "load_bot_class", bots_of(notes))
            patch.setattr("client.house.all_bots", lambda notes=notes: {"first": house_of(notes)})
            patch.setattr("client.house.bot_plays", lambda *_: True)
            seed, salt = bytes(32), bytes(16)
            with ledger.open():
                seed, salt = secrets.token_bytes(32), secrets.token_bytes(16)
                header = MatchHeader(
                    "t1", "toy", {}, PLAYERS, ClockRule(), seed, salt, ("",) * SEATS, 5.0, word="a word"
                )
                seats = tuple(BotSetup("noting" if seat == 1 else "quiet", (), seat, "toy") for seat in (1, 2, 3))
                match = _LocalMatch(MatchJob(1, header, seats, "1", ""))
                match.play()
            noted.append(bytes(notes.taken))
    return noted


def compare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raises Leak."""
    mine, theirs = played(monkeypatch)
    assert mine.count(b"HighCardView") > 4
    _alike("The bot in seat 1", "given", mine, theirs)


def test_a_bot_in_a_worker_is_given_the_same_in_both_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(monkeypatch)


# -- planted leaks -----------------------------------------------------------------------------------------------------

PLANTS: dict[str, Plant] = {}


def plant(leak: Plant) -> Plant:
    """Marks a leak that the test below plants."""
    PLANTS[leak.__name__] = leak
    return leak


def inner(match: Any) -> ToyState:
    """All that is hidden."""
    state = match.state
    assert isinstance(state, ForkedState)
    assert isinstance(state.inner, ToyState)
    return state.inner


def _turns(patch: pytest.MonkeyPatch, change: Callable[[Any, Turn], Any]) -> None:
    wrap(patch, _LocalMatch, "_turn", lambda original, match, seat: change(match, original(match, seat)))


def _with(turn: Turn, **fields: Any) -> Turn:
    for name, value in fields.items():
        object.__setattr__(turn, name, value)
    return turn


@plant
def a_turn_has_the_view_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    _turns(patch, lambda match, turn: _with(turn, view=match.fold.state.view(turn.seat % SEATS + 1)))


@plant
def a_turn_has_the_knowledge_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    _turns(patch, lambda match, turn: _with(turn, knowledge=match.fold.state.knowledge(turn.seat % SEATS + 1)))


@plant
def legal_actions_are_in_an_order_of_the_other_hands(patch: pytest.MonkeyPatch) -> None:
    def sort(match: Any, turn: Turn) -> Turn:
        first = sum(inner(match.fold).hands[turn.seat % SEATS]) % len(turn.legal)
        return _with(turn, legal=[*turn.legal[first:], *turn.legal[:first]])

    _turns(patch, sort)


@plant
def a_turn_has_more_time_with_a_strong_hand_beside(patch: pytest.MonkeyPatch) -> None:
    _turns(patch, lambda match, turn: _with(turn, clock=turn.clock + sum(inner(match.fold).hands[1])))


@plant
def a_bot_hears_what_the_next_seat_hears(patch: pytest.MonkeyPatch) -> None:
    def tell(original: Any, match: Any, heard: Any) -> None:
        for messages in heard.values():
            messages.append(Happened(table="t1", n=0, event=inner(match.fold).view(2)))
        original(match, heard)

    wrap(patch, _LocalMatch, "_tell", tell)


@plant
def the_seed_of_a_bot_is_made_of_the_seed_of_the_deal(patch: pytest.MonkeyPatch) -> None:
    sit = _LocalMatch._sit_down

    def sit_down(match: Any, *args: Any) -> None:
        patch.setattr(local_match, "bot_seed", lambda *path: bot_seed(*path) ^ match._job.header.seed[0])
        sit(match, *args)

    patch.setattr(_LocalMatch, "_sit_down", sit_down)


@plant
def a_house_bot_is_asked_with_the_view_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    def question(seat: int, view: Any, *more: Any) -> HouseQuestion:
        return HouseQuestion(seat, msgspec.structs.replace(view, hand=(hands[0][seat % SEATS])), *more)

    hands: list[Any] = [()]

    def ask(original: Any, referee: Referee, *args: Any) -> Any:
        hands[0] = inner(referee._match).hands
        return original(referee, *args)

    wrap(patch, Referee, "_ask_house", ask)
    patch.setattr("matches.referee.HouseQuestion", question)


@pytest.mark.parametrize("name", PLANTS)
def test_the_gate_of_bots_catches_a_leak(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTS[name](monkeypatch)
    with pytest.raises(Leak):
        compare(monkeypatch)


# -- what an entrant's process is started with -------------------------------------------------------------------------

SECRET = bytes(range(32))


class _StartedError(Exception):
    """Instead of a process."""


class NoForks:
    """Notes what a process would be started with."""

    def __init__(self) -> None:
        self.orders: list[tuple[dict[str, Any], dict[str, Any]]] = []

    async def start_process(self, arguments: list[str], **more: Any) -> None:
        self.orders.append((msgspec.json.decode(arguments[-1]), {"arguments": arguments[:-1], **more}))
        raise _StartedError


async def started_with(secret: bytes) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What each entrant of such a tournament enters as, and how its process is started."""
    plan = TournamentPlan(
        "toy", ("greedy", "random", "greedy"), seats=3, rounds=1, seed=7, secret=secret, key=bytes(32)
    )
    forks: Any = NoForks()
    for entrant in build_roster(plan).ours.values():
        with suppress(_StartedError):
            await entrant.run(forks, 7)
    assert len(forks.orders) >= len(plan.bots)
    return list(forks.orders)


async def compare_started() -> None:
    """Raises Leak unless two tournaments start the same processes but for their seeds, in which each byte of the secret
    changes many bits: so none stands there."""
    before = await started_with(SECRET)
    for place in range(len(SECRET)):
        after = await started_with(SECRET[:place] + bytes([SECRET[place] ^ 1]) + SECRET[place + 1 :])
        for (was, order), (now, other) in zip(before, after, strict=True):
            _alike("A process", "started with", repr(order).encode(), repr(other).encode())
            bits = (was.pop("seed") ^ now.pop("seed")).bit_count()
            _alike("A process", "entered as", repr(was).encode(), repr(now).encode())
            if not 6 <= bits <= 42:
                raise Leak(f"of 48 bits of a bot's seed, {bits} are others with another byte {place} of the secret")
        before = await started_with(SECRET)


async def test_an_entrant_s_process_is_told_nothing_of_the_secret() -> None:
    await compare_started()


def the_environment_tells_the_secret(patch: pytest.MonkeyPatch) -> None:
    start = NoForks.start_process

    def told(forks: NoForks, arguments: list[str], **more: Any) -> Any:
        return start(forks, arguments, **{**more, "environment": {"DEAL": secrets_[0]}})

    secrets_ = [""]
    patch.setattr("client.tournament.roster.entrant_seeds", _noting(secrets_))
    patch.setattr(NoForks, "start_process", told)


def _noting(noted: list[str]) -> Callable[..., list[int]]:
    def seeds(plan: TournamentPlan, entrants: int) -> list[int]:
        noted[0] = plan.secret.hex()
        return entrant_seeds(plan, entrants)

    return seeds


def a_seed_is_a_part_of_the_secret(patch: pytest.MonkeyPatch) -> None:
    def seeds(plan: TournamentPlan, entrants: int) -> list[int]:
        return [int.from_bytes(plan.secret[:6], "big") + number for number in range(entrants)]

    patch.setattr("client.tournament.roster.entrant_seeds", seeds)


@pytest.mark.parametrize("leak", [the_environment_tells_the_secret, a_seed_is_a_part_of_the_secret])
async def test_the_gate_of_bots_catches_a_leak_to_a_process(leak: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(Leak):
        await compare_started()
