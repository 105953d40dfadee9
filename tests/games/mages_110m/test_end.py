"""110 Metres Mages: what is seen, who is late, and the end."""

import msgspec
import pytest

from games.api import options_from
from games.chance import Chance
from games.mages_110m import GAMES, events
from games.mages_110m.moves import Cast, Pass
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import NO_CARD
from games.mages_110m.views import Race, SeatRace
from tests.games.mages_110m.given import GAME, begin_turn, cast, do, given, heard, mage, may, pile_is, rolling


def test_hands_and_the_order_of_the_pile_are_hidden() -> None:
    """Rule 10.1."""
    state = given("hop kick", "no glow", pile="wave trip")
    other = given("hop kick", "study dim", pile="trip wave")
    for observer in (None, 1):
        assert msgspec.json.encode(state.view(observer)) == msgspec.json.encode(other.view(observer))
    assert state.view(2) != other.view(2)


def test_all_else_lies_open() -> None:
    """Rule 10.1."""
    state = given("hop kick", "no glow", discard="wave trip")
    view = state.view(None)
    assert type(view) is Race
    assert view.discard == ("wave", "trip")
    assert view.pile == len(state.race.pile)
    assert [runner.hand_size for runner in view.mages] == [2, 2]
    own = state.view(1)
    assert type(own) is SeatRace
    assert own.hand == ("hop", "kick")


def test_a_seat_that_is_not_at_the_table_may_do_nothing() -> None:
    state = given("hop", "hop")
    for seat in (0, 3):
        refusal = state.refusal_reason(seat, Pass())
        assert refusal is not None
        assert (refusal.code, refusal.text) == ("not_your_turn", f"There is no seat {seat} at this table.")
    for seat, text in ((1, None), (2, "It is not your turn to decide.")):
        refusal = state.refusal_reason(seat, Pass())
        assert (refusal.text if refusal else None) == text


def test_conceding_is_forbidden_with_a_reason() -> None:
    """Rule 10.2."""
    assert GAMES[0].no_resigning_reason is not None
    assert GAMES[0].no_resigning_reason.startswith("Conceding is against the rules")
    assert all("resign" not in line and "concede" not in line for line in may(given("hop kick glow wave")))


def test_for_a_late_mage_chance_decides_among_what_it_may_do() -> None:
    """Rule 10.3."""
    state = given("hop kick glow wave")
    done = {GAME.words.format_action(state.default_action(1, Chance.of_number(n))) for n in range(100)}
    assert done == set(may(state))


def test_the_others_are_placed_by_their_squares() -> None:
    """Rule 10.4."""
    state = given("hop", "", "", "", square=11)
    for seat, square in ((2, 4), (3, 9), (4, 4)):
        mage(state, seat).square = square
    cast(state, "hop")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.places == (1, 3, 2, 3)
    assert outcome.scores == (110, 30, 80, 30)


def test_at_the_twelfth_count_the_race_is_called_off() -> None:
    """Rule 10.5."""
    state = given("", "", "", discard="hop hop")
    for seat, square in ((1, 4), (2, 9), (3, 9)):
        mage(state, seat).square = square
    pile_is(state, "hop hop")
    state.race.counts = 10
    begin_turn(state)
    assert state.outcome() is None
    pile_is(state, "hop hop")
    do(state, 1, "pass")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.places) == ("called_off", (3, 1, 1))
    assert state.to_move() == frozenset()


def test_a_race_that_was_called_off_is_imagined_as_such_though_a_mage_stands_on_the_last_square() -> None:
    state = given("", "", square=11)
    state.race.counts = 11
    pile_is(state, "hop")
    begin_turn(state)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "called_off"
    assert state.redeal(2, Chance.of_number(1)).outcome() == outcome


def test_a_race_of_mages_who_always_pass_comes_to_an_end() -> None:
    """Rule 10.5."""
    state, _ = GAMES[0].start(4, options_from(GAMES[0], {}), Chance.of_number(1))
    finished = []
    for _ in range(5_000):
        movers = sorted(state.to_move())
        if not movers:
            break
        told = state.apply(movers[0], state.legal_actions(movers[0])[-1])  # pass, or drop the last card
        finished += heard(told, events.Finished)
    assert len(finished) == 1


