"""Finds the meaning of a typed line in its context: a command, an action or an error. The server's text face and the
terminal client both use it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

import msgspec

from languages import current_language, strip_accents
from people.language import _
from people.text.arguments import CLOSE, NUMBER, Arguments
from people.text.commands import COMMANDS
from people.text.help import usage_line
from people.text.lookup import (
    available_commands,
    commands_by_translation,
    is_too_long,
    matching_commands,
    short_forms,
    split_command,
    translated_word,
)
from people.text.typing_context import (
    AwaitedDecision,
    LocalCommand,
    RequestDraft,
    TypedMemory,
    TypingContext,
    game_words,
)
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import Permission
from protocol.messages.parts import Map
from protocol.requests import parse_request
from protocol.values import decode_json

_PASSED = re.compile(r"`(int|str|float)`.* ([<>])= ([0-9]+)(?:\.0)?\Z")  # an error of msgspec on an exceeded limit


def parse_typed_line(line: str, where: TypingContext, memory: TypedMemory) -> RequestDraft | LocalCommand | str:
    """Returns what a typed line means: a request, a command that the typist's program carries out itself (Own), or the
    immediate answer as text, "" for an empty line.

    Raises Refusal if the line cannot be understood. The actions that still wait from an earlier line are then dropped.
    """
    try:
        if len(line.encode("utf-8")) > limits.LINE_BYTES:
            raise Refusal("too_big", _("A line holds at most {limit} bytes.", limit=limits.LINE_BYTES))
        line = expand_line(line, where)
        unsure = memory.swap_unconfirmed("")
        if where.pinned and not NUMBER.fullmatch(line) and line.partition(" ")[0] != "why":
            memory.note_numbered_list("", 0)
        return _meaning(line, where, memory, unsure) if line else ""
    except Refusal:
        memory.clear_queued_actions()
        raise


def expand_line(line: str, where: TypingContext) -> str:
    """Returns the line with the full English word of its command instead of a short form or a word of another language,
    and without a leading slash.

    `?` becomes `legal` if the typist has a decision to make, otherwise `help`. A full stop at the end is dropped,
    because people copy examples with it, unless it belongs to a text, a code or a password.
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
    elif not where.can_type_hello and commands_by_translation().get(strip_accents(first)) == "hello":
        word = first  # there is no `hello` here, so an error quotes the word as typed
    elif two := commands_by_translation().get(strip_accents(" ".join(line.split()[:2]))) if rest else "":
        word, rest = two, " ".join(line.split()[2:])
    else:
        word = short.get(first.lower()) or commands_by_translation().get(strip_accents(first), first)
    whole = f"{word} {rest}".rstrip(" ")
    meant = matching_commands(split_command(whole)[0], where.without)
    return whole if any(COMMANDS[one].keeps_full_stop for one in meant) else whole.removesuffix(".")


def is_command(line: str, where: TypingContext) -> bool:
    """Returns whether the line begins with a command, or with an abbreviation of exactly one command."""
    first, _rest = split_command(expand_line(line, where))
    return len(matching_commands(first, where.without)) == 1


def _meaning(line: str, where: TypingContext, memory: TypedMemory, unsure: str) -> RequestDraft | LocalCommand | str:
    first, rest = split_command(line)
    fitting = matching_commands(first, where.without)
    shared = first in game_words(where.forms)
    if first not in fitting or (shared and is_too_long(first, rest)):
        actions = _actions(line, where, first, fitting, memory, unsure)
        if isinstance(actions, str):
            return actions
        if actions is not None:
            decision, [action, *more] = actions
            memory.queue_actions(more)
            return decision.action_request(action)
    if len(fitting) != 1:
        group, _space, wrong = first.partition(" ")
        if wrong and not fitting:
            listed = ", ".join(
                translated_word(word).split()[1] for word in matching_commands(f"{group} ", where.without)
            )
            raise Refusal(
                "unknown_word", _("After {word} comes one of: {listed}.", word=translated_word(group), listed=listed)
            )
        raise Refusal("unknown_word", _offered(fitting or _alike(first, where)))
    command = COMMANDS[fitting[0]]
    if where.is_stranger() and command.permission not in (Permission.STRANGER, Permission.ANYBODY):
        raise Refusal("login_first")
    if is_too_long(fitting[0], rest) and not command.many_words:
        raise Refusal("unknown_field", _("Too many words; type: {usage}", usage=usage_line(fitting[0], command)))
    if command.own:
        return LocalCommand(fitting[0], rest)
    meant = command.means(Arguments(rest, where, memory))
    if isinstance(meant, str):
        return meant
    assert command.request is not None
    refused = not where.may_resign or where.idle() or where.played_by()  # then the server refuses it, without a warning
    if command.asks_once and not refused and unsure != fitting[0]:
        memory.swap_unconfirmed(fitting[0])
        return _(command.asks_once)
    if command.request is m.Legal and (asked := where.decision()) is not None:
        memory.note_numbered_list(asked.table, asked.turn)
    return _checked(RequestDraft(command.request, meant, command.part))


