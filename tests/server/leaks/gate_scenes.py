"""What happens in a town while others observe. Each part ends with the seconds until the next one."""

from __future__ import annotations

from games.api import Action, AddressedEvent, Seat
from server.desk.operator import OperatorCommand
from server.store.rows import StoreFailed
from server.table.table import Table
from tests.helpers.wire import FACES
from tests.server.leaks.happenings import Nonsense
from tests.server.leaks.probing import ARE_YOU_THERE, BEGINNINGS, Plain
from tests.server.leaks.town import A_LITTLE, ANSWERED, CUP, DELAY, FANS, PLAYERS, Observer, Parts, Setting, Town
from tests.server.leaks.twins import RESTART, Play, Scene

SOON = 1.0
HEARD = 0.5  # all that was told is there


async def in_secret(town: Town) -> None:
    """A player who is not watched does what nobody else hears of, something else in each world."""
    if not town.differ:
        return
    client, mark = town.clients["p2"], "ab"[town.world]
    client.put_raw(
        b'{"type":"look","table":"' + mark.encode() * 4 + b'"}\n{"unreadable":"' + mark.encode() * 4 + b'"}\n'
    )
    await client.ask("tell", to="p3", text=f"I hold {mark}.")
    await client.ask("password", word=f"{mark} is my password")
    for table in town.tables:
        if any(seat_state.name == "p2" for seat_state in table.seating.seat_states):
            holds = next(
                town.truth(table).hands[one.number - 1] for one in table.seating.seat_states if one.name == "p2"
            )
            absent = [card for card in range(1, 13) if card not in holds][town.world]
            await client.ask("why", table=table.id, action={"do": "play", "card": absent})
        seated = [seat_state.name for seat_state in table.seating.seat_states]
        if town.setting == "duplicate" and "p1" not in seated:  # nobody who is watched hears what is said there
            await town.clients[seated[0]].ask("say", table=table.id, text=f"Psst, {mark}.")


async def looked_at(town: Town) -> Parts:
    """All that can be asked is asked, of the server and of its operator's socket; and what cannot be read is sent."""
    await in_secret(town)
    yield town.look_round()
    for name in ("p1", "zoe"):
        await town.send_garbage(name)
    await town.ask_operator(town.commands(question=True))
    yield ANSWERED


async def all_is_asked(town: Town) -> Parts:
    await town.secret_choices()
    yield SOON
    yield looked_at(town)


async def a_round_is_played(town: Town) -> Parts:
    """At every table, so that all cards of the round are shown."""
    for table in town.tables:
        for seat in town.asked(table):
            await town.choose(table, seat, openly=True)
    yield SOON
    yield all_is_asked(town)


async def all_is_changed_by_strangers(town: Town) -> Parts:
    """Those who may do least ask for all that changes something; hardly anything does."""
    await town.secret_choices()
    for name in ("zoe", "tex", *FANS, "prog"):
        yield town.ask_all([name], question=False)
        yield ANSWERED
    yield looked_at(town)


async def all_is_changed_by_players(town: Town) -> Parts:
    await town.secret_choices()
    for name in ("p1", "p2", "own"):
        yield town.ask_all([name], question=False)
        yield ANSWERED
    yield town.look_round()


async def all_is_changed_by_the_operator(town: Town) -> Parts:
    """On a connection."""
    await town.secret_choices()
    yield town.ask_all(["ops"], question=False)
    yield ANSWERED
    yield town.look_round()


async def all_is_changed_through_the_socket(town: Town) -> Parts:
    """Of the operator."""
    await town.secret_choices()
    await town.ask_operator(town.commands(question=False))
    yield ANSWERED
    yield town.look_round()


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
    if town.differ:  # a muted player is heard by nobody
        await town.clients["ops"].ask("mute", player="p3", table=town.tables[0].id)
        await town.clients["p3"].ask("say", table=town.tables[0].id, text=f"Is {town.world} heard?")
    yield SOON
    yield looked_at(town)


async def the_server_stands_still(town: Town) -> Parts:
    """Once, busy with one address, and the disk is slow; decisions get their time back."""
    await town.secret_choices()
    yield 7.0
    town.stall(2.5)
    yield SOON
    town.stall(1.5, town.hall.lobby.people.find_player("p2"), slow=0.75)
    yield SOON
    yield looked_at(town)


async def all_run_out_of_time(town: Town) -> Parts:
    """All do, once: a default is the same in both worlds."""
    yield max(town.first.require_match().clocks.max_decision_time(seat) for seat in (1, 2, 3)) + 1
    yield looked_at(town)


