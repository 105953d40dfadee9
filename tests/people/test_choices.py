"""What a person may do now: each choice can be typed as it stands, says what it does, and is drawn by every list."""

from __future__ import annotations

import pytest

from client.stand_in import LocalStandIns
from games.api import Game, options_from, to_map
from games.registry import all_games
from games.testing.exam import random_match
from languages import speaking
from people.person import Person
from people.settings import PersonSettings
from people.typed import handle_line
from people.vocabulary import completions
from protocol import messages as m
from tests.helpers.paper import new_person
from tests.people.at_a_table import open_table, said, seated
from tests.people.test_frame import at_a_match
from tests.people.test_reviewing import reader


def lines(person: Person) -> list[str]:
    return [choice.line for choice in person.screen_content().choices]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", all_games().values(), ids=lambda one: one.id)
def test_typing_a_choice_of_any_game_does_what_it_stands_for(game: Game, lang: str) -> None:
    seats = game.min_seats
    for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 2)):
        if 1 not in moment.state.to_move() or number % 7:
            continue
        person, view = at_a_match(game, seats, 80), moment.state.view(1)
        legal = moment.state.legal_actions(1)
        told = [to_map(action) for action in legal]
        turn = m.TurnUpdate(table="t1", n=number, turn=9, view=to_map(view), legal=told, left=9.0, main=9.0)
        person.on_message(turn)
        person.ask_for_decisions()
        with speaking(lang):
            offered = person.screen_content().choices
            assert [choice.action for choice in offered] == told
            for choice, action in list(zip(offered, legal, strict=True))[:: max(1, len(legal) // 5)]:
                assert choice.effect_text == game.words.preview_action(view, action, person.seats.tables["t1"].people)
                (ask,) = handle_line(person, choice.line).asks
                assert ask.fields["action"] == choice.action
                person.on_message(
                    m.TurnUpdate(table="t1", n=number, turn=9, view=to_map(view), legal=told, left=9.0, main=9.0)
                )
                person.ask_for_decisions()


def test_a_card_stands_on_a_button_by_its_title() -> None:
    game = all_games()["ikasamage"]
    person = at_a_match(game, 3, 80)
    moments = random_match(game, 3, options_from(game, {}), 2)
    state = next(
        one.state
        for one in moments
        if 1 in one.state.to_move()
        and any("cast" in game.words.format_action(action) for action in one.state.legal_actions(1))
    )
    legal = [to_map(action) for action in state.legal_actions(1)]
    person.on_message(
        m.TurnUpdate(table="t1", n=1, turn=1, view=to_map(state.view(1)), legal=legal, left=9.0, main=9.0)
    )
    person.ask_for_decisions()
    cast = next(choice for choice in person.screen_content().choices if choice.line.startswith("cast "))
    assert game.words.card_titles[cast.line.split()[1]] in cast.label


def test_the_list_of_legal_and_completion_draw_the_same_choices() -> None:
    person = seated(3, 5)
    assert lines(person) == ["play 3", "play 5"]
    assert [row.split(maxsplit=1)[1] for row in said(person, "legal").split("\n")[1:]] == lines(person)
    assert completions(person, "play ") == ["3", "5"]


def test_what_is_held_back_is_sent_or_taken_back() -> None:
    person = seated(3, 5)
    said(person, "confirm on")
    said(person, "play 3")
    assert lines(person) == ["yes", "undo"]
    assert (
        person.screen_content().choices[0].effect_text
        == "send the decision that is kept back; or agree to take one back"
    )
    said(person, "undo")
    assert lines(person) == ["play 3", "play 5"]


def test_at_no_table_one_joins_watches_or_opens_one() -> None:
    person = new_person()
    playing = m.TableInfo(
        table="t2", game="toy", state="playing", owner="bob", seats=(m.SeatInfo(1, "bob"), m.SeatInfo(2, "cid")),
        clock=m.ClockRule(), options={}, commitment="c0",
    )  # fmt: skip
    person.on_message(m.TableList(tables=(open_table("toy"), playing)))
    offered = person.screen_content().choices
    assert [choice.line for choice in offered[:2]] == ["join t1", "watch t2"]
    assert [choice.label for choice in offered[:2]] == ["join t1 (toy: ann)", "watch t2 (toy: bob, cid)"]
    assert {f"open {game}" for game in person.games} <= set(lines(person))
    with speaking("fr"):
        assert lines(person)[:2] == ["rejoindre t1", "assister t2"]


def test_at_an_open_table_its_owner_adds_bots_and_starts_once_it_is_full() -> None:
    person = Person("ann", all_games(), PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    person.on_message(m.TableReply(info=open_table("ikasamage"), seat=1))
    assert "add greedy" in lines(person)
    assert "start" not in lines(person)
    full = m.TableInfo(
        table="t1", game="ikasamage", state="open", owner="ann", seats=(m.SeatInfo(1, "ann"), m.SeatInfo(2, "bob")),
        clock=m.ClockRule(), options={}, commitment="c0",
    )  # fmt: skip
    person.on_message(m.TableChanged(info=full))
    assert lines(person) == ["start", "leave"]


def test_after_a_match_one_plays_again_or_steps_through_it() -> None:
    person = seated(3, 5)
    person.on_message(
        m.Over(table="t1", n=9, results=(), reason="aborted", text="Over.", seed="", salt="", aborted=True)
    )
    assert lines(person) == ["rematch", "leave"]
    watched = reader()
    said(watched, "review")
    assert lines(watched)[:3] == ["n", "p", "q"]
