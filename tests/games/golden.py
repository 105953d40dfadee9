"""Writes a game's golden matches, words, numbers and moments anew: `python -m tests.games.golden GAME`. Read the
difference before you commit."""

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec

from games.api import Game, Options, Seat, State, options_from, plain
from games.chance import Chance
from games.exam import random_match
from games.numbers import Numbers
from games.registry import get_game
from games.transcript import transcript

MATCHES = 8
NUMBERED = 2
LOOKED_AT = 40  # moments of a match, about
NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")


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
                    yield game.words.tell(one.event, NAMES)
            for seat in sorted(moment.state.to_move()):
                legal = moment.state.legal_actions(seat)
                if type(legal[0]) not in asked:
                    asked.add(type(legal[0]))
                    yield f"-- {seat}: {game.words.ask(moment.state.view(seat), legal)}"
                    yield from _boards(game, moment.state, seat)
        if number == 0:
            yield from _boards(game, moment.state, 1)


def numbers(game: Game) -> Iterator[str]:
    """What programs learn from: all actions by their kind, and each field of the vectors of some random matches, with a
    hash of what stood there. When one changes, what was trained before reads nonsense."""
    others = {
        name: next(value for value in values if value != getattr(options_from(game, {}), name))
        for name, values in game.exam_options.items()
    }
    yield from _numbers(game, game.min_seats, options_from(game, {}))
    yield from _numbers(game, game.max_seats, options_from(game, others))


def _numbers(game: Game, seats: int, options: Options) -> Iterator[str]:
    known = Numbers(game, seats, options)
    yield f"# {seats} seats, {options}, at most {known.longest} decisions"
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
        options, rng = options_from(game, {}), Random(1)
        actions, count = game.actions(seats, options), sum(1 for _ in random_match(game, seats, options, 1))
        for number, moment in enumerate(random_match(game, seats, options, 1)):
            if number % (1 + count // LOOKED_AT):
                continue
            state, chance = moment.state, Chance.of_number(number)
            for seat in range(1, seats + 1):
                view = state.view(seat)
                for height in (8, 12):
                    found[f"board of {height} lines"] += map(repr, game.words.board(view, NAMES, 60, height))
                found["account"] += game.words.account(view, NAMES)
                found["knowledge"].append(msgspec.json.encode(state.knowledge(seat)).decode())
                found["imagined"].append(state.redeal(seat, chance).save().hex())
                for action in rng.sample(actions, 3):
                    refusal = state.refusal(seat, action)
                    found["refusals"] += [f"{refusal.code}: {refusal.text}"] if refusal else []
            for seat in sorted(state.to_move()):
                view, legal = state.view(seat), state.legal_actions(seat)
                found["asked"].append(game.words.ask(view, legal))
                found["default"].append(game.words.write(state.default_action(seat, chance)))
                for action in legal:
                    kind = f"{type(action).__name__} foreseen"
                    found[kind].append(f"{game.words.write(action)}: {game.words.foresee(view, action, NAMES)}")
    for name, texts in sorted(found.items()):
        yield f"{name}: {len(texts)}, {_hash(*texts)}: {next(filter(None, texts), '')[:120]}"


def _boards(game: Game, state: State, seat: Seat) -> Iterator[str]:
    for observer, width in ((seat, 40), (seat, 80), (None, 60)):
        rows = [*game.words.board(state.view(observer), NAMES, width)]
        yield f"-- {observer or 'spectator'}, {width} columns, marked {_hash(*map(repr, rows))}"
        yield from plain(rows)


if __name__ == "__main__":
    game = get_game(sys.argv[1])
    folder = Path(__file__).parent / "golden"
    for below in ("words", "numbers", "moments"):
        (folder / below).mkdir(parents=True, exist_ok=True)
    for seats, number in ((game.min_seats, 1), (game.max_seats, 2)):
        lines = transcript(game, seats, options_from(game, {}), number)
        (folder / f"{game.id}-{seats}-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "words" / f"{game.id}.txt").write_text("\n".join(words(game)) + "\n", encoding="utf-8")
    (folder / "moments" / f"{game.id}.txt").write_text("\n".join(moments(game)) + "\n", encoding="utf-8")
    (folder / "numbers" / f"{game.id}.txt").write_text("\n".join(numbers(game)) + "\n", encoding="utf-8")
