"""A decision may be taken back where it has told nobody what its seat did not know: in each game, by trying it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
import pytest

from games.api import Action, AddressedEvent, Event
from games.chance import Chance, numbered_seed
from games.registry import all_games
from matches.fold import Entry, Match, MatchHeader, fold
from matches.record import Record, verify_replay
from matches.undos import is_revealing
from protocol.entries import ActionTaken, UndoWanted
from protocol.messages import ClockRule, SeatInfo
from protocol.replay import BadReplay
from tests.helpers.toy import TOY, Play, ToyState
from tests.matches.played import file_of

GAMES = all_games()
HEADER = MatchHeader(
    table="t1",
    game="toy",
    options={},
    seats=tuple(SeatInfo(seat, f"p{seat}", "person") for seat in (1, 2, 3)),
    clock=ClockRule(),
    seed=numbered_seed(1),
    salt=bytes(16),
    nonces=(),
    grace=1.0,
)


class Hint(Event, tag="hint", frozen=True):
    card: int


def decided(game_id: str, number: int, most: int = 150) -> Iterator[tuple[Match, ActionTaken[Action]]]:
    """A match by chance, after each decision that does not end it."""
    game = GAMES[game_id]
    infos = tuple(SeatInfo(seat, f"p{seat}", "person") for seat in range(1, game.max_seats + 1))
    header = msgspec.structs.replace(HEADER, game=game_id, seats=infos, seed=numbered_seed(number))
    match, chance = Match(game, header), Chance.of_number(number)
    match.begin({})
    for at in range(most):
        seat = chance.choice("seat", sorted(match.asked))
        decision = ActionTaken(float(at), seat, chance.choice("action", match.state.legal_actions(seat)))
        match.apply(decision, {})
        if match.over is not None:
            return
        yield match, decision


@pytest.mark.parametrize(
    ("game", "stays", "goes"),
    [
        ("ikasamage", {"you_saw", "you_drew", "turned_up"}, {"you_bet", "spell_hidden", "spell_placed"}),
        ("cheaty-mages", {"you_saw", "you_drew"}, {"you_bet", "spell_hidden", "spell_placed"}),
        ("magecraft", {"drew", "hand_discarded"}, {"placed", "lifted", "spell_cast"}),
        ("mages-110m", {"rolled", "drew"}, {"dropped", "was_cast"}),
    ],
)
def test_a_drawn_card_a_die_and_a_card_turned_up_stay_and_what_was_chosen_goes(
    game: str, stays: set[str], goes: set[str]
) -> None:
    verdicts: defaultdict[str, set[bool]] = defaultdict(set)
    for number in (1, 2):
        for place, (match, _decision) in enumerate(decided(game, number)):
            kinds = {one.event.__struct_config__.tag for one in match.told}
            if place % 3 and kinds <= {"passed", *verdicts}:
                continue
            has_revealed = match.has_revealed()
            assert has_revealed == any(type(one.event).reveals for one in match.told), kinds
            for kind in kinds:
                verdicts[str(kind)].add(has_revealed)
    assert all(verdicts[kind] == {True} for kind in stays), verdicts
    assert all(False in verdicts[kind] for kind in goes), verdicts


@pytest.mark.parametrize("game", ["ikasamage", "cheaty-mages", "magecraft", "mages-110m"])
def test_whether_it_stays_depends_only_on_what_its_seat_knows(game: str) -> None:
    chance = Chance.of_number(3)
    compared = 0
    for place, (match, decision) in enumerate(decided(game, 5)):
        if place % 10:
            continue
        header = match.header
        before = fold(GAMES[game], header, match.undos.decisions[:-1], {}).state
        other = before.redeal(decision.seat, chance.fork("other"))
        told = other.clone().apply(decision.seat, decision.action)
        same = [[one.event for one in all_told if one.is_for(decision.seat)] for all_told in (match.told, told)]
        if same[0] == same[1]:
            assert is_revealing(before, decision, match.told) == is_revealing(other, decision, told)
            compared += 1
    assert compared >= 3


def test_a_decision_that_tells_another_seat_alone_something_new_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own seat cannot see that, but it cannot tell either that it was not so."""
    match, entries = _begun()
    before = match.state.clone()
    apply = ToyState.apply

    def telling(state: ToyState, seat: int, action: Action) -> list[AddressedEvent]:
        told = apply(state, seat, action)
        return [*told, AddressedEvent(Hint(state.hands[2][0]), only=3)]

    monkeypatch.setattr(ToyState, "apply", telling)
    decision = entries[0]
    assert is_revealing(before, decision, match.state.apply(decision.seat, decision.action))


def _begun() -> tuple[Match, list[ActionTaken[Action]]]:
    match = Match(TOY, HEADER)
    match.begin({})
    assert isinstance(match.state, ToyState)
    return match, [ActionTaken(float(at), at, Play(match.state.hands[at - 1][0])) for at in (1, 2, 3)]


def test_the_match_is_as_if_the_decision_had_never_been_made_but_for_turns_and_numbers() -> None:
    match, (one, two, three) = _begun()
    for entry in (one, two, UndoWanted(3.0, 2, True), UndoWanted(4.0, 1, True), UndoWanted(5.0, 3, True)):
        match.apply(entry, {})
    plain, _entries = _begun()
    plain.apply(one, {})
    assert match.state == plain.state
    assert match.asked == plain.asked == {2, 3}
    assert match.turns == [0, 1, 2, 2]
    for entry in (ActionTaken(6.0, 2, two.action), ActionTaken(7.0, 3, three.action)):
        match.apply(entry, {})
        plain.apply(entry, {})
    assert match.state == plain.state
    assert match.told == plain.told


def test_a_file_in_which_something_was_taken_back_that_had_shown_something_is_refused() -> None:
    match, done = _begun()
    assert isinstance(match.state, ToyState)
    entries: list[Entry] = [*done, *(UndoWanted(5.0, seat, True) for seat in (3, 1, 2))]
    for entry in entries:
        match.apply(entry, {})
    rest = [ActionTaken(9.0, 3, done[2].action)]
    for place in (1, 2):
        rest += [ActionTaken(9.0 + place, seat, Play(match.state.hands[seat - 1][place])) for seat in (1, 2, 3)]
    forged = file_of(Record(TOY, HEADER, (*entries, *rest)))
    with pytest.raises(BadReplay, match="had revealed something"):
        verify_replay(forged, {"toy": TOY})
