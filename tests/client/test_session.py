"""A person's visit over a link: what they type is played, what they miss is shown, what they leave is played on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from typing import cast

import msgspec
import pytest
import trio
import trio.testing

from bots.sdk.link import Identity, Link, LinkLost, LinkRestored, open_link
from bots.sdk.seat import take_seat
from bots.sdk.tokens import Tokens
from client.exit_codes import INTERRUPTED
from client.screen.screen import InputLine, Interrupted
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.api import Game, StyledLine, to_map
from games.registry import all_games
from people.person import Person
from people.render import plain_text
from people.settings import PersonSettings
from protocol import messages as m
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, PatientLink, new_person, play_toy
from tests.helpers.scissors import Scissors, dial_to
from tests.helpers.toy import ToyGame, ToyView
from tests.people.at_a_table import open_table, seated


async def test_typed_lines_play_a_match(hall: Hall) -> None:
    screen = PaperScreen(["?", "1", "?", "1", "?", "1"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("Your turn:") == 3
    assert screen.count("The match is over.") == 1
    assert screen.count("house bot") == 0


async def test_a_line_that_stands_for_several_actions_is_played_turn_by_turn(hall: Hall) -> None:
    first = PaperScreen(["look"], open_end=False)
    await play_toy(hall, first)
    hand = next(line for line in first.shown if line.startswith("Hand: ")).removeprefix("Hand: ")
    screen = PaperScreen([f"play {hand}"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("Your turn:") == 1


async def test_the_rest_of_a_line_is_dropped_when_it_is_not_legal(hall: Hall) -> None:
    first = PaperScreen(["look"])
    await play_toy(hall, first)
    card = next(line for line in first.shown if line.startswith("Hand: ")).split()[1]
    screen = PaperScreen([f"play {card} {card}"])
    await play_toy(hall, screen)
    assert screen.count(f"! Not done, as it is not legal now: play {card}") == 1


async def test_at_the_end_of_the_input_a_house_bot_plays_on(hall: Hall) -> None:
    screen = PaperScreen(["?", "1"])
    assert await play_toy(hall, screen) == 0
    assert screen.count("a house bot plays on for you") == 1
    assert screen.count("Played for you: play") == 2
    assert screen.count("The match is over.") == 1


async def test_a_refused_action_is_explained_and_asked_for_again(hall: Hall) -> None:
    screen = PaperScreen(["play 99", "?", "1", "?", "1", "?", "1"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("! You do not have that card.") == 1


async def test_what_was_missed_while_the_connection_was_lost_is_shown_once(hall: Hall) -> None:
    whole = PaperScreen(["1"] * 6, open_end=True)
    uncut = Scissors()
    await play_toy(hall, whole, uncut)
    events = [line for line in whole.shown if line.startswith("* ")]
    lines = uncut.received.count(b"\n")
    assert lines > 10
    for cut in range(4, lines - 1):  # the last line answers a question about the end
        screen = PaperScreen(["1"] * 6, open_end=True)
        scissors = Scissors(cut)
        assert await play_toy(hall, screen, scissors) == 0
        assert [line for line in screen.shown if line.startswith("* ")] == events
        assert scissors.connections == 2
        assert screen.count("The connection is lost") == 1
        assert screen.count("Connected again") == 1


async def test_quit_says_goodbye_and_ends_well(hall: Hall) -> None:
    screen = PaperScreen(["?", "1", "quit"], open_end=True)
    assert await play_toy(hall, screen) == 0
    assert screen.count("The match is over.") == 0
    assert screen.count("Goodbye. Your seat is held for a while") == 1


async def test_nobody_plays_on_for_who_quit_though_the_input_ends_there_too(hall: Hall) -> None:
    screen = PaperScreen(["?", "1", "quit"])
    assert await play_toy(hall, screen) == 0
    assert screen.count("Goodbye.") == 1
    assert screen.count("a house bot plays on for you") == 0


async def test_who_presses_ctrl_c_has_left_and_lost_no_connection(hall: Hall) -> None:
    class Impatient(PaperScreen):
        async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
            await super().read_lines(typed)
            await trio.testing.wait_all_tasks_blocked()
            raise Interrupted

    other = PaperScreen(open_end=True)
    visits = {
        "bob": ClientSession(new_person("bob"), other),
        "ann": ClientSession(new_person("ann"), Impatient(["say bye"])),
    }
    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        for name, visit in visits.items():
            visit.attach_link(await stack.enter_async_context(open_link(dial_to(hall), Identity(name), hearer=visit)))
            visit.person.settings.starts_when_full = True
            await (visit.request(m.Join, {"table": "t1"}) if name == "ann" else visit.request(m.Open, {"game": "toy"}))
        nursery.start_soon(visits["bob"].run)
        await trio.testing.wait_all_tasks_blocked()
        assert await visits["ann"].run() == INTERRUPTED
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert other.count("- ann left; the seat is held.") == 1
    assert other.count("lost the connection") == 0


async def test_a_match_with_an_owners_cards_is_shown_with_them(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    game = all_games()["mages-110m"]
    cards = game.rules.with_name("cards.toml").read_text(encoding="utf-8")
    titles = {f'en = "{card.title}"': f'en = "Own {card.title}"' for card in game.cards()}
    for old, new in titles.items():
        cards = cards.replace(old, new)
    own = Hall(nursery, Config(port=0), {game.id: game.with_cards(cards)})
    screen = PaperScreen()
    visit = ClientSession(
        Person(
            "ann", {game.id: game}, PersonSettings(now=trio.current_time, width=lambda: 80, stand_ins=LocalStandIns(0))
        ),
        screen,
    )
    visit.ends_with_match = visit.person.settings.starts_when_full = True
    async with open_link(dial_to(own), Identity("ann"), hearer=visit) as link:
        visit.attach_link(link)
        await visit.request(m.Open, {"game": game.id, "seats": 2})
        await visit.request(m.Add, {"table": "t1", "bot": "first"})
        assert await visit.run() == 0
    assert screen.count("You draw Own ") > 0
    assert screen.count("The match is over.") == 1


class NewerToy(ToyGame):
    """The toy game by rules that this program does not have."""

    rules_version = "newer"


async def test_a_match_by_other_rules_ends_the_visit_with_one_sentence(hall: Hall) -> None:
    hall.lobby.games = {"toy": NewerToy()}
    screen = PaperScreen(["?", "1"], open_end=True)
    assert await play_toy(hall, screen) == 1
    assert screen.count("The server plays toy by other rules than this program (version newer there, 1 here).") == 1
    assert screen.count("Your turn:") == 0


async def test_who_comes_back_to_a_match_by_other_rules_is_told_so_and_waits_for_nothing(hall: Hall) -> None:
    hall.lobby.games = {"toy": NewerToy()}
    table = hall.lobby.open_table("toy", 2, "", {}, m.ClockRule())
    tokens = Tokens()
    async with open_link(dial_to(hall), Identity("ann"), tokens) as link:
        await take_seat(link, table=table.id)
        hall.lobby.add_bot(table, "first")
        hall.lobby.start_match(table)
    screen = PaperScreen(open_end=True)
    visit = ClientSession(new_person(), screen)
    async with open_link(dial_to(hall), Identity("ann"), tokens, hearer=visit) as link:
        visit.attach_link(link)
        with trio.fail_after(30):
            await visit.wait_until_seated()
            assert await visit.run() == 1
    assert screen.count("by other rules") == 1


async def test_who_plays_elsewhere_leaves_a_match_by_other_rules_and_plays_on(hall: Hall) -> None:
    screen = PaperScreen(["?", "1", "?", "1", "?", "1"], open_end=True)
    visit = ClientSession(new_person(), screen)
    visit.person.settings.starts_when_full = True
    async with open_link(dial_to(hall), Identity("ann"), hearer=visit) as link:
        visit.attach_link(link)
        for _table in range(2):
            await visit.request(m.Open, {"game": "toy", "seats": 2})
            hall.lobby.games = {"toy": NewerToy()}  # the second table plays by these
        await visit.request(m.Add, {"table": "t2", "bot": "first"})
        await visit.request(m.Add, {"table": "t1", "bot": "first"})
        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(visit.run)
                await hall.lobby.tables["t1"].done.wait()
                await trio.testing.wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()
    assert screen.count("Table t2: The server plays toy by other rules") == 1
    assert screen.count("You left t2.") == 1
    assert screen.count("The connection is lost") == 0
    assert screen.count("The match is over.") == 1


class OtherCards(ToyGame):
    """A toy game whose cards become others than those that are wanted, whatever the card file says."""

    def with_cards(self, text: str) -> Game:
        game = OtherCards()
        game.cards_digest = "others"
        return game


class EagerLink:
    """Answers each question for cards at once, with a card file."""

    def __init__(self) -> None:
        self.asked = 0

    def post(self, request: m.Request, take: Callable[[m.Reply], None]) -> None:
        self.asked += 1
        if self.asked < 50:
            take(m.CardList(re=request.id, game="toy", cards=(), source="a file"))


async def test_cards_that_are_not_those_of_the_match_end_the_visit_and_are_asked_for_once() -> None:
    screen, link = PaperScreen(), EagerLink()
    visit = ClientSession(
        Person("ann", {"toy": OtherCards()}, PersonSettings(now=float, width=lambda: 80, stand_ins=LocalStandIns(0))),
        screen,
    )
    info = m.TableInfo(
        table="t1",
        game="toy",
        state="open",
        owner="ann",
        seats=(),
        clock=m.ClockRule(),
        options={},
        commitment="",
        cards="wanted",
    )
    visit.on_message(cast(Link, link), m.Seated(info=info, seat=1))
    assert link.asked == 1
    assert screen.count("The server's cards are not those of the match.") == 1
    assert visit._finished.is_set()


async def test_a_person_reads_one_line_about_a_server_that_is_away_for_long(hall: Hall) -> None:
    screen = PaperScreen()
    visit = ClientSession(new_person(), screen)
    link = cast(Link, object())
    for seconds in (0.25, 0.5, 1.0):
        visit.on_message(link, LinkLost("Connection refused", seconds))
    assert screen.count("The connection is lost") == len(screen.shown) == 1
    assert visit.person.lost
    visit.on_message(link, LinkRestored())
    assert not visit.person.lost
    visit.on_message(link, LinkLost("The server is stopping.", 0.25))
    assert screen.count("The connection is lost (The server is stopping). Reconnecting") == 1


async def test_who_left_comes_back_by_join_which_takes_no_finished_table(hall: Hall) -> None:
    screen = PaperScreen(open_end=True)
    visit = ClientSession(new_person(), screen)
    visit.person.settings.starts_when_full = True

    async def typed_there(*lines: str) -> None:
        for line in lines:
            await visit._carry_out(InputLine(line))
            await trio.testing.wait_all_tasks_blocked()

    async with open_link(dial_to(hall), Identity("ann"), hearer=visit) as link:
        visit.attach_link(link)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(visit.run)
            await typed_there("open toy 2", "add first", "?", "1", "leave")
            assert screen.count("join t1 brings you back") == 1
            await typed_there("watch t1")
            assert screen.count("You are back at t1, seat 1.") == 1
            await typed_there("leave", "join")
            assert screen.count("You are back at t1, seat 1.") == 2
            asked = screen.count("Your turn: ")
            await typed_there("?", "1", "?", "1", "join")
            assert screen.count("Your turn: ") == asked + 1
            assert screen.count("The match is over.") == 1
            assert screen.count("! No table is open now") == 1
            await (await hall.player("bob")).ask("open", game="toy", seats=3)
            await typed_there("join")
            assert screen.count("t2   toy, open: 1 bob, 2 ann, 3 (empty)") == 1
            nursery.cancel_scope.cancel()


async def test_a_rematch_is_opened_by_who_wants_it_first_and_joined_by_the_others_and_followed(hall: Hall) -> None:
    screens = {name: PaperScreen(open_end=True) for name in ("ann", "bob", "eve")}
    visits = {name: ClientSession(new_person(name), screen) for name, screen in screens.items()}

    async def typed_by(name: str, *lines: str) -> None:
        for line in lines:
            await visits[name]._carry_out(InputLine(line))
            await trio.testing.wait_all_tasks_blocked()

    async with trio.open_nursery() as nursery, AsyncExitStack() as stack:
        for name, visit in visits.items():
            visit.person.settings.starts_when_full = True
            visit.attach_link(await stack.enter_async_context(open_link(dial_to(hall), Identity(name), hearer=visit)))
            nursery.start_soon(visit.run)
        await typed_by("ann", "rematch")
        assert screens["ann"].count("! A rematch is for those who have played") == 1
        await typed_by("ann", "open toy 3", "add first")
        await typed_by("eve", "watch t1")
        await typed_by("bob", "join")
        for _turn in range(3):
            await typed_by("ann", "?", "1")
            await typed_by("bob", "?", "1")
        assert screens["bob"].count("The match is over.") == 1
        await typed_by("bob", "rematch")
        assert screens["ann"].count("bob: Rematch? Type rematch.") == 1
        assert screens["bob"].count("t2   toy, open: 1 bob, 2 (empty), 3 first") == 1
        assert screens["ann"].count("bob: The rematch is at t2.") == 1
        await trio.sleep(4)
        assert screens["eve"].count("The rematch is at t2, and you watch it.") == 1
        assert screens["eve"].count("You watch t2.") == 1
        await typed_by("ann", "rematch")
        for name in screens:
            assert screens[name].count("The match begins: 1 bob, 2 ann, 3 first.") == 1, name
        nursery.cancel_scope.cancel()


async def test_what_is_typed_does_not_wait_behind_what_was_pasted_for_later_turns(hall: Hall) -> None:
    visit = ClientSession(
        new_person("zoe"), PaperScreen(["play 3", "play 4"], open_end=True, typed=["say hello", "quit"])
    )
    async with open_link(dial_to(hall), Identity("zoe"), face="json", hearer=visit) as link:
        visit.attach_link(link)
        bob = await hall.player("bob")
        await bob.ask("open", game="toy", seats=2)
        await visit.request(m.Join, {"table": "t1"})
        await bob.ask("start", table="t1")
        turn = await bob.next("turn")
        await visit._until(lambda: visit.person.seats.here is not None and visit.person.seats.here.turn is not None)
        with trio.fail_after(100):
            assert await visit.run() == 0
    assert turn["turn"] == 1


@pytest.mark.parametrize(("before", "resigned"), [([], True), (["play 3"], False)])
async def test_a_command_typed_close_behind_another_waits_only_for_lines_that_wait(
    hall: Hall, before: list[str], resigned: bool
) -> None:
    screen = PaperScreen([*before, "resign", "resign"], open_end=True)
    screen.interactive = True
    visit = ClientSession(new_person("zoe"), screen)
    async with open_link(dial_to(hall), Identity("zoe"), face="json", hearer=visit) as link:
        visit.attach_link(link)
        bob = await hall.player("bob")
        await bob.ask("open", game="toy", seats=2)
        await visit.request(m.Join, {"table": "t1"})
        visit.person.settings.starts_when_full = False
        await bob.ask("start", table="t1")
        await visit._until(lambda: visit.person.seats.here is not None and visit.person.seats.here.turn is not None)
        assert visit.person.seats.here is not None
        visit.person.seats.here.turn = None  # nothing is to be decided
        with trio.move_on_after(1):
            await visit.run()
    assert (screen.count("You gave the match up.") == 1) is resigned


async def test_a_pasted_line_waits_for_the_answer_to_the_line_before() -> None:
    visit, link = (
        ClientSession(new_person("ann"), PaperScreen(["open toy 2", "add first"], open_end=True)),
        PatientLink(),
    )
    visit._link = cast(Link, link)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit._obey)
        await trio.testing.wait_all_tasks_blocked()
        assert set(link.asked) == {m.Open}
        info = msgspec.structs.replace(open_table("toy"), table="t7")
        link.asked[m.Open](m.TableReply(re=1, info=info, seat=1))
        await trio.testing.wait_all_tasks_blocked()
        assert m.Add in link.asked
        nursery.cancel_scope.cancel()


async def test_an_answer_that_was_typed_before_its_question_stood_there_is_not_given() -> None:
    person, link, screen = seated(3, 5), PatientLink(), PaperScreen()
    visit = ClientSession(person, screen)
    visit._link = cast(Link, link)
    asked = person.prompt.calls
    await visit._carry_out(InputLine("play 3", calls=asked - 1))
    assert link.asked == {}
    assert screen.shown[-1] == "`play 3` was typed before this question appeared. Type it again."
    await visit._carry_out(InputLine("look", calls=asked - 1))
    assert set(link.asked) == {m.LookRequest}
    await visit._carry_out(InputLine("play 3", calls=asked))
    assert set(link.asked) == {m.LookRequest, m.Act}


async def test_a_look_that_was_typed_has_the_room_of_an_answer() -> None:
    person, link = seated(1), PatientLink()
    person.settings.pinned = True
    visit = ClientSession(person, PaperScreen())
    visit._link = cast(Link, link)
    await visit._carry_out(InputLine("look"))
    link.asked[m.LookRequest](m.Position(table="t1", n=3, view=to_map(ToyView(1, (5, 0), (), (1,)))))
    assert [plain_text(line) for line in person.page.answer] == ["ann: 5", "bob: 0", "Hand: 1"]


async def test_where_nothing_happens_nothing_is_drawn_but_clocks(
    hall: Hall, autojump_clock: trio.testing.MockClock
) -> None:
    class Watched(PaperScreen):
        pinned = True
        drawn = ticks = 0

        def show_lines(self, lines: Iterable[StyledLine]) -> None:
            self.drawn += 1
            super().show_lines(lines)

        def redraw_clocks(self) -> None:
            self.ticks += 1

    screen = Watched(open_end=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_toy, hall, screen)
        await trio.sleep(3)
        before = screen.drawn
        await trio.sleep(20)
        nursery.cancel_scope.cancel()
    assert before > 0
    assert screen.drawn == before
    assert screen.ticks > 40
