"""What a person types: actions, commands, mistakes."""

from __future__ import annotations

import re
from operator import methodcaller

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.stand_in import LocalStandIns
from games.api import Game, options_from, to_map
from games.chance import Chance
from games.columns import text_columns
from games.registry import all_games
from languages import speaking
from people.context import NOT_HERE, is_ready_for
from people.frame import toolbar
from people.person import Person
from people.render import plain_text, wrap_rows
from people.settings import PersonSettings
from people.text.help import EVERY_DAY
from people.text.lookup import available_commands
from people.text.typing_context import game_words
from people.typed import handle_line
from people.vocabulary import completions
from protocol import messages as m
from protocol.connection import ClientConnection
from tests.helpers.paper import new_person
from tests.helpers.toy import Play, ToyView
from tests.people.at_a_table import asked, open_table, said, seated

COMMANDS = list(available_commands(NOT_HERE | {"invite"}))


# -- actions -----------------------------------------------------------------------------------------------------------


def test_an_action_answers_the_turn_in_hand() -> None:
    kind, fields = asked(seated(3, 5), "play 5")
    assert (kind, fields) == (m.Act, {"table": "t1", "turn": 1, "action": {"do": "play", "card": 5}})


def test_an_action_may_end_with_the_full_stop_of_its_example() -> None:
    assert asked(seated(3, 5), "play 5.") == asked(seated(3, 5), "play 5")


def test_hand_shows_the_own_hand_as_it_is_now() -> None:
    person = seated(3, 5)
    (ask,) = handle_line(person, "hand").asks
    assert ask.kind is m.LookRequest
    told = person.on_answer(ask, m.Position(table="t1", n=2, view=to_map(ToyView(1, (0, 0), (), (7, 9)))))
    assert "Hand: 7 9" in [plain_text(line) for line in told.lines]


def test_a_decision_that_the_server_could_not_take_is_still_to_be_made() -> None:
    for code in ("storage", "slow_down", "internal"):
        person = seated(3, 5)
        (ask,) = handle_line(person, "play 5").asks
        person.on_answer(ask, m.Error(code=code, text="Not now."))
        assert asked(person, "play 5")[1]["turn"] == 1, code


def test_a_decision_that_came_too_late_is_not_asked_for_again() -> None:
    person = seated(3, 5)
    (ask,) = handle_line(person, "play 5").asks
    person.on_answer(ask, m.Error(code="stale_turn", text="That turn is over."))
    assert said(person, "play 5").startswith("! ")


def test_a_refused_action_can_be_replaced() -> None:
    person = seated(3, 5)
    (ask,) = handle_line(person, "play 9").asks
    person.on_answer(ask, m.Error(code="illegal_action", text="You do not have that card."))
    assert asked(person, "play 5")[1]["turn"] == 1


def test_a_seat_that_was_taken_over_is_asked_no_more() -> None:
    person = seated(3, 5)
    told = person.on_message(m.Presence(table="t1", n=3, seat=1, name="ann", how="late", by="first"))
    assert [plain_text(line) for line in told.lines][1:] == ["first plays your seat from now on."]
    for line in ("play 3", "3", "legal", "why 1", "hint"):
        assert said(person, line) == "! first plays your seat now; there is nothing more to decide."
    assert "t1 seat 1 (first)" in toolbar(person, 80)


def test_a_table_of_ones_own_starts_when_it_is_full_again_though_a_start_failed_before() -> None:
    person = new_person()
    person.settings.starts_when_full = True

    def hears_of(*people: str) -> list[type[m.Request]]:
        seats = tuple(m.SeatInfo(seat, name, "person" if name else "empty") for seat, name in enumerate(people, 1))
        info = m.TableInfo(
            table="t1",
            game="toy",
            state="open",
            owner="ann",
            seats=seats,
            clock=m.ClockRule(),
            options={},
            commitment="",
        )
        first = m.TableReply(info=info, seat=1) if not person.seats.tables else m.TableChanged(info=info)
        return [ask.kind for ask in person.on_message(first).asks]

    assert hears_of("ann", "") == []
    assert hears_of("ann", "bob") == [m.Start]
    assert hears_of("ann", "bob") == []
    assert hears_of("ann", "") == []  # bob left before the start, which was refused
    assert hears_of("ann", "cid") == [m.Start]


