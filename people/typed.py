"""Carries out a typed line: answers what is known here, and asks the server for the rest. Pure."""

from __future__ import annotations

from games.api import Line, to_map
from games.spelling import shown
from languages import known, speak
from people import confirming, hosting, leaving, opening, reviewing, turning
from people.human import Human
from people.language import _
from people.language import _ as say
from people.opening import Page
from people.own_words import own_word, said_own
from people.place import forms, where
from people.rematch import WORD, rematch
from people.render import side_by_side
from people.table import Effects
from people.text.cards import find_cards
from people.text.help import on_topic, question, usage
from people.text.lookup import commands, commands_of
from people.text.reading import letters, read, written_out
from people.text.sentences import card_lines, legal_head, numbered
from people.text.where import Ask
from protocol import messages as m
from protocol.errors import Refusal


def typed(human: Human, line: str) -> Effects:
    """What follows from a line: requests to send, lines to show. Changes what is kept of the person's lines."""
    line = line.encode("utf-8", "replace").decode("utf-8")  # a terminal may give half a surrogate pair
    effects, page, human.page, human.page_from, human.answer = Effects(), human.page, None, 0, []
    if human.here is not None:
        human.here.adding = []
    if human.tutor is not None:
        human.tutor.is_read = True
    try:
        line = own_word(line.replace("\t", " "))
        if _needs_tables(human, line):
            human.waits_for_tables = line
            effects.asks.append(Ask(m.Tables, {"after": ""}))
            return effects
        human.tables_are_fresh = False
        if _is_own(human, line.strip(), page, effects):
            return effects
        unsure = human.memory.unsure
        meant = read(line, where(human), human.memory)
        warning = leaving.warn_quit(human)
        if isinstance(meant, Ask) and meant.kind is m.Quit and warning and unsure != "quit":
            human.memory.unsure = "quit"
            effects.say(warning, "bad")
        elif isinstance(meant, Ask):
            _carry_out(human, meant, effects)
        elif meant:
            effects.lines += [[("", text)] for text in meant.split("\n")]
    except Refusal as error:
        effects.say(f"! {error.text}", "bad")
        if human.tutor is not None and human.here is not None and human.here.turn is not None:
            effects.lines += human.tutor.again(human.here.turn)
    return effects


def _is_own(human: Human, line: str, page: Page | None, effects: Effects) -> bool:
    """Whether it is carried out here, without the server. `page` is what stood in the board's place."""
    word, _space, rest = line.partition(" ")
    if word == hosting.WORD and human.host is not None:
        about, _gap, number = rest.strip().partition(" ")
        if about != "qr":
            effects.lines += hosting.invitation(human.host)
        else:
            page = hosting.codes(human.host, number.strip())
            effects.lines += hosting.invitation(human.host)
            human.show(page, effects)
    elif reviewing.is_meant(human, line):
        reviewing.review(human, line, effects)
    elif line == confirming.UNDO or (line in (*confirming.YES, *confirming.NO) and human.held is not None):
        confirming.answer(human, line, effects)
    elif line == WORD:
        effects.asks += rematch(human)
    elif page is not None and page is human.opening.page and written_out(line, where(human)) == opening.WORD:
        pass  # once more, and the board is back
    elif line == turning.WORD:
        effects.asks += human.turning.on(human.known_tables, human.here)
    else:
        return False
    return True


def _needs_tables(human: Human, line: str) -> bool:
    """Whether it depends on the tables that there are now what the line means."""
    fitting = commands_of(written_out(line, where(human)).lower(), says_hello=False)
    needed = line.strip() in (WORD, turning.WORD) or (len(fitting) == 1 and fitting[0] in ("join", "watch"))
    return needed and not human.tables_are_fresh


