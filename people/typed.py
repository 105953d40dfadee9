"""Carries out a typed line: what the client can do itself, it does at once; for the rest it makes a request. Pure."""

from __future__ import annotations

from games.api import StyledLine, to_map
from languages import language_code, set_default_language
from people import confirming, leaving, open_hands, reviewing
from people.choices import legal_rows
from people.client_commands import OWN
from people.context import action_forms, build_context
from people.effects import Effects
from people.language import _
from people.language import _ as say
from people.page import Page
from people.render import arrange_columns
from people.state import PersonState
from people.table import PersonTable
from people.text.cards import find_cards
from people.text.commands import COMMANDS
from people.text.help import commands_on_page, more_help_text, question_mark_help, topic_help_lines, usage_line
from people.text.lookup import matching_commands
from people.text.reading import expand_line, letter_abbreviations, parse_typed_line
from people.text.sentences import card_lines, legal_heading
from people.text.typing_context import LocalCommand, RequestDraft
from protocol import messages as m
from protocol.errors import Refusal


def handle_line(person: PersonState, line: str) -> Effects:
    """Carries out a line that the person typed, and updates their state. Returns its effects: requests to send, lines
    to show."""
    line = line.encode("utf-8", "replace").decode("utf-8")  # a terminal may send half of a surrogate pair
    effects, page = Effects(), person.page.clear_page(to_top=True)
    if person.seats.here is not None:
        person.seats.here.mark_sums_read()
    person.guided.mark_read()
    line = confirming.expand_answer(person, line.replace("\t", " ").strip(" "))
    try:
        if _needs_tables(person, line):
            person.prompt.postpone_line(line)
            effects.asks.append(RequestDraft(m.Tables, {"which": "current"}))
            return effects
        person.seats.mark_list_used()
        _obey(person, line, page, effects)
    except Refusal as error:
        effects.refused = error
        effects.add_line(f"! {error.text}", "bad")
        if person.seats.here is not None and person.seats.here.turn is not None:
            effects.lines += person.guided.repeat_lines(person.seats.here.id)
    return person.show_page(effects)


def _obey(person: PersonState, line: str, page: Page | None, effects: Effects) -> None:
    """Carries out the line. `page` is the page that was shown instead of the board when it was typed. Raises Refusal if
    the line cannot be carried out."""
    if person.review.is_step_word(line, awaited=person.seats.here is not None and person.seats.here.turn is not None):
        person.step_review(line, effects)
        if line == "q":
            _end_review(person)
        return
    word = expand_line(line, build_context(person))
    if word != reviewing.WORD:
        _end_review(person)
    if page is not None and page is person.opening.page and word == open_hands.WORD:
        return  # `hands` typed while its page is shown puts the page away
    unsure = person.prompt.memory.unsure
    meant = parse_typed_line(line, build_context(person), person.prompt.memory)
    warning = leaving.quit_warning(person)
    if isinstance(meant, LocalCommand):
        OWN[meant.word](person, meant, effects)
    elif isinstance(meant, RequestDraft) and meant.kind is m.Quit and warning and unsure != "quit":
        person.prompt.memory.swap_unconfirmed("quit")
        effects.add_line(warning, "bad")
    elif isinstance(meant, RequestDraft):
        _carry_out(person, meant, effects)
    elif meant:
        effects.lines += [[("", text)] for text in meant.split("\n")]


def _end_review(person: PersonState) -> None:
    """Ends the stepping through the last match. Inside a server, the match is also forgotten, to free its memory."""
    person.review.end_stepping()
    if person.settings.server is not None:
        person.review.forget_match()


def _needs_tables(person: PersonState, line: str) -> bool:
    """Returns whether the server's list of tables must be requested before the line can be carried out."""
    there = build_context(person)
    fitting = matching_commands(expand_line(line, there).lower(), there.without)
    lists = len(fitting) == 1 and COMMANDS[fitting[0]].lists
    return lists and not person.seats.is_fresh and not there.is_stranger()


