"""What a seat did and heard, as text."""

from __future__ import annotations

import msgspec

from games.api import options_from, to_all, to_others, to_seat
from games.chance import Chance
from games.observation_history import ObservationHistory
from games.registry import get_game
from tests.helpers.toy import TOY, Chose, Dealt, Play


def test_a_seat_remembers_its_own_actions_and_what_it_heard_and_no_more() -> None:
    memory = ObservationHistory(TOY)
    memory.note([to_seat(1, Dealt((1,))), to_seat(2, Dealt((2,))), to_others(2, Chose(3))])
    memory.note([to_all(Chose(1))], 1, Play(4))
    assert memory.text(2) == '> {"what":"dealt","cards":[2]}\n> {"what":"chose","seat":1}\n'
    memory.note([], 2, Play(5))
    assert memory.text(2) == '> {"what":"dealt","cards":[2]}\n> {"what":"chose","seat":1}\n< play 5\n'
    assert memory.text(None) == '> {"what":"chose","seat":3}\n> {"what":"chose","seat":1}\n'


def test_a_copy_goes_its_own_way() -> None:
    memory = ObservationHistory(TOY)
    memory.note([], 1, Play(1))
    copy = memory.clone()
    copy.note([], 1, Play(2))
    assert (memory.text(1), copy.text(1)) == ("< play 1\n", "< play 1\n< play 2\n")


def test_in_a_world_that_a_seat_imagined_it_remembers_the_same_and_others_what_they_know_there() -> None:
    state, told = TOY.start(3, options_from(TOY, {}), Chance.of_number(4))
    memory = ObservationHistory(TOY)
    memory.note(told)
    world = state.redeal(2, Chance.of_number(5))
    imagined = memory.imagined(2, world)
    assert imagined.text(2) == memory.text(2)
    assert imagined.text(1) == f"= {msgspec.json.encode(world.knowledge(1)).decode()}\n"
    assert imagined.text(1) != memory.text(1)
    assert imagined.text(3) == f"= {msgspec.json.encode(world.knowledge(3)).decode()}\n"
    imagined.note([to_all(Chose(3))])
    assert imagined.text(1).endswith('}\n> {"what":"chose","seat":3}\n')


def test_two_deals_that_a_seat_cannot_tell_apart_leave_it_the_same_memory() -> None:
    game = get_game("ikasamage")
    options = options_from(game, {})
    memories = []
    for first in (1, 2):
        state, told = game.start(3, options, Chance.of_number(4))
        memory = ObservationHistory(game)
        memory.note(told)
        for _ in range(3):
            seat = min(state.to_move())
            action = state.legal_actions(seat)[first if seat != 1 else 0]  # others bet on one fighter or another
            memory.note(state.apply(seat, action), seat, action)
        memories.append(memory)
    assert memories[0].text(1) == memories[1].text(1)
    assert memories[0].text(2) != memories[1].text(2)