def _actions(
    line: str, where: TypingContext, first: str, fitting: list[str], memory: TypedMemory, unsure: str
) -> tuple[AwaitedDecision, list[Map]] | str | None:
    """Returns the open decision and the actions, at least one, that the line stands for. Returns a question if the line
    is a number while no numbered list is on the screen, and None if the line may be a command."""
    decision = where.decision()
    is_number = NUMBER.fullmatch(line) is not None
    if is_number and decision is not None:
        action = decision.action_numbered(line)
        is_listed = memory.listed == (decision.table, decision.turn)
        asked = f"{line} {decision.table} {decision.turn}"
        if not is_listed and unsure != asked:
            memory.swap_unconfirmed(asked)
            asks = _("{number} is: {action}. Type {number} once more to do it; ? shows the numbered list.")
            return asks.format(number=line, action=decision.said(int(line) - 1))
        return decision, [action]
    is_word, is_letter = first in game_words(where.forms), first in letter_abbreviations(where.forms)
    if decision is None:
        if where.table and (is_number or is_word or (is_letter and len(fitting) != 1)):
            raise where.turn_refusal()
        return None
    try:
        return decision, _read_action(line, where, decision)
    except Refusal as error:
        if is_word or is_letter:
            raise
        if fitting or " " in first:
            return None
        # an error that ends with a question mark already has a suggestion of the game
        if error.text.endswith("?") or not (offered := _offered(_alike(first, where))):
            raise
        raise Refusal(error.code.name, " ".join((error.text, offered))) from None


def _offered(words: Sequence[str]) -> str:
    """Returns a question that suggests these words to the typist; "" without words."""
    return _("Do you mean {listed}?", listed=_(" or ").join(map(translated_word, words))) if words else ""


def _alike(typed: str, where: TypingContext) -> list[str]:
    """Returns the at most two commands or action words of the game that are most similar to the typed word, in the
    current language or in English."""
    known = _known(where.forms, current_language(), where.without)
    return list(dict.fromkeys(known[said] for said in get_close_matches(strip_accents(typed), known, 2, CLOSE)))


@lru_cache(maxsize=64)
def _known(forms: str, _language: str, without: frozenset[str]) -> dict[str, str]:
    """Returns the command or action word of a game for each word that may be typed for it. The keys have no accents."""
    words = available_commands(without)
    return {strip_accents(translated_word(word)): word for word in words} | {
        word: word for word in (*words, *game_words(forms))
    }


def _read_action(line: str, where: TypingContext, decision: AwaitedDecision) -> list[Map]:
    """Returns the actions that a line stands for. If the game cannot read the line and it begins with a single letter,
    the letter stands for the game's first action word with that initial."""
    try:
        return decision.read(line)
    except Refusal:
        first, _space, rest = line.partition(" ")
        full = letter_abbreviations(where.forms).get(first.lower(), "")
        if not full:
            raise
        return decision.read(f"{full} {rest}".rstrip(" "))


def letter_abbreviations(forms: str) -> dict[str, str]:
    """Returns the action word of a game for each letter that abbreviates one. Letters that are short forms of commands
    are left out."""
    found: dict[str, str] = {}
    short = short_forms()
    for word in game_words(forms):
        if word[0] not in short:
            found.setdefault(word[0], word)
    return found


def _in_words(text: str, where: str) -> str:
    """Returns a sentence for the typist from `text`, msgspec's error on the field `where` of a request. An exceeded
    limit is put in plain words."""
    passed = _PASSED.search(text)
    match passed and passed.groups():
        case ("int" | "float", "<", most):
            return _("At most {most}, in {where}.", most=most, where=where)
        case ("int" | "float", ">", least):
            return _("At least {least}, in {where}.", least=least, where=where)
        case ("str", "<", most):
            return _("At most {most} characters, in {where}.", most=most, where=where)
    return _("{text}, in {where}.", text=text, where=where)


def _checked(meant: RequestDraft) -> RequestDraft:
    """Checks a typed request against the same limits as the requests of programs. Returns it, or raises Refusal.
    Actions are not checked with it, because the game built them."""
    data = msgspec.json.encode({"type": meant.kind.__struct_config__.tag, "id": 1, **meant.fields})
    try:
        parse_request(decode_json(data))
    except Refusal as error:
        raise Refusal(error.code.name, _in_words(error.text.rstrip("."), error.where.removeprefix("$."))) from None
    if len(data) >= limits.LINE_BYTES:
        raise Refusal("too_big")
    return meant
