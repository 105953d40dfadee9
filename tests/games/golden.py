"""Writes a game's golden matches, words, numbers, moments, variants, counts, drawings and descriptions
anew: `python -m tests.games.golden GAME`. Read the difference before you commit."""

import hashlib
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import cycle, groupby, product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec

from games.api import (
    Action,
    CardsRefused,
    Game,
    Options,
    PositionRefused,
    Seat,
    State,
    Unreadable,
    options_from,
    plain_lines,
    to_map,
)
from games.chance import Chance
from games.encoding import NumericEncoding
from games.registry import get_game
from games.testing.exam import random_match
from games.testing.transcript import changed_options_text, match_transcript
from tests.helpers.variants import each_once

MATCHES = 8
NUMBERED = 2
MATCHES_OF_A_VARIANT = 2
SOME_ASKED = 4  # moments of such a match, one in so many
LOOKED_AT = 40  # moments of a match, about
WRONG: tuple[Any, ...] = (-1, 3, "none such", [])  # in the place of what belongs there
WRITTEN_WRONG = ("-1", "3", '"none such"', "[]")
NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")
LONG_NAMES = ("greedy:very-hard-12", "Anna-Magdalena", "Bob", "greedy:hard-2", "Eve", "Flo")
Kind: TypeAlias = Callable[[Game], Iterator[str]]
OPTION = re.compile(', (\\w+) ("[^"]*"|[^,]+)')  # in a heading: its name, its value as JSON
FOLDER = Path(__file__).parent / "golden"
BORDERS = (39, 59, 60, 69, 70, 79, 80)  # columns: with fewer than some of these, boards are drawn otherwise


def words(game: Game) -> Iterator[str]:
    """What people read of some random matches: a sentence for each kind of event, boards for each kind of question and
    for the end."""
    told, asked = set(), set()
    for number in range(MATCHES):
        for moment in random_match(game, game.min_seats, options_from(game, {}), number):
            for one in moment.told:
                fields = tuple(map(bool, (getattr(one.event, name) for name in one.event.__struct_fields__)))
                if (type(one.event), fields) not in told:
                    told.add((type(one.event), fields))
                    yield game.words.event_sentence(one.event, NAMES[: game.min_seats])
            for seat in sorted(moment.state.to_move()):
                legal = moment.state.legal_actions(seat)
                if type(legal[0]) not in asked:
                    asked.add(type(legal[0]))
                    yield f"-- {seat}: {game.words.decision_prompt(moment.state.view(seat), legal)}"
                    yield from _boards(game, moment.state, seat)
        if number == 0:
            yield from _boards(game, moment.state, 1)


def kept(kind: str, game: Game) -> str:
    """The golden text of that kind; "" if the game has none."""
    path = FOLDER / kind / f"{game.id}.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def settings(kind: str, game: Game) -> list[tuple[int, Options]]:
    """The numbers of seats and options that the golden text of that kind is about, as its headings list them. So a new
    option changes no golden text; a heading written into the file by hand adds a setting."""
    found = [
        (int(seats), options_from(game, {name: msgspec.json.decode(value) for name, value in OPTION.findall(options)}))
        for seats, options in re.findall("^# ([0-9]+) seats(.*)$", kept(kind, game), re.MULTILINE)
    ]
    return found or [*each_once(game), (game.max_seats, boldest(game))]


def boldest(game: Game) -> Options:
    """The options of which none is the default."""
    return options_from(game, {name: values[-1] for name, values in game.exam_options.items()})


def numbers(game: Game) -> Iterator[str]:
    """What programs learn from: all actions by their kind, and each field of the vectors of some random matches, with a
    hash of what stood there. When one changes, what was trained before reads nonsense."""
    for seats, options in settings("numbers", game):
        yield from _numbers(game, seats, options)


