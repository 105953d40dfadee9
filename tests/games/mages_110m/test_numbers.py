"""110 Metres Mages: what the numbers of a view say, field by field."""

from __future__ import annotations

from array import array

from games.api import options_from
from games.mages_110m.rules import RaceState
from tests.games.mages_110m.given import GAME, at, do, given, lay, mage

KINDS = len(GAME.deck.kinds)


def fields(state: RaceState, seat: int | None) -> dict[str, list[int]]:
    """The numbers of what a seat sees, by field."""
    layout = GAME.layout(state.seats, options_from(GAME, {}))
    numbers = array("f", bytes(4 * layout.size))
    GAME.encode(state.view(seat), numbers)
    return {name: [int(number) for number in numbers[place]] for name, place in layout.slices.items()}


def one_of(place: int, many: int) -> list[int]:
    """A one in that place, counted from 0."""
    return [int(at == place) for at in range(many)]


def cards(**counts: int) -> list[int]:
    """How many of each kind of card."""
    return [counts.get(name, 0) for name in GAME.deck.names]


def test_a_spell_in_the_air_and_the_answers_to_it() -> None:
    state = given("trip hop", "no no", "hop")
    do(state, 1, "cast trip 3")
    do(state, 2, "counter no")
    numbers, others, everybody = (fields(state, seat) for seat in (2, 1, None))
    assert (numbers["seat"], others["seat"], everybody["seat"]) == ([0, 1, 0], [1, 0, 0], [0, 0, 0])
    assert numbers["phase"] == one_of(4, 8)
    assert numbers["to_move"] == [0, 0, 1]
    assert numbers["turn_of"] == numbers["spell of"] == [1, 0, 0]
    assert numbers["spell at"] == [0, 0, 1]
    assert numbers["spell"] == cards(trip=1)
    assert numbers["hand"] == cards(no=2)
    assert numbers["answer"] == one_of(GAME.deck.index["no"] + 1, KINDS + 1)
    assert others["answer"] == everybody["answer"] == [0] * (KINDS + 1)
    do(state, 3, "let")
    state = given("hop", "no", "no")
    do(state, 1, "cast hop")
    do(state, 2, "let")
    assert fields(state, 2)["answer"] == one_of(0, KINDS + 1)
    assert fields(state, 2)["spell at"] == [0, 0, 0]


def test_what_a_die_lacks_and_what_a_deed_still_costs() -> None:
    state = given("leap", "hop", reserve=3, dice="2")
    do(state, 1, "cast leap")
    numbers = fields(state, 1)
    assert (numbers["missing"], numbers["phase"]) == ([2], one_of(3, 8))
    state = given("hop hop hop", "hop")
    do(state, 1, "trade clear")
    numbers = fields(state, 1)
    assert (numbers["deed"], numbers["phase"]) == (one_of(3, 6), one_of(1, 8))
    assert numbers["spell"] == numbers["answer"][1:] == [0] * KINDS


def test_the_table_and_what_lies_in_front_of_each_mage() -> None:
    position = {
        "turn": 7, "turn_of": 2, "counts": 3, "pile": 12, "options": {"surge": "stays"},
        "mage": [
            {"square": 4, "hurdles": [4, 9], "arms": 1, "legs": 0, "endurance": 8, "power": 5, "reserve": 6,
             "hand": 3, "cvs": ["cv_b", "cv_d"], "traded": True,
             "lasting": [{"card": "shoes", "counters": 2}, {"card": "luck", "counters": 1}]},
            {"hand": ["hop", "dash", "hop"], "dazed": True},
        ],
    }  # fmt: skip
    state = at(position)
    lay(state, 2, "umbrella", 1, asleep=True)
    numbers, lies = fields(state, 2), 10  # as many as last in the deck
    assert [numbers[name] for name in ("turn", "pile", "counts", "surge_stays")] == [[7], [12], [3], [1]]
    figures = ("square", "arms", "legs", "endurance", "power", "reserve", "hand_size", "traded", "dazed")
    assert [numbers[f"mage 1 {name}"] for name in figures] == [[4], [1], [0], [8], [5], [6], [3], [1], [0]]
    assert [numbers[f"mage 2 {name}"] for name in figures] == [[1], [2], [2], [10], [0], [0], [3], [0], [1]]
    assert numbers["mage 1 hurdles"] == [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]
    assert numbers["mage 1 cvs"] == [0, 1, 0, 1, 0, 0, 0, 0, 0]
    assert len(numbers["mage 1 lasting"]) == lies
    assert numbers["mage 1 lasting"][:3] == [GAME.deck.index["shoes"] + 1, GAME.deck.index["luck"] + 1, 0]
    assert numbers["mage 1 counters"][:3] == [2, 1, 0]
    assert not any(numbers["mage 1 asleep"])
    assert (numbers["mage 2 lasting"][0], numbers["mage 2 asleep"]) == (
        GAME.deck.index["umbrella"] + 1,
        one_of(0, lies),
    )
    assert numbers["hand"] == cards(hop=2, dash=1)


def test_the_king_s_order_is_a_number_for_each_mage_that_is_to_come() -> None:
    state = given("", "hop", "", pile="hop king")
    state.race.king_reigns, state.race.actor, state.race.king_queue = True, 3, [1]
    assert fields(state, None)["king"] == [2, 0, 1]
    state.race.king_reigns = False
    assert fields(state, None)["king"] == [0, 0, 0]
    assert mage(state, 3).seat == 3


def test_no_number_can_be_beyond_the_bounds_that_programs_are_told() -> None:
    cards, counts = len(GAME.deck.all_cards), GAME.deck.mages.counts
    bounds = {
        field.name: (field.least, field.most)
        for field in GAME.layout(2, options_from(GAME, {"late_reserve": 2})).fields
    }
    turns = counts * (cards + 2 * (9 + 3))
    assert GAME.longest(2, options_from(GAME, {})) == turns + counts * cards * 3
    assert bounds["turn"] == (0, turns)
    assert bounds["missing"] == (0, 20 * 9)
    assert (bounds["pile"], bounds["counts"], bounds["king"]) == ((0, cards), (0, counts), (0, 2))
    assert bounds["discard"] == bounds["hand"] == bounds["mage 1 cvs"] == (0, 9)
    assert bounds["mage 1 square"] == (1, 12)
    assert bounds["mage 2 power"] == (0, counts * cards * 12 + 2 * turns)  # the hum brings most: 6 in each of two turns
    assert bounds["mage 2 reserve"] == (0, 2 + counts * cards * (3 + 1) + 2 * turns)
    assert bounds["mage 2 lasting"] == (0, KINDS)
    assert bounds["mage 2 counters"] == (0, 9)