async def all_pause(town: Town) -> Parts:
    """They pause, think for a long time and go on, by a decision and by a word; one asks twice."""
    table = town.first
    seated = [
        seat_state.name
        for seat_state in table.seating.seat_states
        if seat_state.player is not None and seat_state.house is None
    ]
    names = sorted(seated, key=lambda name: name != "p1")
    for name in (names[0], *names):
        await town.clients[name].ask("pause", table=table.id)
    yield 100.0
    yield looked_at(town)
    await town.secret_choices()
    yield SOON
    for name in names:
        await town.clients[name].ask("pause", table=table.id)
    yield 50.0
    await town.clients[names[-1]].ask("pause", table=table.id, on=False)
    yield looked_at(town)


async def a_decision_is_taken_back(town: Town) -> Parts:
    """Secret choices are taken back, one by one; a wish is refused, one is dropped, and what was shown stays."""
    table = town.first
    seat_states = [
        seat_state
        for seat_state in table.seating.seat_states
        if seat_state.player is not None and seat_state.house is None
    ]
    names = sorted((seat_state.name for seat_state in seat_states), key=lambda name: name != "p1")

    async def undo(name: str, *, on: bool = True) -> None:
        await town.clients[name].ask("undo", table=table.id, on=on)

    for refuses in (True, False):
        await town.secret_choices()
        yield SOON
        latest = table.require_match().undos.latest_decision
        chose = table.seating.seat_state(latest.seat).name if latest is not None else names[-1]
        await undo(chose)
        yield SOON
        for name in [name for name in names if name != chose]:
            await undo(name, on=not refuses)
        yield looked_at(town)
    await town.secret_choices()
    yield SOON
    await undo("p2")
    for seat in town.asked(table):
        await town.choose(table, seat, openly=True)
    yield SOON
    for name in names:
        await undo(name)
    yield all_is_asked(town)


async def house_bots_take_over(town: Town) -> Parts:
    """One resigns, one says that it crashed, one goes for good; one comes back."""
    await town.secret_choices()
    table = town.other
    names = [seat_state.name for seat_state in table.seating.seat_states if seat_state.name != "p1"]
    await town.clients[names[0]].ask("resign", table=table.id)
    yield SOON
    await town.clients[names[1]].cut()
    yield 20.0
    await town.come_back(names[1])
    yield SOON
    await town.clients[names[1]].cut()
    yield 200.0
    if town.observer == "p1":
        await town.clients["p1"].ask("resign", table=town.first.id)
        await town.clients["p1"].ask("resign", table=town.first.id)  # typed, it is asked once more
        yield SOON
    yield town.look_round()


async def one_errs_until_it_is_out(town: Town) -> Parts:
    """A program whose actions are none, then illegal ones, in the other world others."""
    table = town.other
    seat_state = next(one for one in table.seating.seat_states if one.name != "p1")
    assert seat_state.player is not None
    seat_state.player.bot = True
    client = town.clients[seat_state.name]
    for number in range(4):
        turn = table.require_match().turns[seat_state.number]
        await client.ask("act", table=table.id, turn=turn, action=Nonsense())
        holds = town.truth(table).hands[seat_state.number - 1]
        absent = [card for card in range(1, 13) if card not in holds][number + 2 * town.world * town.differ]
        await client.ask("act", table=table.id, turn=turn, action={"do": "play", "card": absent})
        yield SOON
    yield looked_at(town)


async def players_come_and_go(town: Town) -> Parts:
    """All are cut, by turns, and come back; one says goodbye; one has a second connection replace the first."""
    await town.secret_choices()
    for name in ("p1", "p2", *FANS, "zoe", "tex"):
        await town.clients[name].cut()
        yield 3.0
        await town.come_back(name)
        yield HEARD
    await town.clients["p3"].ask("leave", table=town.tables[0].id)
    await town.clients["p2"].ask("quit")
    yield 5.0
    await town.clients["zoe"].connect(again=True)
    yield looked_at(town)


async def hands_are_open_later(town: Town) -> Parts:
    """All think for much longer than the delay, before and after a part of a round."""
    for _ in range(2):
        yield DELAY / 2
        for name in FANS:
            await town.clients[name].ask("hands", table=town.first.id)
        yield 2.0 * DELAY
        yield town.look_round()
        for name in FANS:
            await town.clients[name].ask("hands", table=town.first.id)
        await town.secret_choices()
        yield SOON


async def the_server_is_killed(town: Town) -> Parts:
    await town.secret_choices()
    yield 3.0
    yield RESTART
    yield looked_at(town)
    await town.secret_choices()
    yield SOON


