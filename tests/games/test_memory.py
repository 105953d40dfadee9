"""What a seat did and heard, as text."""

from __future__ import annotations

from games.api import options_from, tell, tell_all, tell_others
from games.chance import Chance
from games.memory import Memory
from games.registry import get_game
from tests.helpers.toy import TOY, Chose, Dealt, Play


def test_a_memory_holds_ones_own_actions_and_what_one_heard_and_no_more() -> None:
    mine, spectators = Memory(TOY, 2), Memory(TOY, None)
    for memory in (mine, spectators):
        memory.note([tell(1, Dealt((1,))), tell(2, Dealt((2,))), tell_others(2, Chose(3))])
        memory.note([tell_all(Chose(1))], 1, Play(4))
        memory.note([], 2, Play(5))
    assert str(mine) == '> {"what":"dealt","cards":[2]}\n> {"what":"chose","seat":1}\n< play 5\n'
    assert str(spectators) == '> {"what":"chose","seat":3}\n> {"what":"chose","seat":1}\n'


def test_a_copy_goes_its_own_way() -> None:
    memory = Memory(TOY, 1)
    memory.note([], 1, Play(1))
    copy = memory.clone()
    copy.note([], 1, Play(2))
    assert (str(memory), str(copy)) == ("< play 1\n", "< play 1\n< play 2\n")


def test_two_deals_that_a_seat_cannot_tell_apart_leave_it_the_same_memory() -> None:
    game = get_game("ikasamage")
    options = options_from(game, {})
    memories = []
    for first in (1, 2):
        state, told = game.start(3, options, Chance.of_number(4))
        memory = Memory(game, 1)
        memory.note(told)
        while 1 not in (movers := state.to_move()) or state.legal_actions(1)[0] not in game.actions(3, options)[:25]:
            seat = min(movers)
            action = state.legal_actions(seat)[first if seat != 1 else 0]  # others bet on one fighter or another
            memory.note(state.apply(seat, action), seat, action)
        memories.append(str(memory))
    assert memories[0] == memories[1]
