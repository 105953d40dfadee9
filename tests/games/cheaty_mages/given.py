"""Positions built by hand: `given(...)`, then `do(match, 1, "cast fireball 3")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.api import Event, IllegalAction, Seat, Told
from games.chance import Chance
from games.cheaty_mages.deck import deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import Match, start
from games.cheaty_mages.truth import Lying
from games.cheaty_mages.views import SeatView, You
from games.cheaty_mages.words import ArenaWords

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
    options: ArenaOptions | None = None,
) -> Match:
    """A match in the middle of casting, `turn` to move and the starter too.

    hands: the cards by seat, nobody else holds any; on: by fighter, what lies there: `might` or, with
    the seat that laid it, `might@2`; top: the top of the spell pile, first card first.
    """
    cards = deck(edition)
    match, _told = start(cards, seats, options or ArenaOptions(), Chance.of_number(1))
    left = {name: [card for card, other in enumerate(cards.name_of) if other == name] for name in cards.number}

    def take(name: str) -> int:
        return left[name].pop(0)

    match.hands = [[], *([] for _ in range(seats))]
    for seat, names in (hands or {}).items():
        match.hands[seat] = sorted(take(name) for name in names.split())
    number = {fighter.name: place for place, fighter in enumerate(cards.fighters)}
    match.fighters = [number[name] for name in fighters]
    match.fighter_pile = [place for place in range(len(cards.fighters)) if place not in match.fighters]
    titles = [one.name for one in cards.judges]
    match.judge = titles.index(judge)
    match.judge_pile = [place for place in range(len(titles)) if place != match.judge]
    match.bets = [(), *((bets or {}).get(seat, (1,)) for seat in range(1, seats + 1))]
    match.money = [0, *((money or {}).get(seat, 0) for seat in range(1, seats + 1))]
    match.round, match.phase, match.starter, match.turn = round, "cast", turn, turn
    for fighter, names in (on or {}).items():
        for entry in names.split():
            name, _at, owner = entry.partition("@")
            lay(match, fighter, take(name), int(owner or 1))
    first = [take(name) for name in top.split()]
    match.pile = [card for cards_left in left.values() for card in cards_left] + first[::-1]
    match.discard = []
    match.touch(everything=True)
    return match


def lay(match: Match, fighter: int, card: int, seat: Seat) -> None:
    """The card lies on the fighter as its kind lies, and was lawful."""
    hidden = match.deck.spell_of[card].lies_hidden
    every = match.deck.hiding
    match.rows[fighter - 1].append(Lying(card, seat, not hidden, False, 1 << seat, every, every))
    match.row_changed(fighter)


def do(match: Match, seat: Seat, line: str) -> list[Told]:
    """The seat does what is written; returns what is told."""
    actions = ArenaWords(match.deck).read(line, match.view(seat), match.legal_actions(seat))
    told: list[Told] = []
    for action in actions:
        assert (match.refusal(seat, action) is None) == (action in match.legal_actions(seat)), line
        told += match.apply(seat, action)
    return told


def why(match: Match, seat: Seat, line: str) -> str:
    """The code with which the rules refuse what is written."""
    (action,) = ArenaWords(match.deck).read(line, match.view(seat), match.legal_actions(seat))
    assert action not in match.legal_actions(seat), line
    before = match.clone()
    try:
        match.apply(seat, action)
    except IllegalAction as refusal:
        assert match == before
        return refusal.code
    raise AssertionError(f"{line} was done")


def may(match: Match, seat: Seat, line: str) -> bool:
    """Whether what is written is among the legal actions."""
    (action,) = ArenaWords(match.deck).read(line, match.view(seat), match.legal_actions(seat))
    return action in match.legal_actions(seat)


def everybody_passes(match: Match) -> list[Told]:
    """All who are still in pass; returns what is told."""
    told: list[Told] = []
    while match.phase == "cast":
        told += do(match, match.turn, "pass")
    return told


def nobody_discards(match: Match) -> list[Told]:
    """All draw what they may."""
    told: list[Told] = []
    while match.phase == "redraw":
        told += do(match, match.turn, "done")
    return told


def heard(told: Sequence[Told], seat: Seat | None = None) -> list[Event]:
    """What that seat, or a spectator, hears."""
    return [one.event for one in told if one.heard_by(seat)]


def you(match: Match, seat: Seat) -> You:
    """What the seat alone sees."""
    view = match.view(seat)
    assert isinstance(view, SeatView)
    return view.you


def row(match: Match, fighter: int) -> list[str]:
    """The names of what lies on the fighter."""
    return [match.deck.name_of[lying.card] for lying in match.rows[fighter - 1]]


def hand(match: Match, seat: Seat) -> list[str]:
    """The names of the cards in hand."""
    return [match.deck.name_of[card] for card in match.hands[seat]]


def discards(match: Match) -> list[str]:
    """The discard pile, oldest first."""
    return [match.deck.name_of[card] for card in match.discard]