def _carry_out(human: Human, ask: Ask, effects: Effects) -> None:
    table = human.here
    if ask.kind is m.Act and human.confirms:
        confirming.hold(human, ask, effects)
        return
    if ask.kind is m.Look:
        human.turn_to(ask.fields["table"])
    elif ask.kind is m.Act and table is not None:
        table.decided()
    if ask.kind is m.Help:
        effects.lines = help_lines(human, ask.fields["topic"].lower())
    elif ask.kind is m.Legal:
        effects.lines = _legal_lines(human)
    elif ask.kind is m.Cards and table is not None and table.game.id == ask.fields["game"]:
        effects.lines = _card_lines(human, ask.fields["name"])
    else:
        if ask.kind is m.Lang and (spoken := known(ask.fields["lang"])):
            speak(spoken)
        effects.asks.append(ask)


def _card_lines(human: Human, name: str) -> list[Line]:
    """Cards of the current game, in the person's language."""
    assert human.here is not None
    cards = find_cards(human.here.game.cards(), name)
    if not cards:
        raise Refusal("no_such_card", _("There is no card {name!r} in this game.", name=name))
    lines: list[Line] = []
    for first, text in (card_lines(to_map(card)) for card in cards):
        lines += [[("key", first)], [("", text)]]
    return lines


def _legal_lines(human: Human) -> list[Line]:
    turn = human.here.turn if human.here is not None else None
    if turn is None:
        raise where(human).not_your_turn()
    rows = numbered(shown(turn.game.words, action) for action in turn.legal)
    if human.in_columns:
        rows = side_by_side(rows, human.width())
    return [[("title", legal_head())], *([("", row)] for row in rows)]


def help_lines(human: Human, topic: str) -> list[Line]:
    """The help page, or what there is to say on one command or one word of a game."""
    lines: list[Line] = [[("", text)] for text in on_topic(topic, forms(human), says_hello=False)]
    if lines:
        return lines
    game = human.games.get(topic) or (human.here.game if human.here else None)
    if game is not None:
        lines = [[("title", _("To act in {title}:", title=game.title))], *_action_rows(game.words.help, human.width())]
        short = ", ".join(f"{letter} {word}" for letter, word in letters(game.words.help).items())
        lines.append([("dim", _("  Short: {short}; or a number from the list that legal gives.", short=short))])
    lines.append([("title", _("Commands:"))])
    for word, row in commands(says_hello=False).items():
        letter = f"{row.short[0]}, " if row.short else ""
        lines.append([("key", f"  {letter}{usage(word, row)}"), ("", _(": {text}", text=say(row.help)))])
    lines.append([("key", f"  {said_own(WORD)}"), ("", _(": play the last match's game again, with who wants to"))])
    lines.append([("key", f"  {said_own(reviewing.WORD)}"), ("", _(": {text}", text=_(reviewing.HELP)))])
    lines.append([("key", f"  {said_own(turning.WORD)}"), ("", _(": {text}", text=_(turning.HELP)))])
    lines.append([("key", f"  {said_own(confirming.UNDO)}"), ("", _(": {text}", text=_(confirming.HELP)))])
    if human.host is not None:
        lines.append([("key", f"  {said_own(hosting.WORD)}"), ("", _(": {text}", text=_(hosting.HELP)))])
    lines.append([("key", "  ?"), ("", _(": {text}", text=question()))])
    lines.append([("dim", _("  Ctrl-C leaves; Ctrl-D ends your typing, and a house bot plays on for you."))])
    lines.append([("dim", _("  Page Up and Page Down scroll the log; F1 is the game's aim."))])
    return lines


def _action_rows(help_text: str, width: int) -> list[Line]:
    """A game's help. If it is too wide, each explanation goes below what is typed."""
    rows = [f"  {row}" for row in help_text.split("\n") if row.strip()]
    if max(map(len, rows)) <= width:
        return [[("", row)] for row in rows]
    lines: list[Line] = []
    for row in rows:
        form, _gap, text = row.strip().partition("  ")
        lines.append([("key", f"  {form}")])
        lines += [[("", f"    {text.strip()}")]] if text.strip() else []
    return lines