async def the_disk_is_full(town: Town) -> Parts:
    """What is asked meanwhile is not done, and told so."""
    await town.secret_choices()
    yield SOON
    town.disk.full = True
    yield town.ask_all(["p1", "zoe", "fan"])
    await town.clients["p2"].ask("say", table=town.tables[0].id, text="Is that kept?")
    await town.clients["zoe"].ask("open", game="toy")
    yield ANSWERED
    await town.ask_operator(town.commands(question=True))
    town.disk.full = False
    yield ANSWERED
    yield looked_at(town)


async def strangers_knock(town: Town) -> Parts:
    """They ask before they say who they are, take names that are none or another's, and guess at proofs."""
    await town.secret_choices()
    yield SOON
    hellos: list[Plain] = [
        {"type": "hello", "name": name, **more}
        for name, more in (
            ("p", {}),
            ("p1", {}),
            ("first", {}),
            ("nobody-here", {"code": "abc"}),
            ("p1", {"proof": "00" * 32}),
            ("p2", {"code": "bbbbbbbbbb"}),
            ("p3", {"proof": "11" * 32}),
        )
    ]
    early: list[Plain] = [{"type": kind} for kind in ("look", "tables", "act")]
    for number, plain in enumerate((*early, *hellos, *hellos)):
        await town.knock(f"anon-{number}", plain)
        yield A_LITTLE
    for plain in (hellos[0], {"type": "ping", "id": 1}, {"type": "ping", "id": 2}, {"type": "cups", "id": 2}):
        town.clients["zoe"].put_plain(plain)
        yield A_LITTLE
    zoe = town.clients["zoe"]
    await zoe.ask("open", game="toy", seats=2)
    opened = next(reversed(town.hall.lobby.tables))
    await zoe.ask("start", table=opened)
    await town.clients["prog"].ask("join", table=opened)
    await zoe.ask("kick", table=opened, player="prog")
    await town.clients["prog"].ask("join", table=opened)
    await town.clients["lag"].ask("ignore", player="zoe")
    await zoe.ask("tell", to="lag", text="Hello?")
    for wrong in ({"word": "wrong"}, {"proof": "22" * 32}):
        await town.clients["lag"].ask("operator", **wrong)
    await town.ask_operator([OperatorCommand("ban", who="tex"), OperatorCommand("stop-accepting")])
    await town.clients["tex"].connect(again=True)
    await town.knock("anon-late", {"type": "hello", "name": "newcomer"})
    await town.ask_operator([OperatorCommand("unban", who="tex"), OperatorCommand("accept")])
    yield ANSWERED


async def connections_end_badly(town: Town) -> Parts:
    """Strangers send what no connection begins with, too much, half of a line, or nothing; one with a name half-closes.
    A telnet asks whether anybody is there."""
    await town.secret_choices()
    yield SOON
    town.clients["tex"].put_raw(ARE_YOU_THERE)
    for number, data in enumerate(BEGINNINGS):
        client = await town.knock(f"anon-begin-{number}", data, f"10.1.{number}.1")
        if not data.endswith(b"\n"):
            await client.half_close()
        yield A_LITTLE
    await town.knock("anon-says-nothing", b"", "10.1.99.1")
    town.clients["zoe"].put_raw(b'{"type":"pi')
    await town.clients["zoe"].half_close()
    yield 100.0
    yield looked_at(town)


async def the_server_ends_in_good_order(town: Town) -> Parts:
    await town.secret_choices()
    yield SOON
    town.say_goodbye()
    await town.knock("anon-late", {"type": "hello", "name": "newcomer"})
    yield 20.0


async def all_are_silent(town: Town) -> Parts:
    """For so long that programs are asked for a sign of life; all but one give it."""
    await town.secret_choices()
    town.watch_for_silence()
    yield 250.0
    for name, client in town.clients.items():
        if name != "lag":
            await client.ask("ping")
    yield 100.0
    yield town.ask_all(["p1", "zoe", "tex"])
    yield ANSWERED


def _fail(town: Town, table: Table) -> None:
    def fail(_seat: Seat, _action: Action) -> list[AddressedEvent]:
        truth = repr(town.truth(table).hands)
        try:
            raise StoreFailed(truth)
        except StoreFailed as error:
            raise RuntimeError(truth) from error

    vars(table.require_match().state)["apply"] = fail


async def the_server_errs_at_a_table(town: Town) -> Parts:
    """The match there is aborted."""
    await town.secret_choices()
    table = town.other
    _fail(town, table)
    await town.choose(table, town.asked(table)[0])
    yield SOON
    yield town.look_round()


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
    yield town.look_round()


