"""What happens in a town while others observe. Each part ends with the seconds until the next one."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from games.api import Action, Seat, Told
from server.store.rows import StoreFailed
from server.table.table import Table
from tests.server.happenings import Nonsense
from tests.server.town import ANSWERED, CUP, DELAY, PLAYERS, Town
from tests.server.twins import RESTART

Parts = AsyncGenerator[float, None]

SOON = 1.0
HEARD = 0.5  # all that was told is there


async def looked_at(town: Town) -> Parts:
    """All that can be asked is asked, of the server and of its operator's socket; and what cannot be read is sent."""
    async for seconds in town.look_round():
        yield seconds
    for name in ("p1", "zoe"):
        await town.send_garbage(name)
    await town.ask_operator(town.commands(question=True))
    yield ANSWERED


async def all_is_asked(town: Town) -> Parts:
    await town.secret_choices()
    yield SOON
    async for seconds in looked_at(town):
        yield seconds


async def a_round_is_played(town: Town) -> Parts:
    """At every table, so that all cards of the round are shown."""
    for table in town.tables:
        for seat in town.asked(table):
            await town.choose(table, seat, openly=True)
    yield SOON
    async for seconds in all_is_asked(town):
        yield seconds


async def all_is_changed_by_strangers(town: Town) -> Parts:
    """Those who may do least ask for all that changes something; hardly anything does."""
    await town.secret_choices()
    for name in ("zoe", "tex", "fan", "prog"):
        async for seconds in town.ask_all([name], question=False):
            yield seconds
        yield ANSWERED
    async for seconds in looked_at(town):
        yield seconds


async def all_is_changed_by_players(town: Town) -> Parts:
    await town.secret_choices()
    for name in ("p1", "p2", "own"):
        async for seconds in town.ask_all([name], question=False):
            yield seconds
        yield ANSWERED
    async for seconds in town.look_round():
        yield seconds


async def all_is_changed_by_the_operator(town: Town) -> Parts:
    """On a connection, then through the socket."""
    await town.secret_choices()
    async for seconds in town.ask_all(["ops"], question=False):
        yield seconds
    yield ANSWERED
    await town.ask_operator(town.commands(question=False))
    yield ANSWERED
    async for seconds in town.look_round():
        yield seconds


async def everybody_talks(town: Town) -> Parts:
    """At the table, to all, to one; some of it in private. A spectator chats on; one is muted."""
    await town.secret_choices()
    for name, client in town.clients.items():
        for table in town.tables[:1]:
            await client.ask("say", table=table.id, text=f"Hello from {name}.")
        await client.ask("say", text=f"All hear {name}.")
        await client.ask("tell", to="zoe", text=f"{name} to you.")
    yield SOON
    for number in range(30):
        await town.clients["fan"].ask("say", table=town.tables[0].id, text=f"So they say {number}.")
    secret = f"I hold {town.world * town.differ}."  # of which others hear nothing
    await town.clients["p2"].ask("tell", to="p3", text=secret)
    await town.clients["ops"].ask("mute", player="fan", table=town.tables[0].id)
    await town.clients["fan"].ask("say", table=town.tables[0].id, text="Am I heard?")
    yield SOON
    async for seconds in looked_at(town):
        yield seconds


async def the_server_stands_still(town: Town) -> Parts:
    """Once, busy with one address, and the disk is slow; decisions get their time back."""
    await town.secret_choices()
    yield 7.0
    for table in town.tables:
        table.stalled(2.5)
    yield SOON
    for table in town.tables:
        table.stalled(1.5, town.clients["p2"].address, stopped=False)
        table.live().disk_was_slow(0.75)
    yield SOON
    async for seconds in looked_at(town):
        yield seconds


async def all_run_out_of_time(town: Town) -> Parts:
    """All do, once: a default is the same in both worlds."""
    yield max(town.first.running().clocks.whole(seat) for seat in (1, 2, 3)) + 1
    async for seconds in looked_at(town):
        yield seconds


async def house_bots_take_over(town: Town) -> Parts:
    """One resigns, one says that it crashed, one goes for good; one comes back."""
    await town.secret_choices()
    table = town.other
    names = [chair.name for chair in table.seating.chairs if chair.name != "p1"]
    await town.clients[names[0]].ask("resign", table=table.id)
    yield SOON
    await town.clients[names[1]].cut()
    yield 20.0
    await town.come_back(names[1])
    yield SOON
    await town.clients[names[1]].cut()
    yield 200.0
    async for seconds in town.look_round():
        yield seconds


async def one_errs_until_it_is_out(town: Town) -> Parts:
    """A program whose actions are none, then illegal ones, in the other world others."""
    table = town.other
    chair = next(one for one in table.seating.chairs if one.name != "p1")
    assert chair.player is not None
    chair.player.bot = True
    client = town.clients[chair.name]
    for number in range(4):
        turn = table.running().turns[chair.number]
        await client.ask("act", table=table.id, turn=turn, action=Nonsense())
        holds = town.truth(table).hands[chair.number - 1]
        absent = [card for card in range(1, 13) if card not in holds][number + 2 * town.world * town.differ]
        await client.ask("act", table=table.id, turn=turn, action={"do": "play", "card": absent})
        yield SOON
    async for seconds in looked_at(town):
        yield seconds


async def players_come_and_go(town: Town) -> Parts:
    """All are cut, by turns, and come back; one says goodbye; one is replaced by another connection of the same name."""
    await town.secret_choices()
    for name in ("p1", "p2", "fan", "zoe", "tex"):
        await town.clients[name].cut()
        yield 3.0
        await town.come_back(name)
        yield HEARD
    await town.clients["p3"].ask("leave", table=town.tables[0].id)
    await town.clients["p2"].ask("quit")
    yield 5.0
    await town.clients["zoe"].connect(again=True)
    async for seconds in looked_at(town):
        yield seconds


