"""A whole match over memory streams: order, numbering, answers."""

from games.api import Action, AddressedEvent, Options, Seat, State, to_all
from games.chance import Chance
from tests.helpers.hall import Hall
from tests.helpers.toy import Chose, Play, ToyGame, ToyState


class Hasty(ToyState):
    """Who chooses first ends the round for all; in the second round seat 1 alone is asked."""

    def to_move(self) -> frozenset[Seat]:
        return frozenset(((), (1, 2), (1,), (1, 2))[self.rounds])

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        assert isinstance(action, Play)
        self.hands[seat - 1].remove(action.card)
        self.rounds -= 1
        return [to_all(Chose(seat))]


class HastyGame(ToyGame):
    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        state, told = super().start(seats, options, chance)
        return Hasty(**vars(state)), told


async def test_who_was_asked_in_vain_is_asked_anew(hall: Hall) -> None:
    hall.lobby.games = {"toy": HastyGame()}
    ann, bob = await hall.table_of("ann", "bob")
    for _ in range(2):
        turn = await ann.next("turn")
        await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert [(await bob.next("turn"))["turn"] for _ in range(2)] == [1, 2]


async def test_a_turn_that_is_told_again_has_the_number_that_it_had_at_first(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    await bob.ask("say", table="t1", text="Hm!")
    again = (await ann.ask("legal", table="t1"))["turn"]
    stale = (await ann.ask("act", table="t1", turn=99, action=turn["legal"][0]))["turn"]
    assert again == stale == turn


async def test_a_match_against_a_house_bot_runs_to_its_end(hall: Hall) -> None:
    ann = await hall.player("ann")
    opened = await ann.ask("open", game="toy", seats=2)
    assert opened["info"]["seats"][0] == {"seat": 1, "name": "ann", "kind": "person"}
    assert (await ann.ask("add", table="t1", bot="first"))["info"]["seats"][1]["name"] == "first"
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    over = await ann.play_on()
    assert {result["how"] for result in over["results"]} == {"played"}
    numbers = [message["n"] for message in ann.told if "n" in message]
    assert numbers == sorted(numbers)
