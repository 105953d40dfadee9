"""Information without a server: games, rules, cards, bots. Results go to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bots import language as of_bots
from bots.sdk.registry import all_bots
from client.language import _
from client.screen.width import output_columns
from games.api import CardsRefused, Game, options_from, to_map
from games.choices import option_choices, option_value_text
from games.pages import rules_page, rules_topic
from games.registry import all_games
from people.render import plain_text, wrap_rows
from people.text.cards import find_cards
from people.text.rules import find_rules_section, without_author_sections
from people.text.sentences import card_lines


class LookupFailed(Exception):
    """The game, card, rule or bot that the user asked for does not exist. The text says so."""


def show_games(*, as_json: bool) -> None:
    """Prints every game, with the options of its tables and their values, the default first."""
    games = all_games().values()
    if as_json:
        _json([_game_map(game) for game in games])
        return
    _lines(
        text
        for game in games
        for text in (
            _(
                "{id}: {title}, {min_seats} to {max_seats} players",
                id=game.id,
                title=game.title,
                min_seats=game.min_seats,
                max_seats=game.max_seats,
            ),
            f"  {game.description}",
            *_option_lines(game),
        )
    )


def _option_lines(game: Game) -> list[str]:
    taken = option_choices(game.options_type)
    options = to_map(options_from(game, {}))
    listed = ", ".join(
        f"{name}={'|'.join(map(option_value_text, taken[name] or [value]))}" for name, value in options.items()
    )
    return [_("  Options: {listed}", listed=listed)] if listed else []


def _game_map(game: Game) -> dict[str, Any]:
    return {
        "game": game.id,
        "title": game.title,
        "about": game.description,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "rules_version": game.rules_version,
        "options": to_map(options_from(game, {})),
        "choices": option_choices(game.options_type),
    }


def show_rules(game_id: str, topic: str) -> None:
    """Prints the game's rules page, or only its part on a topic. On a terminal, Markdown becomes headings and bold
    text."""
    game = all_games()[game_id]
    whole = rules_page(game)
    page = find_rules_section(whole, rules_topic(game, topic)) if topic else without_author_sections(whole)
    if sys.stdout.isatty() and not topic:
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=output_columns()).print(Markdown(page))
    else:
        sys.stdout.write(page if page.endswith("\n") else f"{page}\n")


def show_cards(game_id: str, name: str, *, as_json: bool, file: Path | None) -> None:
    """Prints the game's cards, or those with that name. Raises LookupFailed."""
    game = all_games()[game_id]
    if file is not None:
        game = with_card_file(game, file)
    cards = find_cards(game.cards(), name)
    if not cards:
        raise LookupFailed(_("{title} has no card called {name!r}.", title=game.title, name=name))
    if as_json:
        _json([to_map(card) for card in cards])
    else:
        _lines(text for card in cards for text in card_lines(to_map(card)))


def with_card_file(game: Game, path: Path) -> Game:
    """Returns the game with the cards of this file instead of its own. Raises LookupFailed."""
    try:
        return game.with_cards(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LookupFailed(_("The card file {path} cannot be read: {error}", path=path, error=error)) from None
    except CardsRefused as error:
        raise LookupFailed(_("The card file {path} cannot be used: {error}", path=path, error=error)) from None


def show_bots(*, as_json: bool) -> None:
    """Prints every installed bot, with the games that it plays."""
    bots = all_bots()
    if as_json:
        _json([{"bot": name, "games": list(kind.games), "about": _about(kind)} for name, kind in bots.items()])
        return
    _lines(
        _(
            "{name}: {about} Plays {games}.",
            name=name,
            about=of_bots._(_about(kind)),
            games=", ".join(kind.games) or _("every game"),
        )
        for name, kind in bots.items()
    )


def _about(kind: type) -> str:
    return (kind.__doc__ or "").strip().split("\n")[0]


def _json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def _lines(texts: Iterable[str]) -> None:
    """Prints lines, folded to the width of the terminal; in a pipe each line stays whole."""
    lines = [[("", text)] for text in texts]
    for line in wrap_rows(lines, output_columns()) if sys.stdout.isatty() else lines:
        print(plain_text(line))