def _carry_out(person: PersonState, ask: RequestDraft, effects: Effects) -> None:
    table = person.seats.here
    if ask.kind is m.Act and (person.prompt.memory.confirms or confirming.is_dangerous(person, ask)):
        confirming.hold_decision(person, ask, effects)
        return
    if ask.kind is m.LookRequest:
        person.seats.switch_to(ask.fields["table"])
    elif ask.kind is m.Act and table is not None:
        _note_auto(table, ask, effects)
        table.mark_decided()
    if person.settings.server is not None:
        effects.asks.append(ask)
    elif ask.kind is m.Help:
        effects.lines = help_lines(person, ask.fields["topic"].lower())
    elif ask.kind is m.Legal:
        effects.lines = _legal_lines(person)
    elif ask.kind is m.Cards and table is not None and table.game.id == ask.fields["game"]:
        effects.lines = _card_lines(person, ask.fields["name"])
    else:
        if ask.kind is m.Lang and (spoken := language_code(ask.fields["lang"])):
            set_default_language(spoken)
        effects.asks.append(ask)


def _note_auto(table: PersonTable, ask: RequestDraft, effects: Effects) -> None:
    """Switches `auto` off after the person has decided by themselves. Mentions `auto` once to a person who has typed
    the action that it would do."""
    if table.auto and table.alone is not None:
        table.set_auto(on=False)
        effects.add_line(_("auto is off."), "dim")
    elif (
        not table.told_of_auto
        and (lets := table.unconcerned_action()) is not None
        and to_map(lets) == ask.fields["action"]
    ):
        table.mark_auto_mentioned()
        told = _(
            "auto on does this by itself until something concerns you: {concern}.", concern=table.game.concern_phrase
        )
        effects.add_line(told, "dim")


def _card_lines(person: PersonState, name: str) -> list[StyledLine]:
    """Returns the lines of the cards of the current game whose name begins with `name`, in the person's language."""
    assert person.seats.here is not None
    cards = find_cards(person.seats.here.game.cards(), name)
    if not cards:
        raise Refusal("no_such_card", _("There is no card {name!r} in this game.", name=name))
    lines: list[StyledLine] = []
    for first, text in (card_lines(to_map(card)) for card in cards):
        lines += [[("key", first)], [("", text)]]
    return lines


def _legal_lines(person: PersonState) -> list[StyledLine]:
    turn = person.seats.here.turn if person.seats.here is not None else None
    if turn is None:
        raise build_context(person).turn_refusal()
    rows = legal_rows(turn)
    if person.settings.in_columns:
        rows = arrange_columns(rows, person.settings.width())
    return [[("title", legal_heading())], *([("", row)] for row in rows)]


def help_lines(person: PersonState, topic: str) -> list[StyledLine]:
    """Returns the help on the topic, a command or an action word of a game; for any other topic the help page."""
    lines: list[StyledLine] = [
        [("", text)] for text in topic_help_lines(topic, action_forms(person), build_context(person).without)
    ]
    if lines:
        return lines
    game = person.games.get(topic) or (person.seats.here.game if person.seats.here else None)
    if game is not None:
        lines = [
            [("title", _("To act in {title}:", title=game.title))],
            *_action_rows(game.words.help_text, person.settings.width()),
            *([("dim", f"  {row}")] for row in game.words.legend.split("\n") if row),
        ]
        short = ", ".join(f"{letter} {word}" for letter, word in letter_abbreviations(game.words.help_text).items())
        lines.append([("dim", _("  Short: {short}; or a number from the list that legal gives.", short=short))])
    lines.append([("title", _("Commands:"))])
    for word, row in commands_on_page(topic, build_context(person).without).items():
        letter = f"{row.short[0]}, " if row.short else ""
        lines.append([("key", f"  {letter}{usage_line(word, row)}"), ("", _(": {text}", text=say(row.help)))])
    lines.append([("key", "  ?"), ("", _(": {text}", text=question_mark_help()))])
    lines.append([("dim", f"  {more_help_text()}")])
    lines.append([("dim", _("  Ctrl-C leaves; Ctrl-D ends your typing, and a house bot plays on for you."))])
    lines.append(
        [("dim", _("  Page Up and Page Down scroll the log. F1 is the game's aim, F2 review, F3 next, F4 hands."))]
    )
    return lines


def _action_rows(help_text: str, width: int) -> list[StyledLine]:
    """Returns the lines on how to type a game's actions. If one is wider than `width`, each explanation is put below
    the action that it explains."""
    rows = [f"  {row}" for row in help_text.split("\n") if row.strip()]
    if max(map(len, rows)) <= width:
        return [[("", row)] for row in rows]
    lines: list[StyledLine] = []
    for row in rows:
        form, _gap, text = row.strip().partition("  ")
        lines.append([("key", f"  {form}")])
        lines += [[("", f"    {text.strip()}")]] if text.strip() else []
    return lines