async def hands_are_open_later(town: Town) -> Parts:
    """All think for much longer than the delay, before and after a part of a round."""
    for _ in range(2):
        yield DELAY / 2
        await town.clients["fan"].ask("hands", table=town.first.id)
        yield 2.0 * DELAY
        async for seconds in town.look_round():
            yield seconds
        await town.clients["fan"].ask("hands", table=town.first.id)
        await town.secret_choices()
        yield SOON


async def the_server_is_killed(town: Town) -> Parts:
    await town.secret_choices()
    yield 3.0
    yield RESTART
    async for seconds in looked_at(town):
        yield seconds
    await town.secret_choices()
    yield SOON


async def the_disk_is_full(town: Town) -> Parts:
    """What is asked meanwhile is not done, and told so."""
    await town.secret_choices()
    yield SOON
    town.disk.full = True
    async for seconds in town.ask_all(["p1", "zoe", "fan"]):
        yield seconds
    await town.clients["p2"].ask("say", text="Is that kept?")
    yield ANSWERED
    await town.ask_operator(town.commands(question=True))
    town.disk.full = False
    yield ANSWERED
    async for seconds in looked_at(town):
        yield seconds


def _fail(town: Town, table: Table) -> None:
    def fail(_seat: Seat, _action: Action) -> list[Told]:
        truth = repr(town.truth(table).hands)
        try:
            raise StoreFailed(truth)
        except StoreFailed as error:
            raise RuntimeError(truth) from error

    vars(table.running().state)["apply"] = fail


async def the_server_errs_at_a_table(town: Town) -> Parts:
    """The match there is aborted."""
    await town.secret_choices()
    table = town.other
    _fail(town, table)
    await town.choose(table, town.asked(table)[0])
    yield SOON
    async for seconds in town.look_round():
        yield seconds


async def a_match_is_aborted(town: Town) -> Parts:
    """The operator closes a table, while the same deal may go on at another one."""
    await town.secret_choices()
    table = town.other
    await town.clients["ops"].ask("close", table=table.id)
    yield SOON
    for name in town.clients:
        if not (name.startswith("anon") or table.id in town.revealed):
            await town.clients[name].ask("replay", table=table.id)
            yield SOON
    async for seconds in town.look_round():
        yield seconds


async def a_match_of_the_deal_is_over(town: Town) -> Parts:
    """At one table, while the same deal goes on at another one."""
    await town.secret_choices()
    table = town.other
    await town.play_to_the_end(table)
    yield SOON
    for name, client in town.clients.items():
        if name.startswith("p"):
            await client.ask("replay", table=table.id)
            yield SOON
    async for seconds in town.look_round():
        yield seconds


async def a_cup_is_paused_and_goes_on(town: Town) -> Parts:
    await town.secret_choices()
    own = town.clients["own"]
    await own.ask("cup_pause", cup=CUP)
    yield SOON
    async for seconds in looked_at(town):
        yield seconds
    await own.ask("cup_start", cup=CUP)
    yield SOON
    async for seconds in town.look_round():
        yield seconds


async def a_paused_cup_is_killed(town: Town) -> Parts:
    await town.secret_choices()
    await town.clients["own"].ask("cup_pause", cup=CUP)
    yield SOON
    yield RESTART
    async for seconds in looked_at(town):
        yield seconds


async def entrants_change(town: Town) -> Parts:
    """One drops out, one is sent away and invited again, one is replaced."""
    await town.secret_choices()
    own, late = town.clients["own"], f"p{PLAYERS if town.setting == 'duplicate' else 3}"
    await town.clients[late].ask("cup_drop", cup=CUP)
    yield SOON
    await own.ask("cup_kick", cup=CUP, entrant="p2")
    await own.ask("cup_invite", cup=CUP, player="p2")
    await own.ask("cup_invite", cup=CUP, player=late)
    await town.clients[late].ask("cup_enter", cup=CUP)
    await own.ask("cup_replace", cup=CUP, entrant="p2", player="prog")
    yield 5.0
    async for seconds in town.look_round():
        yield seconds


async def a_cup_is_stopped(town: Town) -> Parts:
    """Its matches are aborted, and its secret is told; what was held is in the replays."""
    await town.secret_choices()
    await town.clients["own"].ask("cup_stop", cup=CUP)
    yield SOON


EVERYWHERE = (
    all_is_asked,
    a_round_is_played,
    all_is_changed_by_strangers,
    all_is_changed_by_players,
    all_is_changed_by_the_operator,
    everybody_talks,
    the_server_stands_still,
    all_run_out_of_time,
    house_bots_take_over,
    one_errs_until_it_is_out,
    players_come_and_go,
    the_server_is_killed,
    the_disk_is_full,
    the_server_errs_at_a_table,
    a_match_is_aborted,
)
OF_CUPS = (a_cup_is_paused_and_goes_on, a_paused_cup_is_killed, entrants_change, a_cup_is_stopped)
OF_A_DEAL = (a_match_of_the_deal_is_over,)
AT_A_TABLE = (hands_are_open_later,)
TELLING = (
    a_cup_is_stopped,
    all_is_changed_by_players,
    all_is_changed_by_the_operator,
)  # what is secret until a match, or a cup, is over
TELLING_AT_A_TABLE = (a_match_is_aborted, the_server_errs_at_a_table)  # likewise, outside of cups
