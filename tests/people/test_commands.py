"""Typed commands and the requests that they stand for, without a server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from languages import speaking
from people.text.arguments import Arguments
from people.text.lookup import commands, commands_of, full_word, is_too_long, said_word, split
from people.text.reading import is_command, letters, read
from people.text.where import Ask, Decision, Memory, Own, Where, idle
from protocol import limits
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


DECISION = Decision("t1", 5, choices=2, listed=lambda place: LEGAL[place], read=understood)
NOWHERE = Where(games=GAMES, tables=lambda state: {"open": ["t7"], "playing": ["t8", "t9"]}.get(state, ()))
AT_A_TABLE = Where(
    games=GAMES, tables=lambda _state: (), table="t1", game="toy", forms="pass\nplay CARD", nonce="n0nce",
    decision=lambda: DECISION, aim="Have most.", hint=lambda: "Play 3.", delay=lambda table: 90 * (table == "t2"),
)  # fmt: skip


def asked(line: str, where: Where, memory: Memory | None = None) -> tuple[object, object] | str:
    """The request and its fields, or the sentence that answers at once."""
    meant = read(line, where, memory or Memory())
    assert not isinstance(meant, Own)
    return (meant.kind, meant.fields) if isinstance(meant, Ask) else meant


def refused(line: str, where: Where) -> tuple[str, str]:
    with pytest.raises(Refusal) as refusal:
        read(line, where, Memory())
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
        ("who ann", m.Who, {"after": "ann"}),
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
        ("look t9", m.Look, {"table": "t9"}),
        ("replay t9 12", m.Replay, {"table": "t9", "after": 12}),
        ("replay t9", m.Replay, {"table": "t9", "after": 0}),
        ("say hm", m.Say, {"text": "hm", "table": ""}),
        ("'hm", m.Say, {"text": "hm", "table": ""}),
        ("kick ann t9", m.Kick, {"player": "ann", "table": "t9"}),
        ("mute ann all", m.Mute, {"player": "ann", "table": ""}),
        ("unmute ann t9", m.Mute, {"player": "ann", "table": "t9", "off": True}),
        ("close t9", m.Close, {"table": "t9"}),
        ("operator w0rd", m.Operator, {"word": "w0rd"}),
        ("cup show may", m.Cup, CUP),
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
        ("look", m.Look, {"table": "t1"}),
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
        ("1", m.Act, {"table": "t1", "turn": 5, "action": LEGAL[0]}),
        ("2", m.Act, {"table": "t1", "turn": 5, "action": LEGAL[1]}),
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
    memory = Memory()
    assert asked("play 3;pass;pass", AT_A_TABLE, memory) == (m.Act, {"table": "t1", "turn": 5, "action": LEGAL[1]})
    assert memory.waiting == [LEGAL[0], LEGAL[0]]
    with pytest.raises(Refusal, match="There is no 'fly'"):
        read("fly", AT_A_TABLE, memory)
    assert memory.waiting == []


@pytest.mark.parametrize("number", ["0", "3", "999999999"])
def test_a_number_that_no_action_has_is_refused(number: str) -> None:
    assert refused(number, AT_A_TABLE) == ("unreadable", "Type a number from 1 to 2, or an action.")


def test_who_would_sit_where_all_hands_are_shown_agrees_by_saying_it_twice() -> None:
    memory = Memory()
    warned = (
        "Spectators of t2 see all hands, 1:30 later, and not before each player has made 3 more decisions. "
        "Join once more to agree."
    )
    assert asked("join t2", AT_A_TABLE, memory) == warned
    assert memory.agrees == ("t2", 90)
    agreed = (m.Join, {"table": "t2", "seat": 0, "nonce": "n0nce", "delay": 90})
    assert asked("join t2", AT_A_TABLE, memory) == agreed
    memory.agrees = ("t2", 60)  # the table is another one meanwhile
    assert asked("join t2", AT_A_TABLE, memory) == warned


def test_giving_up_is_done_when_it_is_typed_twice_in_a_row() -> None:
    memory = Memory()
    asks = "You would be placed last, and a house bot plays on. Type resign again to give the match up."
    assert [asked(line, AT_A_TABLE, memory) for line in ("resign", "who", "resign", "resign")] == [
        asks, (m.Who, {"after": ""}), asks, (m.Resign, {"table": "t1"}),
    ]  # fmt: skip


def test_what_needs_no_server_is_answered_at_once() -> None:
    memory = Memory()
    assert not memory.brief
    hidden = "The board is left out when it is your turn; look shows it."
    for line, answer, brief in (("brief", hidden, True), ("brief off", "Board on.", False), ("brief on", hidden, True)):
        assert (asked(line, AT_A_TABLE, memory), memory.brief) == (answer, brief)
    assert [asked(line, AT_A_TABLE) for line in ("aim", "hint", "", "   ")] == ["Have most.", "Play 3.", "", ""]


def test_an_answer_goes_to_whoever_whispered_last() -> None:
    for line in ("reply be quick", "/r be quick"):
        assert asked(line, AT_A_TABLE, Memory(whisperer="bob")) == (m.Tell, {"to": "bob", "text": "be quick"})


def test_a_word_of_the_game_out_of_turn_says_why_nothing_is_to_be_decided() -> None:
    def told(**why: Any) -> tuple[str, str]:
        return refused("play 3", Where(games=GAMES, tables=lambda _s: (), table="t1", forms="play CARD", **why))

    assert told()[0] == "not_your_turn"
    assert told(idle=lambda: "game_over")[0] == "game_over"
    by = "greedy plays your seat now; there is nothing more to decide."
    assert told(played_by=lambda: "greedy") == ("not_your_turn", by)


def test_who_has_no_part_in_a_match_has_none_for_a_reason() -> None:
    assert [idle(state, sits=True) for state in ("open", "over", "playing")] == ["not_started", "game_over", ""]
    assert idle("playing", sits=False) == "not_seated"


def test_a_seat_that_was_left_is_the_one_that_join_looks_for() -> None:
    def joined(*left: str, one: str = "") -> str:
        where = Where(games=GAMES, tables=lambda _state: ["t7", "t8"], left=lambda: left)
        return Arguments(one, where, Memory()).table("open")

    assert joined("t3") == "t3"
    assert joined("t3", one="t9") == "t9"
    with pytest.raises(Refusal, match="Say which table: t7, t8"):
        joined()
    nowhere = Where(games=GAMES, tables=lambda _state: (), left=lambda: ("t3",))
    with pytest.raises(Refusal, match="No table is playing now; tables lists all"):
        Arguments("", nowhere, Memory()).table("playing")
    many = Where(games=GAMES, tables=lambda _state: [f"t{number}" for number in range(1, 12)])
    with pytest.raises(Refusal, match=r"Say which table: t1, t2, t3, t4, t5, t6, t7, t8, t9, \.\.\.; tables lists all"):
        Arguments("", many, Memory()).table("playing")


def test_a_line_is_as_long_as_the_wire_takes_and_no_longer() -> None:
    line = f"who{' ' * (limits.LINE_BYTES - 3)}"
    assert asked(line, NOWHERE) == (m.Who, {"after": ""})
    assert refused(f"{line} ", NOWHERE) == ("too_big", "A line holds at most 4096 bytes.")


def test_a_stranger_may_say_hello_and_what_anybody_may() -> None:
    stranger = Where(games=GAMES, tables=lambda _state: (), is_stranger=lambda: True)
    assert refused("tables", stranger)[0] == "login_first"
    for line in ("hello ann", "help", "games"):
        assert isinstance(asked(line, stranger), tuple)
    program = Where(games=GAMES, tables=lambda _state: (), without=frozenset({"hello"}))
    assert refused("hello ann", program)[0] == "unknown_word"
    assert [*commands()][:2] == commands_of("hel") == ["hello", "help"]
    assert [*commands({"hello"})][:1] == commands_of("hel", {"hello"}) == ["help"]


def test_a_command_is_one_word_or_two_and_may_be_shortened_as_far_as_it_is_clear() -> None:
    assert [is_command(line, NOWHERE) for line in ("hel x", "h", "he", "st", "cup sh may", "cup s", "xyz", "'hm")] == [
        False, True, False, False, True, False, False, True,
    ]  # fmt: skip
    assert [split(line) for line in ("Say  HI  there ", "CUP Show  may x ", "cup", "cup create may", "who")] == [
        ("say", "HI  there"), ("cup show", "may x"), ("cup", ""), ("cup open", "may"), ("who", ""),
    ]  # fmt: skip
    assert [full_word(word) for word in ("/R", "/w", "W", "who", "'", "Bye")] == [
        "reply", "who", "who", "who", "say", "quit",
    ]  # fmt: skip
    assert [is_too_long("add", rest) for rest in ("greedy", "greedy 2", "greedy 2 3")] == [False, False, True]
    assert letters("pass\nPlay CARD\nput it\n\nlook x\nbet N") == {"p": "pass", "b": "bet"}


def test_at_a_table_a_wrong_line_is_answered_by_the_game_if_it_begins_like_an_action() -> None:
    assert refused("play x", AT_A_TABLE) == ("unreadable", "There is no 'play x'.")
    assert refused("st", AT_A_TABLE) == ("unknown_word", "Do you mean stats or start or standings?")
    assert refused("cup x", AT_A_TABLE)[1].startswith("After cup comes one of: show, open,")
    assert asked("ping", AT_A_TABLE) == asked("pi", AT_A_TABLE) == (m.Ping, {})


def test_a_letter_of_the_game_out_of_turn_is_no_command_unless_only_one_begins_with_it() -> None:
    where = Where(games=GAMES, tables=lambda _state: (), table="t1", forms="bet N\nplay CARD")
    assert refused("b 3", where)[0] == "not_your_turn"
    assert asked("p", where) == (m.Ping, {})
    assert refused("b 3", NOWHERE)[0] == "unknown_word"


def test_a_letter_stands_for_the_first_word_of_the_game_that_begins_with_it() -> None:
    def reads(line: str) -> list[dict[str, Any]]:
        if line.startswith("play "):
            return [{"said": line}]
        raise Refusal("unreadable", "No.")

    decision = Decision("t1", 5, choices=2, listed=lambda place: LEGAL[place], read=reads)
    where = Where(
        games=GAMES, tables=lambda _state: (), table="t1", game="toy", forms="play CARD", decision=lambda: decision
    )
    assert asked("p 3", where) == (m.Act, {"table": "t1", "turn": 5, "action": {"said": "play 3"}})
    assert refused("z 3", where)[1].startswith("No.")


def test_in_french_the_words_are_french_and_the_english_ones_are_understood_too() -> None:
    assert said_word("cup drop") == "cup drop"
    with speaking("fr"):
        for word in ("help", "cup show", "cup"):
            assert said_word(word) != word
            assert is_command(said_word(word), NOWHERE) == (word != "cup")
            assert is_command(word, NOWHERE) == (word != "cup")


def test_a_command_of_the_typists_own_program_is_read_as_one_and_is_none_elsewhere() -> None:
    host = replace(NOWHERE, without=frozenset())
    assert read("inviter qr 2", host, Memory()) == Own("invite", "qr 2")
    assert refused("rematch now", host) == ("unknown_field", "Too many words; type: rematch")
    guest = replace(NOWHERE, without=frozenset({"invite"}))
    assert read("next", guest, Memory()) == Own("next", "")
    assert refused("invite", guest)[0] == "unknown_word"