def _numbers(game: Game, seats: int, options: Options) -> Iterator[str]:
    known = NumericEncoding(game, seats, options)
    yield f"# {seats} seats{changed_options_text(game, options)}"
    yield f"longest: {known.longest} decisions"
    for kind, actions in groupby(known.actions, lambda action: type(action).__name__):
        texts = [repr(action) for action in actions]
        yield f"{kind}: {len(texts)}, {_hash(*texts)}"
    hashes = {field.name: hashlib.sha256() for field in known.layout.fields}
    taken = []
    for number in range(NUMBERED):
        for moment in random_match(game, seats, options, number):
            if moment.action is not None:
                taken.append(known.ids[moment.action])
            for observer in (None, *sorted(moment.state.to_move())):
                vector = known.vector(moment.state.view(observer))
                for name, at in known.layout.slices.items():
                    hashes[name].update(vector[at].tobytes())
    yield f"taken: {_hash(*map(str, taken))}"
    for field in known.layout.fields:
        yield f"{field.name} {field.shape}, {field.least} to {field.most}: {hashes[field.name].hexdigest()[:12]}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def moments(game: Game) -> Iterator[str]:
    """What else comes of the moments of some random matches, for everybody at the table: how much of each kind, a hash
    of all, and a first one."""
    found: dict[str, list[str]] = defaultdict(list)
    for seats in (game.min_seats, game.max_seats):
        options, rng, chosen, names = options_from(game, {}), Random(1), Random(2), NAMES[:seats]
        actions, count = game.all_actions(seats, options), sum(1 for _ in random_match(game, seats, options, 1))
        for number, moment in enumerate(random_match(game, seats, options, 1)):
            if number % (1 + count // LOOKED_AT):
                continue
            state, chance = moment.state, Chance.of_number(number)
            for seat in range(1, seats + 1):
                view = state.view(seat)
                found["account"] += game.words.explain_scoring(view, names)
                found["knowledge"].append(msgspec.json.encode(state.knowledge(seat)).decode())
                found["imagined"].append(state.redeal(seat, chance).save().hex())
                for action in rng.sample(actions, 3):
                    refusal = state.refusal_reason(seat, action)
                    found["refusals"] += [f"{refusal.code}: {refusal.text}"] if refusal else []
            for seat in sorted(state.to_move()):
                view, legal = state.view(seat), state.legal_actions(seat)
                found["asked"].append(game.words.decision_prompt(view, legal))
                found["default"].append(game.words.format_action(state.default_action(seat, chance)))
                for action in legal:
                    kind = f"{type(action).__name__} foreseen"
                    found[kind].append(
                        f"{game.words.format_action(action)}: {game.words.preview_action(view, action, names)}"
                    )
                for line in _typed(game, chosen.choice(legal)):
                    found["typed"].append(_read(game, line, state, seat))
    yield from _summary(found)


def _summary(found: Mapping[str, list[str]]) -> Iterator[str]:
    for name, texts in sorted(found.items()):
        yield f"{name}: {len(texts)}, {_hash(*texts)}: {next(filter(None, texts), '')[:120]}"


def drawings(game: Game) -> Iterator[str]:
    """Every drawing of the boards of some random matches, in terminals of every width: how many lines, a hash of all,
    and a first one."""
    found: dict[str, list[str]] = defaultdict(list)
    for seats in (game.min_seats, game.max_seats):
        widths, borders = cycle(range(39, 112)), cycle(BORDERS)
        count = sum(1 for _ in random_match(game, seats, options_from(game, {}), 1))
        for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 1)):
            if number % (1 + count // LOOKED_AT) and moment.state.to_move():
                continue
            observers = (None, seats, *sorted(moment.state.to_move())[:1])
            for observer, width in product(observers, (next(widths), next(borders))):
                view = moment.state.view(observer)
                for nth, lines in enumerate(game.words.render_boards(view, LONG_NAMES[:seats], width), 1):
                    found[f"drawing {nth}"] += [f"{width} columns: {line}" for line in lines]
    yield from _summary(found)


def variants(game: Game) -> Iterator[str]:
    """What is told, legal, seen by others, foreseen, refused, known and imagined in random matches with several numbers
    of seats and options: a hash of each, and how each match ends."""
    for seats, options in settings("variants", game):
        rng, names, actions = Random(seats), NAMES[:seats], game.all_actions(seats, options)
        yield f"# {seats} seats{changed_options_text(game, options)}"
        for number in range(3, 3 + MATCHES_OF_A_VARIANT):
            found: dict[str, list[str]] = defaultdict(list)
            for count, moment in enumerate(random_match(game, seats, options, number)):
                state, observer = moment.state, count // SOME_ASKED % (seats + 1) or None
                found["told"] += map(repr, moment.told)
                if count % SOME_ASKED:
                    continue
                for seat in sorted(state.to_move()):
                    legal = state.legal_actions(seat)
                    found["legal"] += map(repr, legal)
                    looks = [
                        len({state.observed_action(seat, action, other) for action in legal}) for other in (None, 1, 2)
                    ]
                    found["looks"].append(f"{looks}")
                    for action in rng.sample(legal, min(2, len(legal))):
                        found["foreseen"].append(game.words.preview_action(state.view(seat), action, names))
                for action in rng.sample(actions, 3):
                    refusal = state.refusal_reason(observer or 1, action)
                    found["refused"].append(f"{refusal.code}: {refusal.text}" if refusal else "")
                found["known"].append(repr(state.knowledge(observer)))
                found["imagined"].append(state.redeal(observer, Chance.of_number(count)).save().hex())
            yield f"{', '.join(f'{name} {_hash(*texts)}' for name, texts in found.items())}: {state.outcome()}"


def counted(game: Game) -> Iterator[str]:
    """What the balance lab counts of a random match with the fewest and the most seats: each heading with a hash."""
    for seats in (game.min_seats, game.max_seats):
        lab = import_module(f"games.{game.rules.parent.name}.lab").Lab()
        state, _told = game.start(seats, options_from(game, {}), Chance.of_number(1))
        rng = Random(1)
        while movers := sorted(state.to_move()):
            action = rng.choice(state.legal_actions(movers[0]))
            lab.record_action(state, movers[0], action)
            state.apply(movers[0], action)
        outcome = state.outcome()
        assert outcome is not None
        found = lab.match_figures(state, outcome)
        yield f"# {seats} seats, {found.rounds} rounds, {found.means}"
        for heading, labels in (*found.groups.items(), *found.shares.items()):
            texts = [
                f"{label}: {sorted(which) if isinstance(which, set) else which}"
                for label, which in sorted(labels.items())
            ]
            yield f"{heading}: {len(texts)}, {_hash(*texts)}: {', '.join(texts)[:100]}"


def described(game: Game) -> Iterator[str]:
    """What comes of positions and cards that people describe: how much of each kind, a hash of all, and a first one."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, text in (*positions(game), *cards(game)):
        found[name].append(text)
    yield from _summary(found)


def positions(game: Game) -> Iterator[tuple[str, str]]:
    """What comes of positions of which nothing is said, of the examples, and of these with one thing wrong: the state,
    or why it is refused."""
    for number, seats in enumerate((game.min_seats, game.max_seats) * 3):
        yield from _position(game, "position of which nothing is said", {"seats": seats}, number)
    for path in examples(game):
        whole = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from _position(game, f"position {path.stem}", whole, 1)
        for given in _with_one_thing_wrong(whole):
            yield from _position(game, f"position {path.stem} with one thing wrong", given, 1)


def cards(game: Game) -> Iterator[tuple[str, str]]:
    """What comes of the small card files that the game has, and of these with one line wrong: the cards, or why they
    are refused."""
    for path in sorted(game.rules.parent.glob("tiny-*.toml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        yield from _cards(game, path.stem, lines)
        for at, line in enumerate(lines):
            key, equals, _value = line.partition(" = ")
            for wrong in (f"{key} = {value}" for value in WRITTEN_WRONG) if equals else ():
                yield from _cards(game, f"{path.stem} with one line wrong", [*lines[:at], wrong, *lines[at + 1 :]])
            yield from _cards(game, f"{path.stem} with one line wrong", lines[:at] + lines[at + 1 :])


def _cards(game: Game, name: str, lines: list[str]) -> Iterator[tuple[str, str]]:
    try:
        other = game.with_cards("\n".join(lines))
    except CardsRefused as error:
        yield f"{name}, refused", _own_words(error)
    else:
        seats, options = other.max_seats, options_from(other, {})
        state, _told = other.start(seats, options, Chance.of_number(1))
        bounds = [(field.name, field.least, field.most) for field in other.layout(seats, options).fields]
        yield name, f"{[to_map(card) for card in other.cards()]} {state.save().hex()}"
        yield f"{name}, in numbers", f"{bounds} {other.max_game_length(seats, options)}"


def _typed(game: Game, action: Action) -> Iterator[str]:
    """That action as it is typed, and with something wrong."""
    words = game.words.format_action(action).split()
    yield " ".join(words)
    yield " ".join(word[:3] for word in words)
    for at, _word in enumerate(words):
        yield " ".join(words[:at] + words[at + 1 :])
        for wrong in ("0", "2", "99", "none", "-1"):
            yield " ".join([*words[:at], wrong, *words[at + 1 :]])
    yield " ".join([*words, "1"])


def _read(game: Game, line: str, state: State, seat: Seat) -> str:
    try:
        return f"{line}: {game.words.parse_actions(line, state.view(seat), state.legal_actions(seat))}"
    except Unreadable as error:
        return f"{line}! {error}"


def examples(game: Game) -> list[Path]:
    """Positions that people described, in the folder of the game's tests; games of one folder share them."""
    return sorted((Path(__file__).parent / game.rules.parent.name / "positions").glob("*.toml"))


def _position(game: Game, name: str, given: Mapping[str, Any], number: int) -> Iterator[tuple[str, str]]:
    try:
        state = game.build_position(given, Chance.of_number(number))
    except PositionRefused as error:
        yield f"{name}, refused", _own_words(error)
    else:
        yield name, state.save().hex()


def _own_words(error: Exception) -> str:
    """Without what a library says, which may say it otherwise one day, and without the list of all options."""
    return re.split("`|TOML: |; options of ", str(error))[0]


def _with_one_thing_wrong(given: Any) -> Iterator[Any]:
    """The same, for each of its values, with another one in its place, and without it."""
    places = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for place, value in places:
        for other in (*_with_one_thing_wrong(value), *WRONG):
            changed = given.copy()
            changed[place] = other
            yield changed
        left_out = given.copy()
        del left_out[place]
        yield left_out


def _boards(game: Game, state: State, seat: Seat) -> Iterator[str]:
    for observer, width in ((seat, 40), (seat, 80), (None, 60)):
        rows = [*game.words.render_board(state.view(observer), NAMES[: state.seats], width)]
        yield f"-- {observer or 'spectator'}, {width} columns, marked {_hash(*map(repr, rows))}"
        yield from plain_lines(rows)


KINDS = (words, numbers, moments, variants, counted, drawings, described)


if __name__ == "__main__":
    game = get_game(sys.argv[1])
    for seats, number in ((game.min_seats, 1), (game.max_seats, 2)):
        lines = match_transcript(game, seats, options_from(game, {}), number)
        (FOLDER / f"{game.id}-{seats}-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for kind in KINDS:
        (FOLDER / kind.__name__).mkdir(parents=True, exist_ok=True)
        (FOLDER / kind.__name__ / f"{game.id}.txt").write_text("\n".join(kind(game)) + "\n", encoding="utf-8")
