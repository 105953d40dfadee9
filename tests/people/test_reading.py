"""What a typed line means depends on where it is typed."""

from dataclasses import replace

import pytest

from languages import speaking
from people.text.reading import expand_line, parse_typed_line
from people.text.typing_context import AwaitedDecision, RequestDraft, TypedMemory, TypingContext
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages import Resign, Rules
from protocol.messages.parts import Map


def test_a_game_is_named_where_there_are_several_and_one_is_at_no_table() -> None:
    def ask(*games: str, game: str = "") -> object:
        return parse_typed_line("rules", TypingContext(games=games, tables=lambda _state: (), game=game), TypedMemory())

    for asked in (ask("toy"), ask("toy", "chess", game="toy")):
        assert (getattr(asked, "kind", None), getattr(asked, "fields", None)) == (
            Rules,
            {"game": "toy", "about": "contents"},
        )
    for games in ((), ("toy", "chess")):
        with pytest.raises(Refusal, match="Say which game"):
            ask(*games)


def test_resigning_asks_once_but_where_it_is_forbidden_and_the_answer_says_so() -> None:
    def said(*, may_resign: bool) -> object:
        where = TypingContext(games=(), tables=lambda _state: (), table="t1", may_resign=may_resign)
        return parse_typed_line("resign", where, TypedMemory())

    assert "Type resign again" in str(said(may_resign=True))
    assert getattr(said(may_resign=False), "kind", None) is Resign


def test_a_mistyped_command_is_offered_also_to_who_has_to_decide_and_in_their_language() -> None:
    def refuse(line: str) -> list[Map]:
        raise Refusal("unreadable", f"There is no action {line!r}." + " Did you mean: pass?" * (line == "pas"))

    decision = AwaitedDecision("t1", 1, choices=1, listed=lambda _place: {}, said=str, read=refuse)

    def told(line: str, *, decides: bool) -> str:
        where = TypingContext(
            games=(), tables=lambda _state: (), table="t1", forms="pass", decision=lambda: decision if decides else None
        )
        with pytest.raises(Refusal) as refused:
            parse_typed_line(line, where, TypedMemory())
        return refused.value.text

    assert told("legl", decides=True) == "There is no action 'legl'. Do you mean legal?"
    assert told("legl", decides=False) == "Do you mean legal?"
    assert told("pas", decides=True) == "There is no action 'pas'. Did you mean: pass?", "one offer is enough"
    assert told("xyzzy", decides=True) == "There is no action 'xyzzy'."
    with speaking("fr"):
        for decides in (True, False):
            assert told("pendlue", decides=decides).endswith("Veux-tu dire pendule\N{NO-BREAK SPACE}?")


def test_a_word_of_another_language_that_is_no_command_here_is_quoted_as_it_was_typed() -> None:
    known = TypingContext(games=(), tables=lambda _state: ())
    assert [expand_line("bonjour ann", replace(known, without=frozenset(words))) for words in ((), {"hello"})] == [
        "hello ann", "bonjour ann",
    ]  # fmt: skip


def test_a_game_is_meant_by_a_part_of_its_name_and_a_typo_is_answered_with_the_closest() -> None:
    def opened(word: str) -> object:
        where = TypingContext(games=("cheaty-mages", "magecraft", "mages-110m"), tables=lambda _state: ())
        return getattr(parse_typed_line(f"open {word}", where, TypedMemory()), "fields", {}).get("game")

    assert [opened(word) for word in ("110m", "Cheaty", "magecraft", "mages", "chess")] == [
        "mages-110m", "cheaty-mages", "magecraft", "mages", "chess",
    ]  # fmt: skip
    with pytest.raises(Refusal, match=r"There is no game 'magecaft'\. Do you mean magecraft\?"):
        opened("magecaft")


def test_the_rest_of_a_line_is_dropped_after_an_error_at_the_end_and_by_what_is_not_understood() -> None:
    rest: list[Map] = [{"do": "pass"}]
    where = TypingContext(games=(), tables=lambda _state: ())
    for heard, left in (
        (m.Error(code="bad_field", text="No."), []),
        (m.Over(table="t1", n=3, results=(), reason="points", text="", seed="", salt=""), []),
        (m.Chat(sender="ann", text="hm"), rest),
    ):
        memory = TypedMemory(waiting=rest)
        memory.on_message(heard)
        assert memory.waiting == left
    memory = TypedMemory(waiting=rest)
    for line in ("dance", "x" * (limits.LINE_BYTES + 1)):
        with pytest.raises(Refusal):
            parse_typed_line(line, where, memory)
        assert memory.waiting == []
        memory.waiting = rest
    assert parse_typed_line("", where, memory) == ""
    assert memory.waiting == rest


def test_only_a_private_word_is_answered_by_reply() -> None:
    memory = TypedMemory()
    for sender, private, answered in (("ann", False, ""), ("bob", True, "bob"), ("cid", False, "bob")):
        memory.on_message(m.Chat(sender=sender, text="hm", private=private))
        assert memory.whisperer == answered


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("join t1.", {"table": "t1"}),
        ("say Well played.", {"text": "Well played."}),
        ("tell bob Come to t1.", {"text": "Come to t1."}),
        ("'Well played.", {"text": "Well played."}),
        ("sa Well played.", {"text": "Well played."}),
        ("password secret-word.", {"word": "secret-word."}),
    ],
)
def test_a_full_stop_after_a_command_is_ignored_but_talk_keeps_its_own(line: str, fields: dict[str, str]) -> None:
    asked = parse_typed_line(
        line, TypingContext(games=(), tables=lambda _state: ("t1",), delay=lambda _table: 0), TypedMemory()
    )
    assert isinstance(asked, RequestDraft)
    assert asked.fields.items() >= fields.items()