def test_at_the_end_of_the_input_each_game_is_played_on_by_its_own_bot() -> None:
    game = all_games()["ikasamage"]
    person = seated(3, 5, person=new_person("ann", float, game))
    state, _told = game.start(3, options_from(game, {}), Chance.of_number(1))
    seat = min(state.to_move())
    person.on_message(
        m.MatchStarted(
            table="t2",
            n=1,
            game=game.id,
            rules_version=game.rules_version,
            options={},
            seats=tuple(m.SeatInfo(number, f"mage{number}", "person") for number in (1, 2, 3)),
            clock=m.ClockRule(),
            commitment="c0",
            nonces=("", "", ""),
            grace=120.0,
            you=seat,
        )
    )
    legal = [to_map(action) for action in state.legal_actions(seat)]
    person.on_message(
        m.TurnUpdate(table="t2", n=2, turn=1, view=to_map(state.view(seat)), legal=legal, left=330.0, main=300.0)
    )
    asks = person.end_input().asks
    assert [ask.fields["table"] for ask in asks] == ["t1", "t2"]
    assert isinstance(person.settings.stand_ins, LocalStandIns)
    assert {type(bot).__name__ for bot in person.settings.stand_ins._bots.values()} == {"RandomBot", "GreedyBot"}


def test_the_aim_is_told_before_the_first_decision_and_again_when_it_is_asked_for() -> None:
    person = at_ikasamage()
    first = "Bet in secret on fighters"
    asked_first = [plain_text(line) for line in person.ask_for_decisions().lines]
    assert asked_first[0].startswith(first)
    assert said(person, "aim").startswith(first)
    assert all("\n" not in text for line in handle_line(person, "aim").lines for _style, text in line)
    assert re.match(r"greedy would do this: bet \d.*\. If it wins, you get: \d ", said(person, "hint"))


def test_advice_of_a_game_without_a_house_bot_is_told_as_that_of_random(monkeypatch: pytest.MonkeyPatch) -> None:
    person = at_ikasamage()
    monkeypatch.setattr(type(all_games()["ikasamage"]), "house_bot", "hurdler")
    assert said(person, "hint").startswith("random would do this: bet ")
    assert said(new_person(), "hint") == "! You have nothing to decide now."


