"""What may happen at a table of any game while somebody observes: clocks run out, players go, programs err."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from games.api import Action, AddressedEvent, Seat
from tests.server.leaks.two_worlds import Scene
from tests.server.leaks.world import World

SOON = 0.001  # before a house bot has thought


class Nonsense(Action, frozen=True, tag="nonsense"):
    """An action of no game."""


async def all_run_out_of_time(world: World) -> AsyncGenerator[float, None]:
    yield world.table.require_match().clocks.max_decision_time(1) + 1


async def one_gives_the_seat_up(world: World) -> AsyncGenerator[float, None]:
    await world.players[world.other - 1].ask("resign", table="t1")
    yield SOON
    yield 1


async def one_is_known_not_to_come_back(world: World) -> AsyncGenerator[float, None]:
    player = world.table.seating.seat_state(world.other).player
    assert player is not None
    world.table.give_seat_to_bot(player, "crashed")
    yield SOON
    yield 1


async def one_goes_and_comes_back(world: World) -> AsyncGenerator[float, None]:
    player = world.players[world.other - 1]
    await player.cut()
    yield 1
    await player.connect(again=True)
    await player.ask("resume", table="t1", after=0)
    await player.ask("say", table="t1", text="Back.")
    yield 1


async def one_goes_for_good(world: World) -> AsyncGenerator[float, None]:
    await world.players[world.other - 1].cut()
    yield SOON
    clocks, grace = world.table.require_match().clocks, world.table.seating.seat_state(world.other).grace
    yield min(grace, *(clocks.max_decision_time(seat) for seat in range(1, world.seats + 1))) - 1
    yield grace


async def a_program_errs_three_times(world: World) -> AsyncGenerator[float, None]:
    """Whoever of the others is asked."""
    seat = next((seat for seat in sorted(world.state.to_move()) if seat != world.observer), world.other)
    seat_state = world.table.seating.seat_state(seat)
    assert seat_state.player is not None
    seat_state.player.bot = True
    for _ in range(3):
        await world.players[seat - 1].ask(
            "act", table="t1", turn=world.table.require_match().turns[seat], action=Nonsense()
        )
        yield SOON
    yield 1


async def the_server_errs(world: World) -> AsyncGenerator[float, None]:
    """At the next action, whoever does it. What rules raise may name the cards they compute with."""

    def fail(_seat: Seat, _action: Action) -> list[AddressedEvent]:
        cards = [world.state.view(seat) for seat in range(1, world.seats + 1)]
        try:
            raise KeyError(repr(cards))
        except KeyError as error:
            raise RuntimeError(repr(cards)) from error

    vars(world.table.require_match().state)["apply"] = fail
    seat = min(world.state.to_move())
    await world.act(seat, world.state.legal_actions(seat)[0])
    yield 1


SCENES: tuple[Scene, ...] = (
    all_run_out_of_time,
    one_gives_the_seat_up,
    one_is_known_not_to_come_back,
    one_goes_and_comes_back,
    one_goes_for_good,
    a_program_errs_three_times,
    the_server_errs,
)