async def a_match_of_the_deal_is_over(town: Town) -> Parts:
    """At one table, while the same deal goes on at another one. All try to watch first."""
    await town.secret_choices()
    table = town.other
    for name in ("zoe", "ops", "tex", *FANS, "p1"):
        await town.clients[name].ask("watch", table=table.id)
    for _ in range(2):  # of three rounds, of which only those at that table are told
        for seat in town.asked(table):
            await town.choose(table, seat, openly=True)
        yield SOON
    yield looked_at(town)
    await town.play_to_the_end(table)  # the result is told
    yield SOON
    for name, client in town.clients.items():
        if name.startswith("p"):
            await client.ask("replay", table=table.id)
            yield SOON
    yield town.look_round()


async def a_cup_is_paused_and_goes_on(town: Town) -> Parts:
    await town.secret_choices()
    own = town.clients["own"]
    await own.ask("cup_pause", cup=CUP)
    yield SOON
    yield looked_at(town)
    await own.ask("cup_start", cup=CUP)
    yield SOON
    yield town.look_round()


async def a_paused_cup_is_killed(town: Town) -> Parts:
    await town.secret_choices()
    await town.clients["own"].ask("cup_pause", cup=CUP)
    yield SOON
    yield RESTART
    yield looked_at(town)


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
    yield town.look_round()


async def a_cup_is_stopped(town: Town) -> Parts:
    """Its matches are aborted, and its secret is told; what was held is in the replays."""
    await town.secret_choices()
    await town.clients["own"].ask("cup_stop", cup=CUP)
    yield SOON


EVERYWHERE: tuple[Scene, ...] = (
    all_is_asked,
    a_round_is_played,
    all_is_changed_by_strangers,
    all_is_changed_by_players,
    all_is_changed_by_the_operator,
    all_is_changed_through_the_socket,
    everybody_talks,
    the_server_stands_still,
    all_run_out_of_time,
    all_pause,
    a_decision_is_taken_back,
    house_bots_take_over,
    one_errs_until_it_is_out,
    players_come_and_go,
    the_server_is_killed,
    the_disk_is_full,
    strangers_knock,
    connections_end_badly,
    the_server_ends_in_good_order,
    all_are_silent,
    the_server_errs_at_a_table,
    a_match_is_aborted,
)
OF_CUPS: tuple[Scene, ...] = (a_cup_is_paused_and_goes_on, a_paused_cup_is_killed, entrants_change, a_cup_is_stopped)
OF_A_DEAL: tuple[Scene, ...] = (a_match_of_the_deal_is_over,)
OF_OPEN_HANDS: tuple[Scene, ...] = (hands_are_open_later, the_server_is_killed, everybody_talks)
TELLING = (
    *(a_cup_is_stopped, all_is_changed_by_players, all_is_changed_by_the_operator),
    all_is_changed_through_the_socket,
)
"""Where what is secret until a match or a cup is over is told, as it then may be."""
TELLING_UNLESS_SHARED = (
    house_bots_take_over,
    a_match_is_aborted,
    the_server_errs_at_a_table,
)  # likewise, if no other table has the deal
OBSERVERS: tuple[Observer, ...] = ("p1", "spectators", "everybody")
SETTINGS: tuple[Setting, ...] = ("table", "fresh", "duplicate")


def plays() -> dict[str, Play]:
    """Every scene in every setting, for every observer, each in a face in turn; by name."""
    rows: list[tuple[Scene, Setting, int]] = [(scene, setting, 0) for scene in EVERYWHERE for setting in SETTINGS]
    rows += [(scene, setting, 0) for scene in OF_CUPS for setting in SETTINGS[1:]]
    rows += [(scene, "duplicate", 0) for scene in OF_A_DEAL] + [(scene, "table", DELAY) for scene in OF_OPEN_HANDS]
    made = {}
    for place, (scene, setting, delay) in enumerate(rows):
        for turn, observer in enumerate(OBSERVERS):
            tells = scene in TELLING or (scene in TELLING_UNLESS_SHARED and setting != "duplicate")
            if tells and observer == "everybody":
                continue  # nothing differs
            name = f"{scene.__name__}-{'open' if delay else setting}-{observer}"
            number, face = (place + turn) % 5, FACES[(place // 3 + place + turn) % len(FACES)]
            made[name] = Play(scene, setting, observer, face, number, secrets=not tells, more={"delay": delay})
    return made


PLAYS = plays()


def in_turn() -> list[str]:
    """The names of plays with every scene, each in one setting for one observer."""
    scenes: dict[Scene, list[str]] = {}
    for name, play in PLAYS.items():
        scenes.setdefault(play.scene, []).append(name)
    return [names[(4 * place) % len(names)] for place, names in enumerate(scenes.values())]
