"""The meaning of a typed line in its context, for both the text face and the terminal client."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

import msgspec

from languages import language, plain
from people.language import _
from people.text.arguments import CLOSE, NUMBER, Arguments
from people.text.commands import COMMANDS
from people.text.help import usage
from people.text.lookup import (
    commands,
    commands_of,
    is_too_long,
    said_word,
    short_forms,
    split,
    words_of_others,
)
from people.text.where import Ask, Decision, Memory, Own, Where, game_words
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.asking import Asker
from protocol.messages.parts import Map
from protocol.requests import to_request
from protocol.values import from_json

_PASSED = re.compile(r"`(int|str|float)`.* ([<>])= ([0-9]+)(?:\.0)?\Z")  # for all languages


def read(line: str, where: Where, memory: Memory) -> Ask | Own | str:
    """Returns the request that is meant, a command for the typist's own program, or an immediate answer; "" for an
    empty line.

    Raises Refusal if the line cannot be understood. The rest of an earlier line is then dropped.
    """
    try:
        if len(line.encode("utf-8")) > limits.LINE_BYTES:
            raise Refusal("too_big", _("A line holds at most {limit} bytes.", limit=limits.LINE_BYTES))
        line = written_out(line, where)
        unsure = memory.be_unsure("")
        if where.pinned and not NUMBER.fullmatch(line) and line.partition(" ")[0] != "why":
            memory.note_list("", 0)
        return _meaning(line, where, memory, unsure) if line else ""
    except Refusal:
        memory.drop_waiting()
        raise


def written_out(line: str, where: Where) -> str:
    """Returns the line with its short form expanded, and without a leading slash.

    `?` lists the legal actions if a decision is awaited, otherwise it is the help page. A full stop at the end is
    dropped, because people copy examples with it, unless it belongs to a text, a code or a password.
    """
    short = short_forms()
    line = line.strip(" ")
    if line.partition(" ")[0].lower() not in short:
        line = line.removeprefix("/").lstrip(" ")
    if line.startswith("'"):
        line = f"' {line[1:].lstrip(' ')}"
    first, _space, rest = line.partition(" ")
    if first == "?":
        word = "help" if rest or where.decision() is None else "legal"
    elif not where.says_hello and words_of_others().get(plain(first)) == "hello":
        word = first  # not a command, and quoted as typed
    elif two := words_of_others().get(plain(" ".join(line.split()[:2]))) if rest else "":
        word, rest = two, " ".join(line.split()[2:])
    else:
        word = short.get(first.lower()) or words_of_others().get(plain(first), first)
    whole = f"{word} {rest}".rstrip(" ")
    meant = commands_of(split(whole)[0], where.without)
    return whole if any(COMMANDS[one].keeps_full_stop for one in meant) else whole.removesuffix(".")


def is_command(line: str, where: Where) -> bool:
    """Returns whether the line is a command in every game."""
    first, _rest = split(written_out(line, where))
    return len(commands_of(first, where.without)) == 1


def _meaning(line: str, where: Where, memory: Memory, unsure: str) -> Ask | Own | str:
    first, rest = split(line)
    fitting = commands_of(first, where.without)
    shared = first in game_words(where.forms)
    if first not in fitting or (shared and is_too_long(first, rest)):
        actions = _actions(line, where, first, fitting, memory, unsure)
        if isinstance(actions, str):
            return actions
        if actions is not None:
            decision, [action, *more] = actions
            memory.wait_with(more)
            return decision.act(action)
    if len(fitting) != 1:
        group, _space, wrong = first.partition(" ")
        if wrong and not fitting:
            listed = ", ".join(said_word(word).split()[1] for word in commands_of(f"{group} ", where.without))
            raise Refusal(
                "unknown_word", _("After {word} comes one of: {listed}.", word=said_word(group), listed=listed)
            )
        raise Refusal("unknown_word", _offered(fitting or _alike(first, where)))
    command = COMMANDS[fitting[0]]
    if where.is_stranger() and command.asker not in (Asker.STRANGER, Asker.ANYBODY):
        raise Refusal("login_first")
    if is_too_long(fitting[0], rest) and not command.many_words:
        raise Refusal("unknown_field", _("Too many words; type: {usage}", usage=usage(fitting[0], command)))
    if command.own:
        return Own(fitting[0], rest)
    meant = command.means(Arguments(rest, where, memory))
    if isinstance(meant, str):
        return meant
    assert command.request is not None
    refused = not where.may_resign or where.idle() or where.played_by()  # a refused line is refused at once
    if command.asks_once and not refused and unsure != fitting[0]:
        memory.be_unsure(fitting[0])
        return _(command.asks_once)
    if command.request is m.Legal and (asked := where.decision()) is not None:
        memory.note_list(asked.table, asked.turn)
    return _checked(Ask(command.request, meant, command.part))


def _actions(
    line: str, where: Where, first: str, fitting: list[str], memory: Memory, unsure: str
) -> tuple[Decision, list[Map]] | str | None:
    """Returns the decision and the actions that the line stands for, at least one; a question if a number may be meant
    whose list is not on the screen; None if a command may be meant."""
    decision = where.decision()
    is_number = NUMBER.fullmatch(line) is not None
    if is_number and decision is not None:
        action = decision.numbered(line)
        is_listed = memory.listed == (decision.table, decision.turn)
        asked = f"{line} {decision.table} {decision.turn}"
        if not is_listed and unsure != asked:
            memory.be_unsure(asked)
            asks = _("{number} is: {action}. Type {number} once more to do it; ? shows the numbered list.")
            return asks.format(number=line, action=decision.said(int(line) - 1))
        return decision, [action]
    is_word, is_letter = first in game_words(where.forms), first in letters(where.forms)
    if decision is None:
        if where.table and (is_number or is_word or (is_letter and len(fitting) != 1)):
            raise where.not_your_turn()
        return None
    try:
        return decision, _read_action(line, where, decision)
    except Refusal as error:
        if is_word or is_letter:
            raise
        if fitting or " " in first:
            return None
        # the game suggests something itself
        if error.text.endswith("?") or not (offered := _offered(_alike(first, where))):
            raise
        raise Refusal(error.code.name, " ".join((error.text, offered))) from None


def _offered(words: Sequence[str]) -> str:
    """Returns a question whether one of these commands is meant; "" for none."""
    return _("Do you mean {listed}?", listed=_(" or ").join(map(said_word, words))) if words else ""


def _alike(typed: str, where: Where) -> list[str]:
    """Returns the two closest commands or words of the game, in the current language or in English."""
    known = _known(where.forms, language(), where.without)
    return list(dict.fromkeys(known[said] for said in get_close_matches(plain(typed), known, 2, CLOSE)))


@lru_cache(maxsize=64)
def _known(forms: str, _language: str, without: frozenset[str]) -> dict[str, str]:
    """Maps what may be typed, without accents, to the commands and the words of a game."""
    words = commands(without)
    return {plain(said_word(word)): word for word in words} | {word: word for word in (*words, *game_words(forms))}


def _read_action(line: str, where: Where, decision: Decision) -> list[Map]:
    """Returns the actions of a line. A letter that the game does not know stands for its first word with that
    letter."""
    try:
        return decision.read(line)
    except Refusal:
        first, _space, rest = line.partition(" ")
        full = letters(where.forms).get(first.lower(), "")
        if not full:
            raise
        return decision.read(f"{full} {rest}".rstrip(" "))


def letters(forms: str) -> dict[str, str]:
    """Returns the letters that stand for a game's words, except those that stand for commands."""
    found: dict[str, str] = {}
    short = short_forms()
    for word in game_words(forms):
        if word[0] not in short:
            found.setdefault(word[0], word)
    return found


def _in_words(text: str, where: str) -> str:
    """Returns what is wrong with that field of a request, without type names if a limit is exceeded."""
    passed = _PASSED.search(text)
    match passed and passed.groups():
        case ("int" | "float", "<", most):
            return _("At most {most}, in {where}.", most=most, where=where)
        case ("int" | "float", ">", least):
            return _("At least {least}, in {where}.", least=least, where=where)
        case ("str", "<", most):
            return _("At most {most} characters, in {where}.", most=most, where=where)
    return _("{text}, in {where}.", text=text, where=where)


def _checked(meant: Ask) -> Ask:
    """Checks a typed request against the limits for programs' requests. Raises Refusal. An action needs no check,
    because the game built it."""
    data = msgspec.json.encode({"type": meant.kind.__struct_config__.tag, "id": 1, **meant.fields})
    try:
        to_request(from_json(data))
    except Refusal as error:
        raise Refusal(error.code.name, _in_words(error.text.rstrip("."), error.where.removeprefix("$."))) from None
    if len(data) >= limits.LINE_BYTES:
        raise Refusal("too_big")
    return meant
