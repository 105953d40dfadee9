"""A spectator follows the people of a match that is over to the next one, and is told its table."""

from __future__ import annotations

import msgspec
import pytest

from people.person import Person
from people.text.typing_context import RequestDraft
from protocol import messages as m
from tests.helpers.paper import new_person


def info(table: str, *, state: str = "open", owner: str = "bob", game: str = "toy") -> m.TableInfo:
    seats = (m.SeatInfo(1, "bob", "person"), m.SeatInfo(2, "ann", "person"))
    return m.TableInfo(
        table=table, game=game, state=state, owner=owner, seats=seats, clock=m.ClockRule(), options={}, commitment="c0"
    )


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def spectator(clock: Clock) -> Person:
    """Somebody who has watched a match to its end."""
    person = new_person(now=clock)
    person.on_message(m.Watching(re=1, table="t1", n=0, info=info("t1", state="playing"), view=None))
    person.on_message(m.Over(table="t1", n=1, results=(), reason="rounds", text="", seed="", salt=""))
    return person


def asks(person: Person, clock: Clock, seconds: float = 3.0) -> list[RequestDraft]:
    clock.now += seconds
    return [ask for ask in person.poll_effects().asks if ask.kind is m.Tables]


def told(person: Person, ask: RequestDraft, *tables: m.TableInfo) -> tuple[str, list[tuple[str, str]]]:
    effects = person.on_answer(ask, m.TableList(re=1, tables=tables))
    text = " ".join(text for line in effects.lines for _style, text in line)
    return text, [(one.kind.__name__, one.fields["table"]) for one in effects.asks]


def test_quiet_questions_find_the_rematch_and_no_other_table(clock: Clock) -> None:
    person = spectator(clock)
    assert asks(person, clock, 1.0) == []
    (ask,) = asks(person, clock)
    assert ask.fields == {"after": "t1"}
    assert asks(person, clock) == [], "one question at a time"
    others = info("t2", owner="zoe"), info("t3", game="chess", owner="zoe"), info("t4", state="over")
    assert told(person, ask, *others) == ("", [])
    (ask,) = asks(person, clock)
    assert told(person, ask, *others, info("t5")) == ("The rematch is at t5, and you watch it.", [("Watch", "t5")])
    heard = person.on_message(m.Watching(re=1, table="t5", n=0, info=info("t5"), view=None))
    assert [(one.kind, one.fields) for one in heard.asks] == [(m.Leave, {"table": "t1"})]
    assert asks(person, clock) == []


def test_who_looks_at_a_page_is_told_the_table_and_not_taken_there(clock: Clock) -> None:
    person = spectator(clock)
    person.page.shown = lambda _width, _height: []
    (ask,) = asks(person, clock)
    assert told(person, ask, info("t2", state="playing")) == ("The rematch is at t2; watch t2 shows it.", [])
    assert asks(person, clock) == []


def test_who_turns_elsewhere_or_waits_too_long_is_taken_nowhere(clock: Clock) -> None:
    person = spectator(clock)
    (ask,) = asks(person, clock)
    person.on_message(m.Watching(re=1, table="t9", n=0, info=info("t9", state="playing"), view=None))
    assert told(person, ask, info("t2")) == ("", [])
    assert asks(person, clock) == []
    assert asks(spectator(clock), clock, 1_000.0) == []


def test_whose_watched_table_is_gone_follows_its_people_to_any_game(clock: Clock) -> None:
    person = new_person(now=clock)
    person.on_message(m.Watching(re=1, table="t1", n=0, info=info("t1"), view=None))
    person.on_message(m.SentAway(table="t1", why="closed", by="bob"))
    (ask,) = asks(person, clock)
    assert told(person, ask, info("t2", owner="zoe")) == ("", [])
    (ask,) = asks(person, clock)
    assert told(person, ask, info("t3", game="chess")) == ("You watch t3 now, where they went on.", [("Watch", "t3")])


def test_who_was_sent_away_follows_nobody(clock: Clock) -> None:
    person = new_person(now=clock)
    person.on_message(m.Watching(re=1, table="t1", n=0, info=info("t1"), view=None))
    person.on_message(m.SentAway(table="t1", why="kicked", by="bob"))
    assert asks(person, clock) == []


def player(clock: Clock) -> Person:
    """Somebody who has played a match with bob to its end."""
    person = new_person(now=clock)
    person.name = "ann"
    person.on_message(m.Watching(re=1, table="t1", n=0, info=info("t1", state="playing"), view=None))
    person.seats.tables["t1"].seat = 2
    person.on_message(m.Over(table="t1", n=1, results=(), reason="rounds", text="", seed="", salt=""))
    return person


def waiting(table: str, **more: str) -> m.TableInfo:
    return msgspec.structs.replace(info(table, **more), seats=(m.SeatInfo(1, "bob", "person"), m.SeatInfo(2)))


def test_a_player_is_told_once_where_one_of_the_match_waits_whatever_is_played_there(clock: Clock) -> None:
    person = player(clock)
    (ask,) = asks(person, clock)
    text, more = told(person, ask, info("t2", state="playing"), waiting("t3", game="chess"))
    assert (text, more) == ("bob waits at t3 (chess): join t3 takes a seat there.", [])
    (ask,) = asks(person, clock)
    assert told(person, ask, waiting("t3", game="chess")) == ("", [])


def test_a_spectator_is_told_of_a_table_with_another_game(clock: Clock) -> None:
    person = spectator(clock)
    (ask,) = asks(person, clock)
    offered = "bob waits at t3 (chess): join t3 takes a seat there."
    assert told(person, ask, waiting("t3", game="chess")) == (offered, [])
    (ask,) = asks(person, clock)
    text, _more = told(person, ask, waiting("t3", game="chess"), info("t4", game="chess", state="playing"))
    assert text == "bob is at t4 now (chess): watch t4 shows it."
