"""What is heard of a table waits for the table's cards; what cannot be played is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Game
from matches.admission import Admission, AtTable, KnownGames, Match, UnplayableMatch
from protocol import messages as m
from tests.helpers.toy import TOY, ToyGame


class Printed(ToyGame):
    """The toy game with another card file, which is its digest, too."""

    def __init__(self, text: str) -> None:
        self.cards_digest = text


class Plain(ToyGame):
    """The toy game with its own cards, which another card file may replace."""

    def with_cards(self, text: str) -> Game:
        return Printed(text)


class SlowLink:
    """Keeps each question until it is answered."""

    def __init__(self) -> None:
        self.questions: list[tuple[m.Request, Callable[[m.Reply], None]]] = []

    def post(self, request: m.Request, take: Callable[[m.Reply], None]) -> None:
        self.questions.append((request, take))

    def answer(self, source: str) -> None:
        request, take = self.questions.pop(0)
        assert isinstance(request, m.Cards)
        take(m.CardList(game=request.game, cards=(), source=source))


class Room:
    """Who stands behind the admission, and what they heard."""

    def __init__(self, game: Game = TOY) -> None:
        self.games = KnownGames({game.id: game})
        self.heard: list[AtTable] = []
        self.refused: list[str] = []
        self.link = SlowLink()
        self._admission = Admission(self.games, self.heard.append, self._refuse)

    def _refuse(self, match: Match, why: UnplayableMatch) -> None:
        self.refused.append(f"{match.table}: {why}")

    def take(self, *messages: AtTable) -> None:
        for message in messages:
            self._admission.process_message(self.link, message)


def joined(table: str, game: str) -> m.TableReply:
    return m.TableReply(info=info_of(table, game), seat=1)


def info_of(table: str, game: str) -> m.TableInfo:
    return m.TableInfo(
        table=table, game=game, state="open", owner="ann", seats=(), clock=m.ClockRule(), options={}, commitment=""
    )


def started(table: str, cards: str = "", game: str = "toy", version: str = TOY.rules_version) -> m.MatchStarted:
    return m.MatchStarted(
        table=table,
        n=1,
        game=game,
        rules_version=version,
        options={},
        seats=(),
        clock=m.ClockRule(),
        commitment="",
        nonces=("",),
        grace=1.0,
        you=1,
        cards=cards,
    )


def event(table: str, n: int) -> m.Happened:
    return m.Happened(table=table, n=n, event={})


def test_a_table_waits_for_its_cards_and_the_others_do_not_wait_for_it() -> None:
    room = Room(Plain())
    slow, quick = [started("t1", "owl"), event("t1", 2), event("t1", 3)], [started("t2"), event("t2", 2)]
    room.take(*slow, *quick)
    assert room.heard == quick
    room.link.answer("owl")
    assert room.heard == quick + slow
    assert room.games.game_of(started("t1", "owl")).cards_digest == "owl"
    assert room.games.game_of(started("t2")).cards_digest == ""


def test_cards_are_asked_for_once_however_many_matches_are_played_with_them() -> None:
    room = Room(Plain())
    room.take(started("t1", "owl"))
    room.link.answer("owl")
    room.take(started("t2", "owl"), started("t3"), started("t4", "owl"))
    assert len(room.heard) == 4
    assert room.link.questions == []


def test_what_waited_for_cards_that_do_not_come_is_dropped() -> None:
    room = Room(Plain())
    room.take(started("t1", "owl"), event("t1", 2))
    room.link.answer("fox")
    assert (room.heard, room.refused) == ([], ["t1: The server's cards are not those of the match."])


def test_a_server_that_does_not_show_its_cards_is_told_in_a_sentence() -> None:
    room = Room(Plain())
    room.take(started("t1", "owl"))
    room.link.questions[0][1](m.Error(code="internal", text="The cards burnt."))
    assert room.refused == ["t1: The server does not show the cards that it plays with. The cards burnt."]


def test_an_unknown_game_and_other_rules_are_refused() -> None:
    room = Room()
    room.take(started("t1", game="chess"), event("t1", 2), started("t2", version="0"), event("t2", 2))
    assert room.heard == []
    assert room.refused == [
        "t1: This program does not know the game chess; it has: toy.",
        f"t2: The server plays toy by other rules than this program (version 0 there, {TOY.rules_version} here).",
    ]


def test_a_refused_table_is_refused_again_when_it_is_joined_again() -> None:
    room = Room()
    room.take(joined("t1", "chess"), m.TableChanged(info=info_of("t1", "chess")))
    assert len(room.refused) == 1
    room.take(joined("t1", "chess"))
    assert len(room.refused) == 2
    assert room.heard == []


def test_a_table_that_was_refused_is_heard_once_a_match_begins_there_that_can_be_played() -> None:
    room = Room()
    room.take(started("t1", game="chess"), event("t1", 2))
    assert (len(room.refused), room.heard) == (1, [])
    again = [started("t1"), event("t1", 2)]
    room.take(*again)
    assert room.heard == again
