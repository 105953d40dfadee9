"""What a terminal shows, without one: the board in its room, what changed on it, whose turn it is, the log below."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from client.screen.scroll import ScrollView
from client.stand_in import LocalStandIns
from games.api import Game, StyledLine, options_from, to_map
from games.columns import text_columns
from games.registry import all_games
from games.testing.exam import random_match
from languages import speaking
from people.board_refresh import GAP_SECONDS
from people.frame import Frame, build_frame, clock_rows, turn_page
from people.leaving import leave_warning, prepare_leave_warning
from people.person import Person
from people.render import plain_text
from people.settings import PersonSettings
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.toy import Play, ToyView
from tests.people.at_a_table import asked, seated, stands_on

SIZES = ((80, 24), (120, 40), (40, 20))


def texts(lines: list[StyledLine]) -> list[str]:
    return [plain_text(line) for line in lines]


def at_a_match(game: Game, seats: int, columns: int) -> Person:
    person = Person(
        "Ann", {game.id: game}, PersonSettings(now=float, width=lambda: columns, stand_ins=LocalStandIns(0))
    )
    person.settings.pinned = True
    person.on_message(started(game, seats))
    return person


def started(game: Game, seats: int) -> m.MatchStarted:
    people = tuple(m.SeatInfo(number, f"player-{number}", "person") for number in range(1, seats + 1))
    return m.MatchStarted(
        table="t1", n=1, game=game.id, rules_version=game.rules_version, options={}, seats=people,
        clock=m.ClockRule(), commitment="c0", nonces=("",) * seats, grace=120.0, you=1,
    )  # fmt: skip


@pytest.mark.parametrize(
    "game", [game for game in all_games().values() if game.id != "magecraft"], ids=lambda one: one.id
)
@pytest.mark.parametrize("seats", [3, 4])
def test_on_the_smallest_screen_one_sees_every_card_in_hand(game: Game, seats: int) -> None:
    person = at_a_match(game, seats, 40)
    for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 2)):
        view: Any = moment.state.view(1)
        if 1 not in moment.state.to_move() or number % 3:
            continue
        legal = [to_map(action) for action in moment.state.legal_actions(1)]
        person.on_message(
            m.TurnUpdate(table="t1", n=number, turn=number, view=to_map(view), legal=legal, left=9.0, main=9.0)
        )
        person.ask_for_decisions()
        board = " ".join(texts(build_frame(person, 40, 20).board))
        hand = view.you.hand if hasattr(view, "you") else view.hand
        assert [card for card in hand if not stands_on(board, card, game)] == []
        handle_line(person, "1")


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_whole_match_fits_the_screen_and_leaves_room_for_the_log(game: Game, columns: int, rows: int) -> None:
    person = at_a_match(game, 4, columns)
    number = 0
    for number, moment in enumerate(random_match(game, 4, options_from(game, {}), 5)):
        if 1 not in moment.state.to_move() or number % 6:
            continue
        legal = [to_map(action) for action in moment.state.legal_actions(1)]
        view = to_map(moment.state.view(1))
        turn = m.TurnUpdate(table="t1", n=number + 2, turn=number, view=view, legal=legal, left=9.0, main=9.0)
        person.on_message(turn)
        person.ask_for_decisions()
        shown = build_frame(person, columns, rows)
        around = [*shown.board, shown.status, *shown.question, [("", shown.toolbar)]]
        assert all(text_columns(text) <= columns for text in texts(around))
        assert all(text_columns(text) <= (shown.board_width or columns) for text in texts(shown.board))
        taken = 3 + len(shown.question) + (0 if shown.board_width else len(shown.board))
        assert rows - taken >= 1
        assert (shown.board_width > 0) is (columns == 120)
        assert texts([shown.status])[0].startswith("Your turn")
        assert "".join(texts(shown.question)).startswith("Your turn: ")
        handle_line(person, "1")
    assert number > 20


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("rows", range(1, 12))
def test_on_a_terminal_of_a_few_rows_no_more_is_pinned_than_it_has(game: Game, rows: int) -> None:
    for columns in (20, 80, 120):
        person = at_a_match(game, 4, columns)
        moment = next(one for one in random_match(game, 4, options_from(game, {}), 5) if 1 in one.state.to_move())
        legal = [to_map(action) for action in moment.state.legal_actions(1)]
        view = to_map(moment.state.view(1))
        person.on_message(m.TurnUpdate(table="t1", n=2, turn=1, view=view, legal=legal, left=9.0, main=9.0))
        person.ask_for_decisions()
        for line in ("", "?", "nonsense"):
            handle_line(person, line)
            shown = build_frame(person, columns, rows)
            board = 0 if shown.board_width else len(shown.board)
            assert len(shown.question) + board <= max(rows - 3, 0), (columns, line)


def toy_frame(person: Person) -> Frame:
    person.settings.pinned = True
    return build_frame(person, 80, 24)


def test_what_changed_since_ones_last_decision_has_a_sign() -> None:
    person = seated(3, 5)
    assert not any(text.startswith("*") for text in texts(toy_frame(person).board))
    handle_line(person, "play 3")
    view = to_map(ToyView(2, (0, 1), (), (5,)))
    person.on_message(m.TurnUpdate(table="t1", n=3, turn=2, view=view, legal=[to_map(Play(5))], left=330.0, main=300.0))
    assert texts(toy_frame(person).board) == [" ann: 0", "*bob: 1", "*Hand: 5"]
    assert all(style in ("", "changed") for style, _text in (row[0] for row in toy_frame(person).board))


def test_a_board_that_is_drawn_in_fewer_lines_than_before_has_changed_only_where_it_says_something_else() -> None:
    game = all_games()["ikasamage"]
    person = at_a_match(game, 4, 80)
    moments = random_match(game, 4, options_from(game, {}), 5)
    assert person.seats.here is not None
    person.seats.here.before = person.seats.here.view = next(moments).state.view(1)
    heights = {len(board): height for height in range(40, 14, -1) if (board := build_frame(person, 80, height).board)}
    least_whole = heights[max(heights)]
    for moment in moments:
        person.seats.here.view = moment.state.view(1)
        shown = texts(build_frame(person, 80, least_whole).board)
        if len(shown) < max(heights):  # it has become longer, and so another drawing is taken
            break
    assert [text for text in shown if not text.startswith("*")] != []


def test_the_question_stays_and_the_title_and_the_bell_call() -> None:
    person = seated(3)
    shown = toy_frame(person)
    assert (shown.prompt, shown.title, shown.calls) == ("your turn> ", "Toy: your turn", 1)
    handle_line(person, "play 3")
    shown = toy_frame(person)
    assert (shown.prompt, shown.title, shown.calls, shown.question) == ("> ", "Toy", 1, [])


def test_the_status_says_whose_turn_it_is_and_what_each_seat_has_left_in_the_order_of_seats() -> None:
    moment = [0.0]
    person = seated(3, now=lambda: moment[0])
    handle_line(person, "play 3")
    assert person.seats.here is not None
    person.seats.here.update_clocks((m.SeatClock(2, 90.0, True, 120.0), m.SeatClock(1, 300.0)), 0.0)
    moment[0] = 15.0
    status = "Waiting for 2 bob. Time left: 1 ann 5:00  >2 bob 1:45"
    assert plain_text(toy_frame(person).status) == status
    assert plain_text(build_frame(person, 50, 20).status) == "Waiting for 2 bob. Time left: 1 5:00  >2 1:45"
    assert plain_text(build_frame(person, 38, 20).status) == "Time left: 1 ann 5:00  >2 bob 1:45"
    assert plain_text(build_frame(person, 30, 20).status) == "Time left: 1 5:00 >2 1:45"
    assert plain_text(build_frame(person, 20, 20).status) == "Left: 1 5:00 >2 1:45"
    assert "1:45" not in toy_frame(person).toolbar  # no time is shown twice
    person.seats.here.update_clocks((m.SeatClock(1, 90_000.0), m.SeatClock(2, 90_000.0, True, 90_000.0)), 15.0)
    assert plain_text(toy_frame(person).status) == "Waiting for 2 bob."


def test_in_a_pause_no_time_runs_nothing_is_done_alone_and_the_screen_says_how_it_ends() -> None:
    moment = [0.0]
    person = seated(3, now=lambda: moment[0])
    assert person.seats.here is not None
    person.seats.here.update_clocks((m.SeatClock(1, 300.0, True, 330.0), m.SeatClock(2, 90.0)), 0.0)
    moment[0] = 10.0
    (line,) = person.on_message(m.Paused(table="t1", n=3, seat=2, wanting=(2,), on=False)).lines
    assert plain_text(line) == "- bob asks for a pause: pause agrees."
    kind, fields = asked(person, "pause")
    assert (kind, fields) == (m.Pause, {"table": "t1"})
    person.on_message(m.Paused(table="t1", n=4, seat=1, wanting=(1, 2), on=True))
    person.seats.here.schedule_action(Play(3), 20.0)
    moment[0] = 900.0
    status = plain_text(toy_frame(person).status)
    assert status == "Paused: resume, or any decision, ends it. Time left: >1 ann 5:20  2 bob 1:30"
    assert person.time_warning().lines == []
    assert person.poll_effects().lines == []
    assert asked(person, "resume") == (m.Pause, {"table": "t1", "on": False})
    (line,) = person.on_message(m.Paused(table="t1", n=5, seat=2, wanting=(), on=False)).lines
    assert plain_text(line) == "- bob goes on; no pause now."
    assert person.seats.here.seconds_left(moment[0]) == 320.0
    assert [ask.fields["action"] for ask in person.poll_effects().asks] == [{"do": "play", "card": 3}]


def test_a_pinned_board_is_asked_for_quietly_when_something_happened_and_not_too_often() -> None:
    moment = [100.0]
    person = seated(3, now=lambda: moment[0])
    person.settings.pinned = True
    happened = m.Happened(table="t1", n=3, event={"what": "chose", "seat": 2})
    person.on_message(happened)
    asks = person.ask_for_decisions().asks
    assert [ask.kind for ask in asks] == [m.LookRequest, m.Clock]
    person.on_message(msgspec.structs.replace(happened, n=4))
    assert person.poll_effects().asks == []  # the first questions are not answered
    view = to_map(ToyView(1, (5, 0), (), (3,)))
    assert person.on_answer(asks[0], m.Position(re=1, table="t1", n=3, view=view)).lines == []
    assert person.on_answer(asks[1], m.Clocks(re=2, table="t1", clocks=())).lines == []
    assert " ann: 5" in texts(toy_frame(person).board)
    assert person.poll_effects().asks == []
    moment[0] += GAP_SECONDS
    assert [ask.kind for ask in person.poll_effects().asks] == [m.LookRequest, m.Clock]


def test_a_look_that_was_typed_is_shown() -> None:
    person = seated(3)
    person.settings.pinned = True
    (ask,) = handle_line(person, "look").asks
    view = to_map(ToyView(1, (5, 0), (), (3,)))
    assert texts(person.on_answer(ask, m.Position(re=1, table="t1", n=3, view=view)).lines)[0] == "ann: 5"


@pytest.mark.parametrize(("key", "text"), [("Ctrl-C", "leaves the match"), ("Ctrl-D", "a house bot plays on for you")])
def test_a_key_that_leaves_a_running_match_says_what_it_does(key: str, text: str) -> None:
    person = seated(3)
    assert text in leave_warning(person, key)
    person.on_message(m.Over(table="t1", n=3, results=(), reason="", text="", seed="", salt=""))
    assert leave_warning(person, key) == ""


def test_the_log_shows_its_end_or_what_one_scrolls_back_to() -> None:
    scroll = ScrollView()
    scroll.append_lines([[("", f"line {number}")] for number in range(10)])
    assert texts(scroll.visible_rows(40, 3)) == ["line 7", "line 8", "line 9"]
    scroll.scroll_by(4)
    assert texts(scroll.visible_rows(40, 3)) == ["line 3", "line 4", "-- 5 more below: Page Down --"]
    scroll.append_lines([[("", "line 10")]])
    assert texts(scroll.visible_rows(40, 3))[0] == "line 3"
    scroll.scroll_by(-99)
    assert texts(scroll.visible_rows(40, 2)) == ["line 9", "line 10"]
    scroll.scroll_by(99)
    assert texts(scroll.visible_rows(40, 2))[0] == "line 0"


def test_the_log_is_folded_anew_for_another_width() -> None:
    scroll = ScrollView()
    scroll.append_lines([[("", "one two three four five six seven")]])
    assert len(scroll.visible_rows(20, 9)) == 2
    assert len(scroll.visible_rows(60, 9)) == 1


def over(game: Game, *scores: int, table: str = "t1", reason: str = "money") -> m.Over:
    results = tuple(
        m.SeatResult(seat, f"player-{seat}", score, 1 + sum(other > score for other in scores))
        for seat, score in enumerate(scores, 1)
    )
    return m.Over(table=table, n=9, results=results, reason=reason, text="", seed="", salt="")


@pytest.mark.parametrize("columns", [200, 80, 45, 40])
def test_the_last_screen_says_who_won_by_how_much_and_what_may_be_typed(columns: int) -> None:
    game = all_games()["ikasamage"]
    person = at_a_match(game, 3, columns)
    person.on_message(over(game, 24, 0, 7))
    shown = build_frame(person, columns, 24)
    assert plain_text(shown.status) == "The match is over."
    text = " ".join(" ".join(texts(shown.question)).split())
    assert text == (
        "player-1 wins with 24 gold. 1. player-1 24 gold, 2. player-3 7 gold, 3. player-2 0 gold "
        "Type: rematch, review (F2) or quit."
    )
    with speaking("fr"):
        assert "player-2 0 pièce d'or" in " ".join(" ".join(texts(build_frame(person, columns, 24).question)).split())


def test_after_a_rematch_the_last_screen_has_the_running_total_of_these_players() -> None:
    game = all_games()["mages-110m"]
    person = at_a_match(game, 2, 80)
    person.on_message(over(game, 110, 60, reason="line"))
    person.on_message(msgspec.structs.replace(started(game, 2), table="t2"))
    assert person.seats.here is not None
    person.seats.switch_to("t2")
    person.on_message(over(game, 80, 110, table="t2", reason="line"))
    total = "After 2 matches: player-1 1 win (190 metres), player-2 1 win (170 metres)"
    assert total in texts(build_frame(person, 80, 24).question)


def test_a_match_that_was_aborted_has_no_result_on_the_last_screen() -> None:
    person = seated(3)
    person.on_message(m.Over(table="t1", n=3, results=(), reason="aborted", text="It was closed.", seed="", salt=""))
    assert texts(toy_frame(person).question) == ["It was closed.", "Type: rematch, review (F2) or quit."]


def test_on_a_narrow_screen_no_clock_is_cut_off_for_whose_turn_it_is() -> None:
    person = at_a_match(all_games()["ikasamage"], 4, 40)
    assert person.seats.here is not None
    for running, shown in ((1, ">1 4:54 2 5:00 3 5:00 4 5:00"), (4, "1 5:00 2 5:00 3 5:00 >4 4:54")):
        clocks = tuple(m.SeatClock(seat=seat, left=294.0, main=300.0, running=seat == running) for seat in range(1, 5))
        person.seats.here.update_clocks(clocks, 0.0)
        for columns in (34, 40):
            assert plain_text(build_frame(person, columns, 20).status).endswith(shown)


def test_the_sums_of_a_round_are_seen_whole_where_a_shorter_board_leaves_room_until_something_is_typed() -> None:
    game = all_games()["cheaty-mages"]
    person = at_a_match(game, 4, 80)
    assert person.seats.here is not None
    for moment in random_match(game, 4, options_from(game, {}), 5):
        person.seats.here.view = moment.state.view(1)
        if sums := person.seats.here.round_sum_lines():
            break
    scroll = ScrollView()
    scroll.append_lines(sums)
    shown = build_frame(person, 80, 24)
    log = 24 - 3 - len(shown.question) - len(shown.board)
    assert texts(scroll.visible_rows(80, log))[0].startswith("Round 1 adds up")
    assert any("Hand: " in text for text in texts(shown.board))
    handle_line(person, "")
    assert len(build_frame(person, 80, 24).board) > len(shown.board)


def test_clocks_alone_change_the_rows_that_are_said_to_change_with_time_and_nothing_else() -> None:
    now = 0.0
    person = seated(3, 5, now=lambda: now)
    assert person.seats.here is not None
    clocks = tuple(m.SeatClock(seat=seat, left=330.0, main=300.0, running=seat == 1) for seat in (1, 2))
    person.seats.here.update_clocks(clocks, now)
    first = toy_frame(person)
    assert clock_rows(person, 80) == first.clocks == (plain_text(first.status), first.toolbar)
    now = 0.4
    assert clock_rows(person, 80) != first.clocks  # less is left
    now = 0.9
    assert clock_rows(person, 80) == toy_frame(person).clocks
    assert (first.board, first.question) == (toy_frame(person).board, toy_frame(person).question)


def test_who_reads_back_sees_the_same_when_the_width_changes() -> None:
    scroll = ScrollView()
    scroll.append_lines([[("", f"line {number} of a long evening with friends")] for number in range(50)])
    scroll.visible_rows(80, 10)
    scroll.scroll_by(20)
    assert texts(scroll.visible_rows(80, 10))[-2] == "line 28 of a long evening with friends"
    assert texts(scroll.visible_rows(20, 10))[-3:-1] == ["line 29 of a long", "  evening with"]
    scroll.append_lines([[("", "one more")]])
    assert texts(scroll.visible_rows(80, 10))[-2] == "line 28 of a long evening with friends"


def test_the_log_of_a_long_evening_forgets_its_beginning() -> None:
    scroll = ScrollView()
    for part in range(25):
        scroll.append_lines([[("", f"line {part * 1_000 + number}")] for number in range(1_000)])
        assert texts(scroll.visible_rows(40, 1)) == [f"line {part * 1_000 + 999}"]
    scroll.scroll_by(10**6)
    assert texts(scroll.visible_rows(40, 2))[0] != "line 0"
    assert len(scroll._lines) < 12_000


def test_an_answer_longer_than_the_log_stands_in_the_boards_place_until_something_is_typed() -> None:
    person = seated(3, 5)
    person.page.answer = [[("", f"line {number}")] for number in range(1, 14)]
    assert texts(toy_frame(person).board)[0].strip() == "ann: 0"  # a small board leaves room for it
    person.page.answer = [[("", f"line {number}")] for number in range(1, 30)]
    shown = toy_frame(person)
    assert texts(shown.board)[:2] == ["line 1", "line 2"]
    assert texts(shown.board)[-1] == "-- 9 more rows: Page Down --"
    assert shown.toolbar == " Enter shows the board again"
    turn_page(person, 99, shown)
    assert texts(toy_frame(person).board)[-1] == "line 29"
    handle_line(person, "")
    assert texts(toy_frame(person).board)[0].strip() == "ann: 0"
    assert toy_frame(person).longer is None
    scroll = ScrollView()
    scroll.append_lines([[("", "bob plays")], *shown.paged])
    scroll.remove_lines(shown.paged)
    assert texts(scroll.visible_rows(80, 5)) == ["bob plays"]  # a page that was read does not hide what happened


def test_page_down_shows_what_was_not_seen_yet_and_one_row_that_was() -> None:
    person = seated(3, 5)
    person.page.answer = [[("", f"line {number}")] for number in range(1, 90)]
    first = toy_frame(person)
    turn_page(person, 5, first)
    second = toy_frame(person)
    assert texts(second.board)[0] == texts(first.board)[-2]
    turn_page(person, -5, second)
    assert toy_frame(person) == first


@pytest.mark.parametrize("count", [1, 2, 3])
def test_on_a_short_screen_the_log_has_room_for_a_short_answer(count: int) -> None:
    game = all_games()["magecraft"]
    person = at_a_match(game, 4, 60)
    assert person.seats.here is not None
    person.seats.here.view = next(random_match(game, 4, options_from(game, {}), 5)).state.view(1)
    person.page.answer = [[("", f"line {number}")] for number in range(count)]
    for height in range(12, 24):
        assert len(build_frame(person, 60, height).board) <= height - 3 - count


def test_a_warning_before_a_key_leaves_is_seen_whole() -> None:
    person = seated(3)
    assert prepare_leave_warning(person, "Ctrl-C") == plain_text(person.page.answer[0]) != ""


def test_on_a_narrow_screen_the_question_is_not_cut_where_there_is_room() -> None:
    game = all_games()["mages-110m"]
    person = at_a_match(game, 4, 60)
    person.settings.pinned = True
    moment = next(random_match(game, 4, options_from(game, {}), 5))
    view, legal = moment.state.view(1), list(moment.state.legal_actions(min(moment.state.to_move())))
    with speaking("fr"):
        turn = m.TurnUpdate(
            table="t1", n=2, turn=1, view=to_map(view), legal=[to_map(one) for one in legal], left=9.0, main=9.0
        )
        person.on_message(turn)
        person.ask_for_decisions()
        asked = " ".join(text.strip() for text in texts(build_frame(person, 60, 24).question))
        assert asked.endswith(game.words.decision_prompt(view, legal))


def test_a_lost_connection_is_said_as_long_as_it_lasts() -> None:
    person = seated(3)
    person.lost = True
    assert plain_text(toy_frame(person).status) == "The connection is lost; the client comes back by itself."


def test_who_is_at_no_table_reads_what_to_type_on_a_narrow_screen_too() -> None:
    person = Person("ann", all_games(), PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0)))
    assert (
        plain_text(build_frame(person, 80, 24).status)
        == "At no table: tables lists them, open GAME makes one, h is help."
    )
    assert plain_text(build_frame(person, 60, 18).status) == "At no table: tables, open GAME, h"


def test_the_log_grows_for_a_short_answer() -> None:
    person = at_a_match(all_games()["ikasamage"], 4, 40)
    moment = next(random_match(all_games()["ikasamage"], 4, options_from(all_games()["ikasamage"], {}), 5))
    assert person.seats.here is not None
    person.seats.here.view = moment.state.view(1)
    board = len(build_frame(person, 40, 20).board)
    person.page.answer = [[("", f"line {number}")] for number in range(1, 7)]
    shown = build_frame(person, 40, 20)
    assert shown.longer is None
    assert len(shown.board) <= 20 - 3 - 6 < board
