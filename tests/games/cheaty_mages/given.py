"""Positions built by hand: `given(...)`, then `do(match, 1, "cast fireball 3")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.api import AddressedEvent, Event, IllegalAction, Seat, to_map
from games.chance import Chance
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.views import SeatView, You
from games.cheaty_mages.words import ArenaWords
from games.registry import get_game

FIVE = ("goblin", "orc", "lizardman", "succubus", "dark_elf")


def given(
    *,
    seats: int = 3,
    edition: str = "ikasamage",
    judge: str = "lawty",
    fighters: Sequence[str] = FIVE,
    hands: Mapping[Seat, str] | None = None,
    bets: Mapping[Seat, tuple[int, ...]] | None = None,
    money: Mapping[Seat, int] | None = None,
    on: Mapping[int, str] | None = None,
    top: str = "",
    round: int = 1,
    turn: Seat = 1,
    phase: str = "cast",
    options: ArenaOptions | None = None,
) -> ArenaState:
    """A described position, by default in the middle of casting; `turn` is the starter too.

    hands: the cards by seat, nobody else holds any; on: by fighter, what lies there: `might` by seat 1, `might@2` by
    another; top: the top of the spell pile, first card first.
    """
    everybody = range(1, seats + 1)
    described = {
        "seats": seats,
        "options": to_map(options or ArenaOptions()),
        "round": round,
        "phase": phase,
        "starter": turn,
        "judge": judge,
        "judges_gone": [],
        "fighters": fighters,
        "hands": {seat: (hands or {}).get(seat, "").split() for seat in everybody},
        "bets": {seat: (bets or {}).get(seat, (1,)) for seat in everybody if phase != "bet"},
        "money": {seat: (money or {}).get(seat, 0) for seat in everybody},
        "spells": {fighter: [_laid(entry) for entry in names.split()] for fighter, names in (on or {}).items()},
        "spell_pile": top.split(),
    }
    match = get_game(edition).build_position(described, Chance.of_number(1))
    assert isinstance(match, ArenaState)
    return match


def _laid(entry: str) -> dict[str, object]:
    name, _at, owner = entry.partition("@")
    return {"card": name, "by": int(owner or 1)}


def do(match: ArenaState, seat: Seat, line: str) -> list[AddressedEvent]:
    """The seat does what is written; returns what is told."""
    actions = ArenaWords(match.deck).parse_actions(line, match.view(seat), match.legal_actions(seat))
    told: list[AddressedEvent] = []
    for action in actions:
        assert (match.refusal_reason(seat, action) is None) == (action in match.legal_actions(seat)), line
        told += match.apply(seat, action)
    fresh = match.game.load(match.save(), match.options)
    assert match.view(seat) == fresh.view(seat), "what was looked at before is out of date"
    return told


def why(match: ArenaState, seat: Seat, line: str) -> str:
    """The code with which the rules refuse what is written."""
    (action,) = ArenaWords(match.deck).parse_actions(line, match.view(seat), match.legal_actions(seat))
    assert action not in match.legal_actions(seat), line
    before = match.clone()
    try:
        match.apply(seat, action)
    except IllegalAction as refusal:
        assert match == before
        return refusal.code
    raise AssertionError(f"{line} was done")


def may(match: ArenaState, seat: Seat, line: str) -> bool:
    """Whether what is written is among the legal actions."""
    (action,) = ArenaWords(match.deck).parse_actions(line, match.view(seat), match.legal_actions(seat))
    return action in match.legal_actions(seat)


def everybody_passes(match: ArenaState) -> list[AddressedEvent]:
    """All who are still in pass; returns what is told."""
    told: list[AddressedEvent] = []
    while match.phase == "cast":
        told += do(match, match.turn, "pass")
    return told


def nobody_discards(match: ArenaState) -> list[AddressedEvent]:
    """All draw what they may."""
    told: list[AddressedEvent] = []
    while match.phase == "redraw":
        told += do(match, match.turn, "done")
    return told


def heard(told: Sequence[AddressedEvent], seat: Seat | None = None) -> list[Event]:
    """What that seat, or a spectator, hears."""
    return [one.event for one in told if one.is_for(seat)]


def you(match: ArenaState, seat: Seat) -> You:
    """What the seat alone sees."""
    view = match.view(seat)
    assert isinstance(view, SeatView)
    return view.you


def row(match: ArenaState, fighter: int) -> list[str]:
    """The names of what lies on the fighter."""
    return [match.deck.name_of[lying.card] for lying in match.rows[fighter - 1]]


def hand(match: ArenaState, seat: Seat) -> list[str]:
    """The names of the cards in hand."""
    return [match.deck.name_of[card] for card in match.hands[seat]]


def discards(match: ArenaState) -> list[str]:
    """The discard pile, oldest first."""
    return [match.deck.name_of[card] for card in match.discard]