def at_ikasamage() -> Person:
    """Somebody who is asked for the first bet of a match."""
    game = all_games()["ikasamage"]
    person = Person("ann", {game.id: game}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    state, _told = game.start(3, options_from(game, {}), Chance.of_number(1))
    seat = min(state.to_move())
    person.on_message(
        m.MatchStarted(
            table="t2", n=1, game=game.id, rules_version=game.rules_version, options={},
            seats=tuple(m.SeatInfo(number, f"mage{number}", "person") for number in (1, 2, 3)),
            clock=m.ClockRule(), commitment="c0", nonces=("", "", ""), grace=120.0, you=seat,
        )
    )  # fmt: skip
    legal = [to_map(action) for action in state.legal_actions(seat)]
    person.on_message(
        m.TurnUpdate(table="t2", n=2, turn=1, view=to_map(state.view(seat)), legal=legal, left=330.0, main=300.0)
    )
    return person


def test_the_only_thing_that_may_be_done_is_done_after_a_pause_and_said() -> None:
    moment = [0.0]
    person = new_person(now=lambda: moment[0])
    person.settings.decides_alone, person.settings.pause = True, lambda: 2.0
    seated(3, person=person)
    assert person.poll_effects().asks == []
    moment[0] = 2.0
    done = person.poll_effects()
    assert [ask.fields["action"] for ask in done.asks] == [{"do": "play", "card": 3}]
    assert plain_text(done.lines[0]) == "Nothing else may be done: play 3"
    assert person.poll_effects().asks == []


def test_who_types_the_only_thing_first_or_has_a_choice_is_not_answered_for() -> None:
    person = new_person(now=lambda: 0.0)
    person.settings.decides_alone, person.settings.pause = True, lambda: 2.0
    seated(3, person=person)
    assert asked(person, "play 3")[1]["action"] == {"do": "play", "card": 3}
    person.settings.now = lambda: 9.0
    assert person.poll_effects().asks == []
    person.settings.pause = lambda: 0.0
    assert seated(3, 5, person=person).poll_effects().asks == []


def at_a_screen() -> Person:
    person = seated(3, 5)
    person.settings.pinned = True
    return person


def test_a_number_acts_while_its_list_is_the_last_that_was_shown_and_else_is_a_question() -> None:
    person = at_a_screen()
    asks = "2 is: play 5. Type 2 once more to do it; ? shows the numbered list."
    assert said(person, "2") == asks
    assert said(person, "1").startswith("1 is: play 3.")
    assert said(person, "2") == asks, "another number was typed in between"
    assert asked(person, "2")[1]["action"] == {"do": "play", "card": 5}
    person = at_a_screen()
    assert "  2  play 5" in said(person, "?")
    assert asked(person, "2")[1]["action"] == {"do": "play", "card": 5}
    person = at_a_screen()
    said(person, "legal")
    said(person, "aim")
    assert said(person, "2") == asks, "the list has gone"
    said(person, "legal")
    view = to_map(ToyView(2, (0, 1), (), (3, 5)))
    legal = [to_map(Play(card)) for card in (3, 5)]
    person.on_message(m.TurnUpdate(table="t1", n=3, turn=2, view=view, legal=legal, left=330.0, main=300.0))
    person.ask_for_decisions()
    assert said(person, "2") == asks, "the list was that of another decision"
    assert said(person, "9").startswith("! Type a number from 1 to 2")


def test_a_card_is_shown_by_the_beginning_of_its_name() -> None:
    assert said(seated(3), "cards card 3").startswith("Card 3 (3): card")
    assert said(seated(3), "cards card 1").count("Card") == 1
    assert said(seated(3), "cards knight") == "! There is no card 'knight' in this game."
    assert asked(new_person(), "cards toy 3") == (m.Cards, {"game": "toy", "name": "3"})


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_toolbar_fits_and_shows_the_seat(width: int) -> None:
    person = seated(3)
    assert "t1 seat 1 | " in toolbar(person, width)
    assert toolbar(person, width).endswith("quit" if width > 60 else "h help")
    assert len(toolbar(person, width)) <= width


def test_clocks_are_told_in_minutes_and_seconds() -> None:
    person = seated(3)
    clocks = (m.SeatClock(1, 300.0, True, 325.4), m.SeatClock(2, 7.0), m.SeatClock(3, 86_400.0))
    assert person.seats.here is not None
    person.seats.here.people.append("cid")
    lines = [
        "".join(text for _style, text in row) for row in person.on_message(m.Clocks(table="t1", clocks=clocks)).lines
    ]
    assert lines == [
        "ann: 5:00 of main time, deciding, 5:25 left",
        "bob: 0:07 of main time",
        "cid: as much time as they like",
    ]


# -- commands ----------------------------------------------------------------------------------------------------------


def test_a_line_too_long_for_a_request_is_refused_here() -> None:
    assert said(seated(3), "say " + "x" * 301) == "! At most 300 characters, in text."
    assert said(seated(3), "say " + "x" * 4_092) == "! A list, map or string in the message is too long, in text."
    assert said(seated(3), "say " + "x" * 4_093) == "! A line holds at most 4096 bytes."
    options = " ".join(f"{number}={number}" for number in range(32))
    assert asked(seated(3), f"open toy {options}")
    assert said(seated(3), f"open toy {options} 33=33").startswith("! ")


def test_half_a_character_is_sent_as_a_question_mark() -> None:
    assert asked(seated(3), "say \ud83d!")[1]["text"] == "?!"


JUNK = st.lists(
    st.one_of(
        st.sampled_from(["1", "2.1", "p2", "all", "down", "pay", "-1", "999", "\u0663", "x" * 40, "_", "/", "=", "''"]),
        *(st.binary(max_size=12).map(methodcaller("decode", code, "ignore")) for code in ("latin-1", "utf-16-le")),
    ),
    max_size=5,
)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_whatever_is_typed_is_understood_or_explained(game: Game, data: st.DataObject) -> None:
    person = Person("ann", {game.id: game}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    seats = tuple(m.SeatInfo(number, f"mage-{number}", "person") for number in range(1, game.min_seats + 1))
    state, _told = game.start(len(seats), options_from(game, {}), Chance.of_number(data.draw(st.integers(0, 9))))
    seat = min(state.to_move())
    person.on_message(
        m.MatchStarted(
            table="t1", n=1, game=game.id, rules_version="1", options={}, seats=seats, clock=m.ClockRule(),
            commitment="c0", nonces=("",) * len(seats), grace=120.0, you=seat,
        )
    )  # fmt: skip
    view, legal = to_map(state.view(seat)), [to_map(action) for action in state.legal_actions(seat)]
    person.on_message(m.TurnUpdate(table="t1", n=2, turn=1, view=view, legal=legal, left=330.0, main=300.0))
    first = data.draw(
        st.sampled_from([*game_words(game.words.help_text), *(card.name for card in game.cards()), *COMMANDS, ""])
    )
    line = " ".join([first, *data.draw(JUNK)])
    effects = handle_line(person, line)
    assert all(
        plain_text(row).isprintable() and text_columns(plain_text(row)) <= 40 for row in wrap_rows(effects.lines, 40)
    )
    for ask in effects.asks:
        assert ClientConnection("json").send(ask.kind(id=1, **ask.fields))
    completions(person, line)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("most", [25, pytest.param(1_000, marks=pytest.mark.soak)])
def test_whatever_may_be_done_can_be_typed_as_it_is_written(game: Game, most: int) -> None:
    person = Person("ann", {game.id: game}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    seats = tuple(m.SeatInfo(number, f"mage-{number}", "person") for number in range(1, game.min_seats + 1))
    state, chance = game.start(len(seats), options_from(game, {}), Chance.of_number(1))[0], Chance.of_number(2)
    person.on_message(
        m.MatchStarted(
            table="t1", n=1, game=game.id, rules_version="1", options={}, seats=seats, clock=m.ClockRule(),
            commitment="c0", nonces=("",) * len(seats), grace=120.0, you=1,
        )
    )  # fmt: skip
    for count in range(1, most + 1):
        if not state.to_move():
            break
        seat = min(state.to_move())
        actions = state.legal_actions(seat)
        view, legal = to_map(state.view(seat)), [to_map(action) for action in actions]
        turn = m.TurnUpdate(table="t1", n=count + 1, turn=count, view=view, legal=legal, left=330.0, main=300.0)
        for action in actions:
            person.on_message(turn)
            person.ask_for_decisions()
            kind, fields = asked(person, game.words.format_action(action))
            assert (kind, fields.get("action")) == (m.Act, to_map(action)), action
        state.apply(seat, chance.choice("action", actions))


def test_a_reply_goes_to_who_told_something_last() -> None:
    person = seated(3)
    person.on_message(m.Chat(sender="bob", text="psst", private=True))
    person.on_message(m.Chat(sender="cid", text="hello all"))
    assert asked(person, "/r what?") == (m.Tell, {"to": "bob", "text": "what?"})


def test_help_names_every_command_and_the_actions_of_the_game() -> None:
    first, everything = said(seated(3), "help"), said(seated(3), "help all")
    assert "play N" in first
    assert [name for name in EVERY_DAY if name not in first] == []
    assert "standings" not in first
    assert "help all" in first
    assert all(name in everything for name in COMMANDS)
    assert said(seated(3), "help why").startswith("why ACTION")


def test_time_running_out_is_said_once_for_each_threshold() -> None:
    moment = [0.0]
    person = seated(3, now=lambda: moment[0])
    warned = []
    for second in range(331):
        moment[0] = float(second)
        warned += [text for line in person.time_warning().lines for _style, text in line]
    assert warned == ["60 seconds left to decide.", "30 seconds left to decide.", "10 seconds left to decide."]


@pytest.mark.parametrize(
    ("line", "at_once"),
    [("review", True), ("suivant\t", True), ("next", True), ("who", True), ("play 3", False), ("yes", False)],
)
@pytest.mark.parametrize("name", ["en", "fr"])
def test_before_a_match_what_is_no_move_need_not_wait_for_it(line: str, at_once: bool, name: str) -> None:
    person = new_person()
    person.on_message(m.TableReply(re=1, info=open_table("toy"), seat=1))
    with speaking(name):
        assert is_ready_for(person, line) is at_once


def test_finished_tables_are_forgotten_once_the_person_is_elsewhere() -> None:
    person = new_person(now=float)
    for number in range(1, 6):
        info = msgspec.structs.replace(open_table("toy"), table=f"t{number}", state="over")
        person.on_message(m.Watching(re=1, table=info.table, n=0, info=info, view=None))
    assert list(person.seats.tables) == ["t5"]
