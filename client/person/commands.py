"""What a typed line means for a person where they are: an action, a command, or a mistake that is explained. Pure."""

from __future__ import annotations

import re
from typing import Any

from client.person.card_texts import card_lines, find_cards
from client.person.human import Human
from client.person.place import Ask, Effects, Place
from client.person.render import side_by_side
from client.person.vocabulary import ALIASES, COMMANDS, GAME_ALIASES, command_of, expand
from games.api import Action, Line, Unreadable, to_map
from protocol import messages as m
from protocol.text.help import is_too_long
from server.net.text_face import option_value

LINE_CHARACTERS = 1_000  # well below what a request may hold
_NUMBER = re.compile(r"[0-9]{1,9}")
_AT_TABLE: dict[str, type[m.Request]] = {
    "start": m.Start,
    "look": m.Look,
    "clock": m.Clock,
    "resign": m.Resign,
    "leave": m.Leave,
}
_ANYWHERE: dict[str, type[m.Request]] = {
    "games": m.Games,
    "who": m.Who,
    "tables": m.Tables,
    "ping": m.Ping,
    "quit": m.Quit,
}


class Misunderstood(Exception):
    """The line cannot be carried out; the text says why."""


def typed(human: Human, line: str) -> Effects:
    """What follows from a line: requests to send, lines to show. Changes what the person has still waiting."""
    line = line.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair, as terminals may give, has no bytes
    if len(line) > LINE_CHARACTERS:
        return _mistake(f"A line has at most {LINE_CHARACTERS} characters.")
    if line.strip().startswith("/r ") or line.strip() == "/r":
        return _reply(human, line.strip()[2:].strip())
    line = expand(line, human.game_words())
    if not line:
        return Effects()
    human.waiting = []
    first, _, rest = line.partition(" ")
    first, rest = first.lower(), rest.strip()
    try:
        return _understood(human, line, first, rest)
    except Misunderstood as error:
        return _mistake(str(error))


def _mistake(text: str) -> Effects:
    heard = Effects()
    heard.say(f"! {text}", "bad")
    return heard


def _reply(human: Human, text: str) -> Effects:
    if not human.whisperer:
        return _mistake("Nobody has told you anything yet.")
    if not text:
        return _mistake(f"Add what to say to {human.whisperer}: /r TEXT")
    return Effects(asks=[Ask(m.Tell, {"to": human.whisperer, "text": text})])


def _understood(human: Human, line: str, first: str, rest: str) -> Effects:
    place = human.here
    game_words = human.game_words()
    shared = first in game_words and first in COMMANDS and is_too_long(first, len(rest.split()))
    plain_command = first in COMMANDS and not shared
    if place is not None and place.turn is not None and not plain_command:
        actions = _actions(place, line)
        if isinstance(actions, list):
            human.waiting = actions[1:]
            return Effects(asks=[human.act(place, actions[0])])
        if not command_of(first) or first in game_words:
            raise Misunderstood(actions)
    elif place is not None and first in game_words and not plain_command:
        raise Misunderstood("You have nothing to decide now.")
    command = command_of(first)
    if not command:
        fitting = [name for name in COMMANDS if name.startswith(first)]
        raise Misunderstood(f"Do you mean {' or '.join(fitting)}?" if fitting else "That is no command here; try help.")
    return _command(human, command, rest)


def _actions(place: Place, line: str) -> list[Action] | str:
    """The actions that the line stands for, at least one; a sentence if it stands for none."""
    assert place.turn is not None
    legal = place.turn.legal
    if _NUMBER.fullmatch(line):
        if 1 <= int(line) <= len(legal):
            return [legal[int(line) - 1]]
        return f"Type a number from 1 to {len(legal)}, or an action."
    try:
        return place.game.words.read(line, place.turn.view, legal) or "Type an action; ? lists what you may do."
    except Unreadable as error:
        return str(error)


def _command(human: Human, command: str, rest: str) -> Effects:
    words = rest.split()
    one, two = (words[0] if words else ""), (words[1] if len(words) > 1 else "")
    place = human.here
    heard = Effects()
    match command:
        case "help":
            heard.lines = help_lines(human, one.lower())
        case "legal":
            heard.lines = _legal_lines(human)
        case "brief":
            human.brief = one != "off"
            heard.say("The board is left out when it is your turn; look shows it." if human.brief else "Board on.")
        case "rules":
            heard.asks.append(Ask(m.Rules, {"game": one or _game_here(human)}))
        case "cards":
            _cards(human, one, rest, heard)
        case "bots":
            heard.asks.append(Ask(m.Bots, {"game": one or (place.game.id if place else "")}))
        case "open":
            heard.asks.append(Ask(m.Open, _opening(human, words)))
        case "join":
            table = one or _only_table(human, "open")
            seat = _number(two or "0", "a seat")
            heard.asks.append(Ask(m.Join, {"table": table, "seat": seat, "nonce": human.nonce}))
        case "watch":
            heard.asks.append(Ask(m.Watch, {"table": one or _only_table(human, "playing")}))
        case "add":
            heard.asks.append(Ask(m.Add, {"table": _here(human).id, "bot": _need(one, "a bot; bots lists them")}))
        case "why":
            action = _why(_here(human), _need(rest, "an action"))
            heard.asks.append(Ask(m.Why, {"table": _here(human).id, "action": to_map(action)}))
        case "log":
            heard.asks.append(Ask(m.Log, {"table": _here(human).id, "after": _number(one or "0", "a message number")}))
        case "say":
            table = place.id if place else ""
            heard.asks.append(Ask(m.Say, {"text": _need(rest, "something to say"), "table": table}))
        case "tell":
            text = _need(rest[len(one) :].strip(), "a text: tell NAME TEXT")
            heard.asks.append(Ask(m.Tell, {"to": one, "text": text}))
        case "look" if one:
            human.here = _named_table(human, one)
            heard.asks.append(Ask(m.Look, {"table": human.here.id}))
        case _ if command in _AT_TABLE:
            heard.asks.append(Ask(_AT_TABLE[command], {"table": _here(human).id}))
        case _:
            heard.asks.append(Ask(_ANYWHERE[command]))
    return heard


