"""The exam that every game must pass. It plays random matches, redeals hidden cards and checks the contract.

Above all it checks that nothing a seat receives depends on what the seat cannot know. Failures raise `ExamFailed` with
a sentence that names the place and the fault.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import msgspec

from games.api import (
    Action,
    AddressedEvent,
    Event,
    Game,
    IllegalAction,
    Options,
    PositionRefused,
    Seat,
    State,
    View,
    plain_lines,
    to_map,
)
from games.chance import Chance
from games.testing.encoding import EncodingExam
from games.testing.failed import ExamFailed, require
from games.testing.looks import examine_looks
from games.testing.values import add_place_to_errors, check_round_trip
from games.unions import convert_union

T = TypeVar("T")
Begin: TypeAlias = Callable[
    [], tuple[State, list[AddressedEvent]]
]  # each call returns the same match at its first position

MAX_ACTIONS = 5_000
ALL_CHECKED = 60  # the number of actions after which only one position in SOME_CHECKED is checked
SOME_CHECKED = 10
MOST_SAVED = 4_096  # the largest size of a saved state in bytes
NAMES = [f"P{number}" for number in range(100)]  # the players' names
MOST_FORESEEN = 4  # the number of actions of a position whose previews are compared
OFTEN = 10  # from this many positions with private events on, an imagined state must have differed from the real one


@dataclass
class ExamPosition:
    """A position of a random match: the last action, its events, and the state after it."""

    state: State
    seat: Seat | None  # the seat that acted; None for the deal
    action: Action | None
    told: list[AddressedEvent]


def random_match(game: Game, seats: int, options: Options, number: int) -> Iterator[ExamPosition]:
    """Plays a random match and yields each position. The yielded state changes later, so clone it to keep it."""
    return _at_random(*game.start(seats, options, Chance.of_number(number)), number, f"{game.id}: deal {number}")


def _at_random(state: State, told: list[AddressedEvent], number: int, where: str) -> Iterator[ExamPosition]:
    chance = Chance.of_number(number).fork("players")
    yield ExamPosition(state, None, None, told)
    for _ in range(MAX_ACTIONS):
        movers = sorted(state.to_move())
        if not movers:
            return
        seat = chance.choice("seat", movers)
        legal = state.legal_actions(seat)
        require(bool(legal), f"{where}: seat {seat} is to move, and nothing is legal")
        action = chance.choice("action", legal)
        told = state.apply(seat, action)
        yield ExamPosition(state, seat, action, told)
    raise ExamFailed(f"{where} did not end within {MAX_ACTIONS} actions")


def examine_match(game: Game, seats: int, options: Options, number: int, *, each: int = 1) -> int:
    """Plays one random match under all checks except redeals.

    Args:
        game: The game.
        seats: The number of players.
        options: The table's options.
        number: The number of the deal.
        each: Checks about every `each`-th position, and always the first and the last.

    Returns:
        The number of actions.

    Raises:
        ExamFailed: The game broke its contract.
    """
    where = f"{game.id}, {seats} seats, deal {number}"
    with add_place_to_errors(where):
        return _examine(game, lambda: game.start(seats, options, Chance.of_number(number)), number, where, each)


def examine_redeals(game: Game, seats: int, options: Options, number: int, *, each: int = 5) -> int:
    """Redeals hidden cards at positions of a random match, and compares what an observer receives before and after.

    Args:
        game: The game.
        seats: The number of players.
        options: The table's options.
        number: The number of the deal.
        each: Checks about every `each`-th position.

    Returns:
        The number of compared pairs of actions.

    Raises:
        ExamFailed: Something that a seat receives depends on a hidden fact.
    """
    where = f"{game.id}, {seats} seats, deal {number}"
    with add_place_to_errors(where):
        return _redeals(game, lambda: game.start(seats, options, Chance.of_number(number)), number, where, each)


def examine_position(game: Game, given: str | Mapping[str, Any], number: int, *, each: int = 1) -> int:
    """Checks a described position, and plays a random match from it under all checks.

    Args:
        game: The game.
        given: The description, as a map or as TOML text.
        number: The number that seeds the chance.
        each: Checks about every `each`-th position of the match.

    Returns:
        The number of pairs of actions compared after redeals, including those at the position itself.

    Raises:
        ExamFailed: The game broke its contract.
    """
    where = f"{game.id}, chance {number}, position {given!r}"
    said = tomllib.loads(given) if isinstance(given, str) else given
    kept = deepcopy(said)
    state = game.build_position(said, Chance.of_number(number))
    require(said == kept, f"{where}: the description was changed")
    require(said.get("seats") in (None, state.seats), f"{where}: it has {state.seats} seats")
    again = game.build_position(given, Chance.of_number(number))
    require(state == again, f"{where}: the same description, as a map or as TOML, and chance gave another position")

    def begin() -> tuple[State, list[AddressedEvent]]:
        return game.build_position(given, Chance.of_number(number)), []

    _examine(game, begin, number, where, each)
    chance = Chance.of_number(number).fork("position")
    compared = 0
    for observer in (None, *range(1, state.seats + 1)):
        compared += check_redeal(game, state, observer, chance, f"{where}, seen by {observer or 'a spectator'}")
    return compared + _redeals(game, begin, number, where, 4 + each)


def examine_refused_positions(game: Game) -> None:
    """Checks that the game refuses invalid positions with a sentence that names the key."""
    for given, key in (
        ("seats = ", ""),
        ({"no_such_key": 1}, "no_such_key"),
        ({"seats": game.max_seats + 1}, "seats"),
        ({"seats": -1}, "seats"),
        ({"seats": "many"}, "seats"),
        ({"options": {"no_such_option": 1}}, "no_such_option"),
    ):
        try:
            game.build_position(given, Chance(b"position"))
        except PositionRefused as refused:
            text = str(refused)
            require(bool(text) and text.isprintable() and key in text, f"{game.id}: {given!r} is refused with {text!r}")
        else:
            raise ExamFailed(f"{game.id}: {given!r} is taken for a position")


def _examine(game: Game, begin: Begin, number: int, where: str, each: int) -> int:
    chance = Chance.of_number(number).fork("examiner")
    twin, twin_told = begin()
    seen: list[Action] = []
    every = _every(game, twin, where)
    numbers = EncodingExam(game, twin.seats, twin.options, where)
    count = 0
    for moment in _at_random(*begin(), number, where):
        state = moment.state
        if moment.action is not None:
            assert moment.seat is not None
            twin_told = twin.apply(moment.seat, moment.action)
            seen.append(moment.action)
            count += 1
        rarely = SOME_CHECKED if count > ALL_CHECKED else each
        if count and rarely > 1 and state.to_move() and chance.below("position", rarely):
            continue
        spot = f"{where}, after action {count}"
        require(moment.told == twin_told and state == twin, f"{spot}: the same deal and actions gave another match")
        _check_told(game, moment.told, state.seats, spot)
        numbers.check_position(state, count, chance, spot)
        before = state.clone()
        require(before == state, f"{spot}: a clone differs from its original")
        _check_turns(state, state.seats, chance, spot)
        _check_views(game, state, state.seats, chance, spot)
        _check_memory(state, twin.clone(), state.seats, spot)
        _check_saving(game, state, spot)
        for seat in state.to_move():
            unknown = set(state.legal_actions(seat)) - every
            require(not unknown, f"{spot}: legal, but not among the game's actions: {unknown}")
        _check_refusals(state, state.seats, seen, chance, spot)
        require(before == state, f"{spot}: a question or a refusal changed the state")
    _check_outcome(twin, twin.seats, where)
    return count


def _every(game: Game, state: State, where: str) -> frozenset[Action]:
    listed = game.all_actions(state.seats, state.options)
    require(
        list(listed) == list(game.all_actions(state.seats, state.options)), f"{where}: the actions change their places"
    )
    every = frozenset(listed)
    require(len(every) == len(listed), f"{where}: the same action is listed twice")
    return every


def _redeals(game: Game, begin: Begin, number: int, where: str, each: int) -> int:
    chance = Chance.of_number(number).fork("redeals")
    compared = 0
    asked: list[Action] = []
    secret, tried, differs = False, 0, False
    for moment in _at_random(*begin(), number, where):
        secret = secret or any(one.only is not None for one in moment.told)
        if moment.action is not None:
            asked.append(moment.action)
        if secret and not differs:
            tried, differs = tried + 1, _imagines_others(moment.state, chance.fork("others"))
        if chance.below("position", each):
            continue
        observer = chance.choice("observer", [None, *range(1, moment.state.seats + 1)])
        spot = f"{where}, seen by {observer or 'a spectator'}"
        compared += check_redeal(game, moment.state, observer, chance, spot, asked)
    require(differs or tried < OFTEN, f"{where}: what is imagined for a seat is always the truth")
    return compared


def _imagines_others(state: State, chance: Chance) -> bool:
    """Returns whether a state that some seat imagines gives the next seat other knowledge than this seat really has."""
    return any(
        state.redeal(seat, chance).knowledge(seat % state.seats + 1) != state.knowledge(seat % state.seats + 1)
        for seat in range(1, state.seats + 1)
    )


def check_redeal(
    game: Game, state: State, observer: Seat | None, chance: Chance, spot: str, asked: Sequence[Action] = ()
) -> int:
    """Redeals what the observer cannot know and demands that the observer sees the same and receives the same events.

    Args:
        game: The game.
        state: The position.
        observer: The seat whose knowledge is kept; None is a spectator.
        chance: Random numbers.
        spot: The name of the position for error texts.
        asked: Actions whose refusals must be the same, too.

    Returns:
        The number of comparisons.

    Raises:
        ExamFailed: The observer can tell the two states apart.
    """
    before = state.clone()
    deal = chance.fork("redeal")
    other = _imagined(game, state, observer, deal.clone(), spot)
    require(before == state, f"{spot}: redeal changed the original")
    require(other.to_move() == state.to_move(), f"{spot}: redeal changed whose turn it is")
    _same_knowledge(state, other, observer, spot)
    require(other.redeal(observer, deal) == other, f"{spot}: it is imagined from what is hidden, or from another world")
    if observer is not None:
        for action in _some(chance, "asked", asked):
            why, there = state.refusal_reason(observer, action), other.refusal_reason(observer, action)
            same = (why and why.args) == (there and there.args)
            require(same, f"{spot}: the refusal of {action} betrays a hidden card: {why} or {there}")
    examine_looks(state, observer, chance, spot)
    compared = 1
    for actor in sorted(state.to_move()):
        for mine, theirs in _alike(state, other, actor, observer, chance):
            first, second = state.clone(), other.clone()
            heard = _heard(first.apply(actor, mine), observer)
            as_well = _heard(second.apply(actor, theirs), observer)
            at = f"{spot}, when {actor} did {to_map(mine)} or {to_map(theirs)}"
            if not _revealing(heard, as_well, at):
                require(first.to_move() == second.to_move(), f"{at}: whose turn it is betrays a hidden card")
                _same_knowledge(first, second, observer, at)
            compared += 1
    return compared


def _imagined(game: Game, state: State, observer: Seat | None, chance: Chance, spot: str) -> State:
    """Returns the state that the observer imagines, and checks that knowledge decoded from JSON gives an equal
    state."""
    knowledge = state.knowledge(observer)
    check_round_trip(knowledge, game.knowledge_type, spot)
    read = convert_union(json.loads(msgspec.json.encode(knowledge)), game.knowledge_type)
    other = state.redeal(observer, chance.clone())
    draws = chance.clone()
    again = game.determinize(read, state.seats, state.options, draws)
    require(again == other, f"{spot}: the state imagined from bytes differs from the redealt state")
    draws.fork("to come")
    require(again == other, f"{spot}: what is imagined keeps the chance that it was handed, and not a fork of it")
    for seat in sorted(again.to_move())[:1]:  # an action in one imagined state must not change another
        again.apply(seat, chance.choice("in another world", again.legal_actions(seat)))
    return other


def _alike(
    state: State, other: State, actor: Seat, observer: Seat | None, chance: Chance
) -> Iterator[tuple[Action, Action]]:
    mine = state.legal_actions(actor)
    picked = _some(chance, "sample", mine)
    if actor == observer:
        yield from ((action, action) for action in picked)
        return
    alike: dict[object, list[Action]] = {}
    for action in other.legal_actions(actor):
        alike.setdefault(other.observed_action(actor, action, observer), []).append(action)
    for action in picked:
        matches = alike.get(state.observed_action(actor, action, observer))
        if matches:
            yield action, chance.choice("match", matches)


def _heard(told: Sequence[AddressedEvent], observer: Seat | None) -> list[Event]:
    return [one.event for one in told if one.is_for(observer)]


def _revealing(heard: Sequence[Event], as_well: Sequence[Event], at: str) -> bool:
    """Returns whether the events of the two worlds differ in a field of `reveals`. Raises ExamFailed for any other
    difference."""
    for first, second in zip(heard, as_well, strict=False):
        if first == second:
            continue
        require(type(first) is type(second), f"{at}: heard {to_map(first)} or {to_map(second)}")
        one, two = to_map(first), to_map(second)
        differing = {key for key in one | two if one.get(key) != two.get(key)}
        require(differing <= type(first).reveals, f"{at}: {differing} betrays a hidden card: {one} or {two}")
        return True
    require(len(heard) == len(as_well), f"{at}: heard {len(heard)} or {len(as_well)} events")
    return False


def _same_knowledge(state: State, other: State, observer: Seat | None, spot: str) -> None:
    view, imagined = state.view(observer), other.view(observer)
    mine, theirs = _bytes(view), _bytes(imagined)
    require(mine == theirs, f"{spot}: the view betrays a hidden card: {_difference(mine, theirs)}")
    known, there = _bytes(state.knowledge(observer)), _bytes(other.knowledge(observer))
    require(known == there, f"{spot}: the knowledge betrays a hidden card: {_difference(known, there)}")
    if observer is not None:
        legal, as_well = list(state.legal_actions(observer)), list(other.legal_actions(observer))
        require(legal == as_well, f"{spot}: the legal actions betray a hidden card: {legal} or {as_well}")
        words, names = state.game.words, NAMES[: state.seats]
        for action in legal[:: max(1, len(legal) // MOST_FORESEEN)]:
            says, said = (
                words.preview_action(view, action, names),
                other.game.words.preview_action(imagined, action, names),
            )
            require(says == said, f"{spot}: what is foreseen of {action} betrays a hidden card: {says!r} or {said!r}")
        if legal:
            late, too = (one.default_action(observer, Chance(b"late")) for one in (state, other))
            require(late == too, f"{spot}: the default action betrays a hidden card: {late} or {too}")


def _difference(mine: bytes, theirs: bytes) -> str:
    """Returns the path and both values of the first field in which two JSON texts differ."""
    return next(_differing(json.loads(mine), json.loads(theirs), "$"), "the bytes alone differ")


def _differing(mine: Any, theirs: Any, path: str) -> Iterator[str]:
    if isinstance(mine, dict) and isinstance(theirs, dict) and mine.keys() == theirs.keys():
        for key, value in mine.items():
            yield from _differing(value, theirs[key], f"{path}.{key}")
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            yield from _differing(one, other, f"{path}[{at}]")
    elif mine != theirs:
        yield f"{path} is {json.dumps(mine)} or {json.dumps(theirs)}"


def _check_told(game: Game, told: Sequence[AddressedEvent], seats: int, spot: str) -> None:
    for one in told:
        check_round_trip(one.event, game.event_type, spot)
        line = game.words.event_sentence(one.event, NAMES[:seats])
        require("\n" not in line, f"{spot}: the sentence for {to_map(one.event)} has more than one line")


def _check_turns(state: State, seats: int, chance: Chance, spot: str) -> None:
    movers = state.to_move()
    require(bool(movers) == (state.outcome() is None), f"{spot}: a state has an outcome exactly if no seat is to move")
    require(movers <= set(range(1, seats + 1)), f"{spot}: {set(movers)} are not all seats")
    for seat in range(1, seats + 1):
        legal = state.legal_actions(seat)
        require(bool(legal) == (seat in movers), f"{spot}: seat {seat} has {len(legal)} actions, to move: {movers}")
        require(len(set(legal)) == len(legal), f"{spot}: seat {seat} has the same action twice")
        require(len(legal) <= 1_000, f"{spot}: {len(legal)} actions at once are too many to list")
        if legal:
            late = state.default_action(seat, chance.fork("late"))
            require(late in legal, f"{spot}: the default action {late} is not legal")


def _check_views(game: Game, state: State, seats: int, chance: Chance, spot: str) -> None:
    hearer = chance.choice("hearer", [None, *range(1, seats + 1)])
    view = state.view(hearer)
    check_round_trip(view, game.view_type, spot)
    width = chance.choice("width", (40, 80))
    for text in plain_lines(game.words.render_board(view, NAMES[:seats], width)):
        require(len(text) <= width, f"{spot}: a board line is wider than {width}: {text!r}")
    for seat in state.to_move():
        legal = state.legal_actions(seat)
        own: View = state.view(seat)
        require(bool(game.words.decision_prompt(own, legal)), f"{spot}: nothing to ask seat {seat}")
        for action in _some(chance, "words", legal):
            check_round_trip(action, game.action_type, spot)
            typed = game.words.format_action(action)
            require(typed.isascii() and typed.isprintable(), f"{spot}: {typed!r} cannot be typed")
            back = game.words.parse_actions(typed, own, legal)
            require(back == [action], f"{spot}: {typed!r} reads as {back}, not {action}")
            require(state.refusal_reason(seat, action) is None, f"{spot}: legal {action} would be refused")


def _check_memory(state: State, fresh: State, seats: int, spot: str) -> None:
    """Checks that a state with caches gives the same views and actions as one whose caches are empty."""
    for seat in (None, *range(1, seats + 1)):
        require(state.view(seat) == fresh.view(seat), f"{spot}: the view of {seat or 'a spectator'} is out of date")
    for seat in range(1, seats + 1):
        same = list(state.legal_actions(seat)) == list(fresh.legal_actions(seat))
        require(same, f"{spot}: the legal actions of seat {seat} are out of date")


def _check_saving(game: Game, state: State, spot: str) -> None:
    saved = state.save()
    require(len(saved) <= MOST_SAVED, f"{spot}: {len(saved)} bytes are saved, more than {MOST_SAVED}")
    for copy in (game.load(saved, state.options), deepcopy(state)):
        require(copy == state, f"{spot}: what was saved and loaded differs")
        require(copy.save() == saved, f"{spot}: what was loaded is saved otherwise")
        require(copy.view(None) == state.view(None), f"{spot}: what was saved and loaded looks otherwise")


def _check_refusals(state: State, seats: int, seen: Sequence[Action], chance: Chance, spot: str) -> None:
    probes = _some(chance, "probes", seen)
    for seat in range(1, seats + 1):
        legal = set(state.legal_actions(seat))
        for action in probes:
            if action in legal:
                continue
            why = state.refusal_reason(seat, action)
            require(why is not None and bool(why.code and why.text), f"{spot}: {action} by {seat} is not refused")
            try:
                state.apply(seat, action)
            except IllegalAction:
                continue
            raise ExamFailed(f"{spot}: {action} by seat {seat} is not legal and was done")


def _check_outcome(state: State, seats: int, where: str) -> None:
    outcome = state.outcome()
    require(outcome is not None, f"{where}: no outcome")
    assert outcome is not None
    places = outcome.places
    require(len(places) == seats == len(outcome.scores), f"{where}: {seats} seats, but {outcome}")
    right = all(place == 1 + sum(other < place for other in places) for place in places)
    require(right, f"{where}: places {places} are not 1, shared where equal, and on")


def _some(chance: Chance, label: str, items: Sequence[T]) -> list[T]:
    """Returns at most four of the items, because a check of all items would take longer than the rest of the exam."""
    return list(items) if len(items) <= 4 else [chance.choice(label, items) for _ in range(4)]


def _bytes(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value)
