"""A person at a toy table, for tests of what they type: seated, asked, said."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Game, to_map
from people.person import Person
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.paper import new_person
from tests.helpers.toy import Play, ToyView


def seated(*cards: int, now: Callable[[], float] = float, person: Person | None = None) -> Person:
    """Somebody at a toy table, asked to play one of these cards."""
    person = person or new_person(now=now)
    person.on_message(
        m.MatchStarted(
            table="t1",
            n=1,
            game="toy",
            rules_version="1",
            options={},
            seats=(m.SeatInfo(1, "ann", "person"), m.SeatInfo(2, "bob", "person")),
            clock=m.ClockRule(),
            commitment="c0",
            nonces=("", ""),
            grace=120.0,
            you=1,
        )
    )
    view = to_map(ToyView(1, (0, 0), (), cards))
    legal = [to_map(Play(card)) for card in cards]
    person.on_message(m.TurnUpdate(table="t1", n=2, turn=1, view=view, legal=legal, left=330.0, main=300.0))
    person.ask_for_decisions()
    return person


def open_table(game: str) -> m.TableInfo:
    seats = (m.SeatInfo(1, "ann", "person"), m.SeatInfo(2))
    return m.TableInfo(
        table="t1", game=game, state="open", owner="ann", seats=seats, clock=m.ClockRule(), options={}, commitment="c0"
    )


def asked(person: Person, line: str) -> tuple[type[m.Request], dict[str, object]]:
    """The one request that the line leads to."""
    (ask,) = handle_line(person, line).asks
    return ask.kind, dict(ask.fields)


def said(person: Person, line: str) -> str:
    effects = handle_line(person, line)
    assert not effects.asks
    return "\n".join("".join(text for _style, text in row) for row in effects.lines)


def stands_on(text: str, card: str, game: Game) -> bool:
    """Whether a board shows that card, by its name or its title."""
    return any(name in " ".join(text.split()) for name in (card, game.words.card_titles.get(card, card)))