def _cards(human: Human, one: str, rest: str, heard: Effects) -> None:
    """The cards of the table in hand are known here, and the beginning of a name will do; others are asked for."""
    game, name = (one, rest[len(one) :].strip()) if one in human.games else (_game_here(human), rest)
    if human.here is None or human.here.game.id != game:
        heard.asks.append(Ask(m.Cards, {"game": game, "name": name}))
        return
    cards = find_cards(human.here.game.cards(human.lang), name)
    if not cards:
        raise Misunderstood(f"There is no card {name!r} in this game.")
    for card in cards:
        first, text = card_lines(card)
        heard.say(first, "key")
        heard.say(text)


def _opening(human: Human, words: list[str]) -> dict[str, Any]:
    game = _need(words[0] if words else "", "a game; games lists them")
    seats, options = 0, {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if equals:
            options[key] = option_value(value)
        else:
            seats = _number(word, "a number of seats")
    return {"game": game, "seats": seats, "options": options}


def _legal_lines(human: Human) -> list[Line]:
    place = human.here
    if place is None or place.turn is None:
        raise Misunderstood("You have nothing to decide now.")
    write = place.game.words.write
    numbered = [f"{number:>4}  {write(action)}" for number, action in enumerate(place.turn.legal, 1)]
    head: Line = [("title", "You may do (type the action or its number):")]
    return [head, *([("", row)] for row in (side_by_side(numbered, human.width()) if human.in_columns else numbered))]


def _why(place: Place, text: str) -> Action:
    if place.turn is None and place.view is None:
        raise Misunderstood("The match has not started.")
    view = place.turn.view if place.turn else place.view
    assert view is not None
    try:
        return place.game.words.read(text, view, place.turn.legal if place.turn else [])[0]
    except Unreadable as error:
        raise Misunderstood(str(error)) from None


def help_lines(human: Human, topic: str) -> list[Line]:
    """The help page, or the row of one command."""
    short = {full: letter for letter, full in (*reversed(ALIASES.items()), *GAME_ALIASES.items())}
    if topic and command_of(topic):
        name = command_of(topic)
        arguments, text = COMMANDS[name]
        return [[("key", f"{name} {arguments}".rstrip())], [("", f"  {text}")]]
    lines: list[Line] = []
    game = human.games.get(topic) or (human.here.game if human.here else None)
    if game is not None:
        lines = [[("title", f"To act in {game.title}:")], *_action_rows(game.words.help, human.width())]
        letters = [f"{letter} {word}" for letter, word in GAME_ALIASES.items() if word in human.game_words()]
        lines.append([("dim", f"  Short: {', '.join(letters)}; or a number from the list that ? gives.")])
    lines.append([("title", "Commands:")])
    for name, (arguments, text) in COMMANDS.items():
        letter = f"{short[name]}, " if name in short else ""
        lines.append([("key", f"  {letter}{f'{name} {arguments}'.rstrip()}"), ("", f": {text}")])
    lines.append([("key", "  /r TEXT"), ("", ": answer who told you something last")])
    lines.append([("dim", "  Ctrl-C leaves; Ctrl-D ends your typing, and a house bot plays on for you.")])
    return lines


def _action_rows(help_text: str, width: int) -> list[Line]:
    """A game's help, as it stands where there is room; else what a row explains goes below what is typed."""
    rows = [f"  {row}" for row in help_text.split("\n") if row.strip()]
    if max(map(len, rows)) <= width:
        return [[("", row)] for row in rows]
    lines: list[Line] = []
    for row in rows:
        form, _, text = row.strip().partition("  ")
        lines.append([("key", f"  {form}")])
        lines += [[("", f"    {text.strip()}")]] if text.strip() else []
    return lines


def _named_table(human: Human, name: str) -> Place:
    place = human.places.get(name)
    if place is None:
        raise Misunderstood(f"You are at no table {name!r}.")
    return place


def _here(human: Human) -> Place:
    if human.here is None:
        raise Misunderstood("You are at no table; open, join or watch one.")
    return human.here


def _game_here(human: Human) -> str:
    if human.here is not None:
        return human.here.game.id
    if len(human.games) == 1:
        return next(iter(human.games))
    raise Misunderstood(f"Say which game: {', '.join(human.games)}.")


def _only_table(human: Human, state: str) -> str:
    """The table that is meant when none is named: the only one that fits among those last listed."""
    fitting = [info.table for info in human.known_tables if info.state == state]
    if len(fitting) != 1:
        raise Misunderstood("Say which table; tables lists them.")
    return fitting[0]


def _need(word: str, what: str) -> str:
    if not word:
        raise Misunderstood(f"Add {what}.")
    return word


def _number(word: str, what: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise Misunderstood(f"Expected {what}, a whole number.")
    return int(word)
