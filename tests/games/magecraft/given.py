"""Positions built by hand, with spells whose costs and icons stay the same whatever the game's own cards become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.api import Action, Event, Game, Seat
from games.chance import Chance
from games.magecraft.game import Magecraft
from games.magecraft.mage import Mage
from games.magecraft.moves import GEM_AT, GEMS
from games.magecraft.options import MagecraftOptions
from games.magecraft.rules import MagecraftState

_SPELLS = """\
starter meditation wild: draw draw
starter missile fire wild: attack
starter tricks light wild: vanish
base cure water: heal
base absorb earth wild: attack heal
base fireball fire fire: attack attack
academy bolt fire: attack
academy ward earth: shield
academy both wild wild: attack shield
academy dusk wild: darkness
academy fade light: vanish
academy well water: draw draw
academy storm fire water: attack attack
academy pair wild fire: heal
academy third light wild wild: heal heal"""
_CHARACTERS = """\
ann spark fire: attack
bob stone wild: shield
cid salve water: heal
dot veil light: vanish"""


def _written() -> str:
    lines = ["[house]", "rounds = 3"]
    for seats, copies, gems in ((2, 2, 8), (3, 3, 12), (4, 4, 16)):
        lines += ["[[table]]", f"seats = {seats}", f"copies = {copies}", f"gems = {gems}", "darkness = 8"]
    for line in _SPELLS.splitlines():
        head, effect = line.split(": ")
        kind, name, cost = head.split(" ", 2)
        lines += ["[[spell]]", f'name = "{name}"', f'title = "{name.title()}"', f'set = "{kind}"']
        lines += [f'cost = "{cost}"', f'effect = "{effect}"']
    for line in _CHARACTERS.splitlines():
        head, effect = line.split(": ")
        name, innate, cost = head.split(" ")
        lines += ["[[character]]", f'name = "{name}"', f'title = "{name.title()}"']
        spell = f'name = "{innate}", title = "{innate.title()}", cost = "{cost}", effect = "{effect}"'
        lines += [f"innate = {{ {spell} }}"]
    return "\n".join(lines) + "\n"


CARDS = _written()
GAME: Game = Magecraft(CARDS)


def gems(text: str) -> list[int]:
    """`F F W` or `FFW` as counts, by initials."""
    counts = [0] * len(GEMS)
    for letter in text.replace(" ", ""):
        counts[next(at for at, gem in enumerate(GEMS) if gem[0].upper() == letter)] += 1
    return counts


def started(seats: int = 2, number: int = 1, **options: Any) -> MagecraftState:
    """A match that was just dealt."""
    state, _ = GAME.start(seats, MagecraftOptions(**options), Chance.of_number(number))
    assert isinstance(state, MagecraftState)
    return state


def described(given: str | Mapping[str, Any], number: int = 1) -> MagecraftState:
    """A described position; see the rules page."""
    state = GAME.build_position(given, Chance.of_number(number))
    assert isinstance(state, MagecraftState)
    return state


def position(seats: int = 2, hand: str = "", **options: Any) -> MagecraftState:
    """Seat 1 is first and in its spell phase with that hand; seat N has the Nth character; every bag holds FWEL. The
    match goes on after the first fall.

    The other gems of bags and discards are taken out, so that a test can say what lies there.
    """
    names = ["ann", "bob", "cid", "dot"][:seats]
    mages = [{"character": name, "hand": hand if name == "ann" else "", "next": "FWEL"} for name in names]
    state = described({"seats": seats, "options": options, "first": 1, "turn": 1, "mage": mages})
    for mage in state.mages:
        mage.bag, mage.discard = mage.bag[-4:], gems("")
        mage.invalidate_views()
    return state


def book(mage: Mage, state: MagecraftState, number: int, text: str) -> None:
    """Fills a book with spells by name; `*` marks a mastered one."""
    mage.books[number - 1] = [
        state.cards.by_name[word.rstrip("*")].index * 2 + word.endswith("*") for word in text.split()
    ]
    mage.invalidate_views()


def spells(mage: Mage, state: MagecraftState, number: int) -> list[str]:
    """A book as names, with `*` for mastered."""
    return [state.cards.spells[copy >> 1].name + "*" * (copy & 1) for copy in mage.books[number - 1]]


def act(state: MagecraftState, *lines: str, seat: Seat = 1) -> list[Event]:
    """Does what the lines say and returns all that was told to anybody."""
    told: list[Event] = []
    for line in lines:
        for action in GAME.words.parse_actions(line, state.view(seat), state.legal_actions(seat)):
            told += [one.event for one in state.apply(seat, action)]
        fresh = state.game.load(state.save(), state.options)
        assert state.view(seat) == fresh.view(seat), "what was looked at before is out of date"
    return told


def legal(state: MagecraftState, seat: Seat = 1) -> list[str]:
    """The legal actions as they are typed."""
    return [GAME.words.format_action(action) for action in state.legal_actions(seat)]


def refused(state: MagecraftState, action: Action, seat: Seat = 1) -> str:
    """The code of a refusal, or an empty string."""
    why = state.refusal_reason(seat, action)
    return why.code if why else ""


def of(counts: Sequence[int], gem: str) -> int:
    return counts[GEM_AT[gem]]