def test_a_card_file_may_name_the_last_turn() -> None:
    """Rule 10.5."""
    short = GAME.with_cards(GAME.card_file_text().replace("hand = 6", "hand = 6\nturns = 3", 1))
    state, _ = short.start(2, options_from(short, {}), Chance.of_number(1))
    turns = 0
    while movers := state.to_move():
        seat = min(movers)
        view = state.view(seat)
        assert isinstance(view, SeatRace)
        turns = view.turn
        state.apply(seat, state.legal_actions(seat)[-1])
    outcome = state.outcome()
    assert outcome is not None
    assert (turns, outcome.reason) == (3, "called_off")


FEW = """\
[track]
squares = 2
hurdles = []
[mages]
arms = 1
legs = 1
endurance = 9
tired = 0
surge = 9
hand = 6
gamble = 4
counts = 9
turns = 60
"""
SPELLS = {
    "wagon": 'kind = "spell"\ncounters = 2\neffects = ["you charge 2"]',
    "chain": 'kind = "spell"\ncounters = 2\nlies = "them"\neffects = ["you charge 2"]',
    "shade": 'kind = "spell"\ncounters = 2\nlasting = ["shield"]',
    "skate": 'kind = "counter"\neffects = ["you charge 2"]',
}
for _name, _does in SPELLS.items():
    FEW += f'[[card]]\nname = "{_name}"\ncount = 1\ntitle = {{ en = "{_name.title()}" }}\n{_does}\n'


@pytest.mark.parametrize(
    ("line", "second", "where"),
    [
        ("cast wagon", {}, "lasting 1"),
        ("cast chain", {}, "lasting 2"),
        ("cast chain", {"lasting": [{"card": "shade", "counters": 2}]}, "discard"),
    ],
    ids=["before its mage", "before its victim", "off a protection"],
)
def test_a_lasting_spell_that_crosses_the_line_lies_where_it_came_to_lie_and_nowhere_else(
    line: str, second: dict[str, object], where: str
) -> None:
    """Rules 4.6, 4.7, 5.3."""
    few = GAME.with_cards(FEW)
    state = few.build_position(
        {"turn_of": 1, "mage": [{"hand": [line.split()[1]]}, {"hand": [], **second}]}, rolling("")
    )
    assert isinstance(state, RaceState)
    state.apply(1, few.words.parse_actions(line, state.view(1), state.legal_actions(1))[0])
    race, card = state.race, few.deck.index[line.split()[1]]
    assert race.phase == "over"
    found = ["spell"] * (race.spell == card) + ["discard"] * race.discard.count(card)
    found += [f"lasting {mage.seat}" for mage in race.mages for lying, _, _ in mage.lasting if lying == card]
    assert found == [where]
    assert (race.spell, race.spell_at) == (NO_CARD, 0)


def test_a_lasting_spell_that_is_aimed_at_another_lies_before_its_own_mage_unless_it_says_so() -> None:
    """Rule 4.7."""
    few = GAME.with_cards(
        FEW.replace('counters = 2\neffects = ["you charge 2"]', 'counters = 2\neffects = ["them daze"]', 1)
    )
    state = few.build_position({"turn_of": 1, "mage": [{"hand": ["wagon"]}, {"hand": []}]}, rolling(""))
    state.apply(1, Cast("wagon", 2))
    view = state.view(None)
    assert isinstance(view, Race)
    assert [len(mage.lasting) for mage in view.mages] == [1, 0]


def test_a_counter_spell_that_crosses_the_line_goes_to_the_discard_pile_with_what_it_countered() -> None:
    """Rules 5.3, 8.3."""
    few = GAME.with_cards(FEW)
    state = few.build_position({"turn_of": 1, "mage": [{"hand": ["wagon"]}, {"hand": ["skate"]}]}, rolling(""))
    assert isinstance(state, RaceState)
    for seat, line in ((1, "cast wagon"), (2, "counter skate")):
        state.apply(seat, few.words.parse_actions(line, state.view(seat), state.legal_actions(seat))[0])
    view = state.view(None)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.places, view.discard, view.spell) == ((2, 1), ("wagon", "skate"), ())
    assert (state.race.spell, state.race.spell_at) == (NO_CARD, 0)
