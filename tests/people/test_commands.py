"""Typed commands and the requests that they stand for, without a server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from people.text.lookup import expand_word, is_too_long, split_command
from people.text.reading import is_command, letter_abbreviations, parse_typed_line
from people.text.typing_context import AwaitedDecision, LocalCommand, RequestDraft, TypedMemory, TypingContext
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import ClockRule

GAMES = ("toy", "chess")
LEGAL: list[dict[str, Any]] = [{"do": "pass"}, {"do": "play", "card": 3}]


def understood(line: str) -> list[dict[str, Any]]:
    """A game whose actions are `pass` and `play 3`, of which a line may have several."""
    words: dict[str, dict[str, Any]] = {"pass": LEGAL[0], "play 3": LEGAL[1]}
    try:
        return [words[part.strip()] for part in line.split(";")]
    except KeyError:
        raise Refusal("unreadable", f"There is no {line!r}.") from None


DECISION = AwaitedDecision("t1", 5, choices=2, listed=lambda place: LEGAL[place], said=str, read=understood)
NOWHERE = TypingContext(games=GAMES, tables=lambda state: {"open": ["t7"], "playing": ["t8", "t9"]}.get(state, ()))
AT_A_TABLE = TypingContext(
    games=GAMES, tables=lambda _state: (), table="t1", game="toy", forms="pass\nplay CARD", nonce="n0nce",
    decision=lambda: DECISION, aim="Have most.", hint=lambda: "Play 3.", delay=lambda table: 90 * (table == "t2"),
)  # fmt: skip


def asked(line: str, where: TypingContext, memory: TypedMemory | None = None) -> tuple[object, object] | str:
    """The request and its fields, or the sentence that answers at once."""
    meant = parse_typed_line(line, where, memory or TypedMemory())
    assert not isinstance(meant, LocalCommand)
    return (meant.kind, meant.fields) if isinstance(meant, RequestDraft) else meant


def refused(line: str, where: TypingContext) -> tuple[str, str]:
    with pytest.raises(Refusal) as refusal:
        parse_typed_line(line, where, TypedMemory())
    return refusal.value.code.name, refusal.value.text


CUP = {"cup": "may"}


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("hello ann", m.Hello, {"name": "ann", "code": "", "client": "text"}),
        ("hello ann c0de", m.Hello, {"name": "ann", "code": "c0de", "client": "text"}),
        ("help  open   toy", m.Help, {"topic": "open toy"}),
        ("lang fr", m.Lang, {"lang": "fr"}),
        ("rules chess", m.Rules, {"game": "chess", "about": "contents"}),
        ("rules chess two words", m.Rules, {"game": "chess", "about": "two words"}),
        ("cards chess old orb", m.Cards, {"game": "chess", "name": "old orb"}),
        ("who ann", m.Who, {"name": "ann"}),
        ("who after ann", m.Who, {"after": "ann"}),
        ("stats ann", m.Stats, {"name": "ann"}),
        ("open toy 3 delay=3m a=x", m.Open, {"game": "toy", "seats": 3, "options": {"a": "x"}, "delay": 180}),
        ("open toy --delay 60s --b=12", m.Open, {"game": "toy", "seats": 0, "options": {"b": 12}, "delay": 60}),
        (
            "open toy a=off b=true c=false d=no e=yes f=9",
            m.Open,
            {
                "game": "toy", "seats": 0, "delay": 0,
                "options": {"a": False, "b": True, "c": False, "d": False, "e": True, "f": 9},
            },
        ),
        ("join", m.Join, {"table": "t7", "seat": 0, "nonce": "", "delay": 0}),
        ("bots chess", m.Bots, {"game": "chess"}),
        ("bots", m.Bots, {"game": ""}),
        ("watch t8", m.Watch, {"table": "t8"}),
        ("look t9", m.LookRequest, {"table": "t9"}),
        ("replay t9 12", m.Replay, {"table": "t9", "after": 12}),
        ("replay t9", m.Replay, {"table": "t9", "after": 0}),
        ("say hm", m.Say, {"text": "hm", "table": ""}),
        ("'hm", m.Say, {"text": "hm", "table": ""}),
        ("kick ann t9", m.Kick, {"player": "ann", "table": "t9"}),
        ("mute ann all", m.Mute, {"player": "ann", "table": ""}),
        ("unmute ann t9", m.Mute, {"player": "ann", "table": "t9", "off": True}),
        ("close t9", m.Close, {"table": "t9"}),
        ("operator w0rd", m.Operator, {"word": "w0rd"}),
        ("cup show may", m.CupRequest, CUP),
        ("cup open may toy", m.CupOpen, {**CUP, "game": "toy", "options": {}}),
        ("cup open may toy late_entry=yes", m.CupOpen, {**CUP, "game": "toy", "late_entry": True, "options": {}}),
        (
            "cup create may toy 3 rounds=4 format=swiss deals=fresh clock=60+10 a=on",
            m.CupOpen,
            {
                **CUP, "game": "toy", "seats": 3, "rounds": 4, "format": "swiss", "deals": "fresh",
                "clock": ClockRule(main=60.0, increment=10.0), "options": {"a": True},
            },
        ),
        ("cup invite may ann", m.CupInvite, {**CUP, "player": "ann"}),
        ("cup replace may ann bob", m.CupReplace, {**CUP, "entrant": "ann", "player": "bob"}),
        ("cup kick may ann", m.CupKick, {**CUP, "entrant": "ann"}),
        ("cup clock may ann", m.CupClock, {**CUP, "entrant": "ann", "clock": None}),
        ("cup clock may ann 5+1", m.CupClock, {**CUP, "entrant": "ann", "clock": ClockRule(main=5.0, increment=1.0)}),
        ("enter may", m.CupEnter, {**CUP, "tables": 1, "nonce": ""}),
        ("enter may 3", m.CupEnter, {**CUP, "tables": 3, "nonce": ""}),
        ("enter may tables=3", m.CupEnter, {**CUP, "tables": 3, "nonce": ""}),
        ("follow may", m.Follow, CUP),
        ("unfollow may", m.Follow, {**CUP, "off": True}),
        ("HELP", m.Help, {"topic": ""}),
        ("/help", m.Help, {"topic": ""}),
        ("?", m.Help, {"topic": ""}),
    ],
)  # fmt: skip
def test_a_command_is_a_request_also_at_no_table(line: str, kind: type[m.Request], fields: dict[str, Any]) -> None:
    assert asked(line, NOWHERE) == (kind, fields)


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("join t3 2", m.Join, {"table": "t3", "seat": 2, "nonce": "n0nce", "delay": 0}),
        ("cards orb", m.Cards, {"game": "toy", "name": "orb"}),
        ("rules the orb", m.Rules, {"game": "toy", "about": "the orb"}),
        ("bots", m.Bots, {"game": "toy"}),
        ("add greedy 2", m.Add, {"table": "t1", "bot": "greedy", "seat": 2}),
        ("start", m.Start, {"table": "t1", "nonce": "n0nce"}),
        ("hands", m.Hands, {"table": "t1"}),
        ("look", m.LookRequest, {"table": "t1"}),
        ("legal", m.Legal, {"table": "t1"}),
        ("?", m.Legal, {"table": "t1"}),
        ("? open", m.Help, {"topic": "open"}),
        ("why 2", m.Why, {"table": "t1", "action": LEGAL[1]}),
        ("why play 3", m.Why, {"table": "t1", "action": LEGAL[1]}),
        ("log", m.Log, {"table": "t1", "after": 0}),
        ("replay", m.Replay, {"table": "t1", "after": 0}),
        ("say to all", m.Say, {"text": "to all", "table": "t1"}),
        ("kick ann", m.Kick, {"player": "ann", "table": "t1"}),
        ("mute ann", m.Mute, {"player": "ann", "table": "t1"}),
        ("close", m.Close, {"table": "t1"}),
        ("enter may", m.CupEnter, {**CUP, "tables": 1, "nonce": "n0nce"}),
        ("leave", m.Leave, {"table": "t1"}),
        ("play 3", m.Act, {"table": "t1", "turn": 5, "action": LEGAL[1]}),
    ],
)
def test_at_a_table_it_stands_for_that_table(line: str, kind: type[m.Request], fields: dict[str, Any]) -> None:
    assert asked(line, AT_A_TABLE) == (kind, fields)


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("hello", "missing_field", "Add a name."),
        ("lang", "missing_field", "Add a language: en, fr."),
        ("rules", "missing_field", "Say which game: toy, chess."),
        ("open", "missing_field", "Add a game; games lists them."),
        ("open chses", "no_such_game", "There is no game 'chses'. Do you mean chess?"),
        ("open toy x", "bad_number", "Expected a number of seats, a whole number."),
        ("open toy 1234567890", "bad_number", "Expected a number of seats, of at most nine digits."),
        ("open toy ٣", "bad_number", "Expected a number of seats, a whole number."),
        ("open toy 17", "bad_field", "At most 16, in seats."),
        ("open toy delay=1s", "bad_number", "Hands are shown 30 seconds to 24 hours later, not 1s."),
        ("watch", "missing_field", "Say which table: t8, t9; tables lists all."),
        ("hands", "not_seated", "You are at no table; open, join or watch one."),
        ("why", "not_your_turn", ""),
        ("hint", "not_your_turn", ""),
        ("aim", "not_seated", "You are at no table; rules GAME tells all about a game."),
        ("replay", "not_seated", "You are at no table; open, join or watch one."),
        ("say", "missing_field", "Add something to say."),
        ("tell", "missing_field", "Add a name."),
        ("tell ann", "missing_field", "Add a text."),
        ("reply hm", "no_such_player", "Nobody has told you anything yet."),
        ("kick", "missing_field", "Add a name."),
        ("kick ann", "not_seated", "You are at no table; open, join or watch one."),
        ("mute", "missing_field", "Add a name."),
        ("operator", "missing_field", "Add the operator's word or code."),
        ("cup show", "missing_field", "Add a cup; cups lists them."),
        ("cup open", "missing_field", "Add a name for the cup."),
        ("cup open may", "missing_field", "Add a game; games lists them."),
        ("cup open may toy late_entry=x", "bad_field", "Expected yes or no, not 'x'."),
        ("cup open may toy rounds=x", "bad_number", "Expected a number of rounds, a whole number."),
        ("cup open may toy x", "bad_number", "Expected a number of seats, a whole number."),
        ("cup open may toy clock=5", "bad_number", "A clock is seconds as MAIN+INC, such as 300+30, with 0.05 or more"),
        ("cup invite may", "missing_field", "Add a name."),
        ("cup replace may", "missing_field", "Add an entrant."),
        ("cup replace may ann", "missing_field", "Add who plays for it from now on."),
        ("cup kick may", "missing_field", "Add an entrant."),
        ("cup clock may", "missing_field", "Add an entrant."),
        ("cup clock may ann x", "bad_number", "A clock is seconds as MAIN+INC"),
        ("enter", "missing_field", "Add a cup; cups lists them."),
        ("enter may x", "bad_number", "Expected a number of tables, a whole number."),
        ("brief maybe", "bad_field", "Type brief on or brief off."),
        ("cup x", "unknown_word", "After cup comes one of: show, open,"),
        ("l x y", "unknown_field", "Too many words; type: look [TABLE]"),
        ("st", "unknown_word", "Do you mean stats or start or standings?"),
        ("halp", "unknown_word", "Do you mean help?"),
        ("cup open may toy rounds=0", "bad_field", "At least 1, in rounds."),
        (f"open toy a={chr(34) * 2040}", "too_big", ""),
        (f"say {'x' * 301}", "bad_field", "At most 300 characters, in text."),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_a_sentence(line: str, code: str, text: str) -> None:
    told = refused(line, NOWHERE)
    assert told[0] == code
    assert told[1].startswith(text)


def test_a_line_of_several_actions_is_done_one_after_the_other() -> None:
    memory = TypedMemory()
    assert asked("play 3;pass;pass", AT_A_TABLE, memory) == (m.Act, {"table": "t1", "turn": 5, "action": LEGAL[1]})
    assert memory.waiting == [LEGAL[0], LEGAL[0]]
    with pytest.raises(Refusal, match="There is no 'fly'"):
        parse_typed_line("fly", AT_A_TABLE, memory)
    assert memory.waiting == []


def test_a_command_is_one_word_or_two_and_may_be_shortened_as_far_as_it_is_clear() -> None:
    assert [is_command(line, NOWHERE) for line in ("hel x", "h", "he", "st", "cup sh may", "cup s", "xyz", "'hm")] == [
        False, True, False, False, True, False, False, True,
    ]  # fmt: skip
    typed = ("Say  HI  there ", "CUP Show  may x ", "cup", "cup create may", "who")
    assert [split_command(line) for line in typed] == [
        ("say", "HI  there"), ("cup show", "may x"), ("cup", ""), ("cup open", "may"), ("who", ""),
    ]  # fmt: skip
    assert [expand_word(word) for word in ("/R", "/w", "W", "who", "'", "Bye")] == [
        "reply", "who", "who", "who", "say", "quit",
    ]  # fmt: skip
    assert [is_too_long("add", rest) for rest in ("greedy", "greedy 2", "greedy 2 3")] == [False, False, True]
    assert letter_abbreviations("pass\nPlay CARD\nput it\n\nlook x\nbet N") == {"p": "pass", "b": "bet"}


def test_a_command_of_the_typists_own_program_is_read_as_one_and_is_none_elsewhere() -> None:
    host = replace(NOWHERE, without=frozenset())
    assert parse_typed_line("inviter qr 2", host, TypedMemory()) == LocalCommand("invite", "qr 2")
    assert refused("rematch now", host) == ("unknown_field", "Too many words; type: rematch")
    guest = replace(NOWHERE, without=frozenset({"invite"}))
    assert parse_typed_line("next", guest, TypedMemory()) == LocalCommand("next", "")
    assert refused("invite", guest)[0] == "unknown_word"
