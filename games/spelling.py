"""Reads typed lines as people write them: with names as the board shows them, in any language, and with typos.

A game's own `Words.parse_actions` knows only the words that `Words.format_action` produces. This module replaces all
other names by these words before it calls `parse_actions`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from games.api import Action, Game, Unreadable, View, Words
from games.language import _
from languages import ENGLISH, NAMES, current_language, speaking

MOST_WORDS, MOST_LETTERS = 12, 120  # longer lines are not corrected
MOST_TYPOS = 2  # the largest number of corrected words in a line, because each is compared with all names
PREFIX_LETTERS = 3  # a shorter prefix of a shown name is not understood
CLOSE = 0.7  # the similarity from which a word is offered as a correction; 1 means equal
CLOSER = 0.85  # the similarity from which a name of several words is offered
LONGEST_NAME = 3  # the largest number of words that are compared with one name


def read_typed_line(game: Game, line: str, view: View, legal: Sequence[Action], people: Sequence[str]) -> list[Action]:
    """Returns the actions that a typed line means. It accepts more than the game's `parse_actions`: shown names of
    cards, of players and of other things that the board numbers.

    Args:
        game: The game.
        line: The typed line.
        view: The view of the seat that typed it.
        legal: The seat's legal actions.
        people: The players' names in seat order.

    Returns:
        The actions, as from `Words.parse_actions`.

    Raises:
        Unreadable: The line is not an action. The text offers the closest readable line, if there is one.
    """
    first = Unreadable(_("{line!r} is neither an action nor a name in this game.", line=line[:24]))
    try:
        if line.isascii():
            return game.words.parse_actions(line, view, legal)
    except Unreadable as error:
        first = error
    if len(line) > MOST_LETTERS or len(line.split()) > MOST_WORDS:
        raise first
    places = {normalize_spelling(name): typed for name, typed in game.words.numbers_by_name(view, people).items()}
    named = {**_vocabulary(game), **_placed(_card_names(game), places), **places}
    spelled = replace_shown_names(line, named, _verbs(game))
    if spelled.isascii():
        try:
            return game.words.parse_actions(spelled, view, legal)
        except Unreadable as error:
            first = error
    known = _words(game, legal) | named.keys()
    # The typed line is tried, too, because a prefix that was replaced may be part of a mistyped name.
    for mistyped in dict.fromkeys((spelled, line)):
        offer = replace_shown_names(correct_typos(mistyped, known), named, _verbs(game))
        if not offer or not _reads(game, offer, view, legal):
            continue
        raise Unreadable(_("{why} Did you mean: {offer}?", why=str(first).rstrip(), offer=offer)) from None
    raise first


def _reads(game: Game, line: str, view: View, legal: Sequence[Action]) -> bool:
    try:
        return all(action in legal for action in game.words.parse_actions(line, view, legal)[:1])
    except Unreadable:
        return False


def typed_action_text(words: Words, action: Action) -> str:
    """Returns an action as people type it in the current language. `read_typed_line` reads this text."""
    written = words.format_action(action)
    if current_language() == ENGLISH:
        return written
    vocabulary, titles = words.vocabulary, words.card_titles
    said = (vocabulary.get(word) or "_".join(titles.get(word, word).lower().split(" ")) for word in written.split(" "))
    return " ".join(said)


def action_label(words: Words, action: Action) -> str:
    """Returns an action as text for a list or a button. It contains card titles, so it cannot always be typed."""
    vocabulary = {} if current_language() == ENGLISH else words.vocabulary
    return " ".join(
        vocabulary.get(word) or words.card_titles.get(word, word) for word in words.format_action(action).split(" ")
    )


def replace_shown_names(line: str, shown: Mapping[str, str], verbs: Collection[str]) -> str:
    """Replaces shown names, and prefixes of them, by the words that actions use.

    Args:
        line: The typed line.
        shown: The word that actions use for each name; the keys are folded names.
        verbs: The words with which actions begin. If the line's first word is a prefix of one, it stays as it is.

    Returns:
        The line with all known names replaced.
    """
    words, spelled, at = [word for word in line.split(" ") if word], list[str](), 0
    if words and any(verb.startswith(words[0].lower()) for verb in verbs):
        spelled, at = [words[0]], 1
    while at < len(words):
        first = normalize_spelling(words[at])
        begun = {name: typed for name, typed in shown.items() if name.startswith(first)}
        # most words are not a prefix of any name, and need no search
        for end in range(len(words) if begun else at, at, -1):
            typed = _meant(normalize_spelling(" ".join(words[at:end])), begun)
            if typed:
                spelled.append(typed)
                at = end
                break
        else:
            spelled.append(words[at])
            at += 1
    return " ".join(spelled)


def _meant(name: str, shown: Mapping[str, str]) -> str | None:
    """Returns the word that actions use for a folded name, or for a prefix that only one name has; None if there is no
    such word."""
    if name in shown:
        return shown[name]
    if len(name) < PREFIX_LETTERS or not name[0].isalpha():
        return None
    fitting = {typed for full, typed in shown.items() if full.startswith(name)}
    return fitting.pop() if len(fitting) == 1 else None


def correct_typos(line: str, known: Collection[str]) -> str:
    """Returns the line with each unknown word replaced by the most similar known name.

    It returns "" if a word has no similar name, if too many words are unknown, or if all words are known.
    """
    words, found, at, typos = line.lower().split(), list[str](), 0, 0
    while at < len(words):
        if words[at] in known or not words[at].isalpha():
            found.append(words[at])
            at += 1
            continue
        typos += 1
        if typos > MOST_TYPOS:
            return ""
        for count in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            meant, enough = " ".join(words[at : at + count]), CLOSE if count == 1 else CLOSER
            names = [name for name in known if name.count(" ") == count - 1]
            if like := get_close_matches(meant, names, 1, enough):
                found += like
                at += count
                break
        else:
            return ""
    offer = " ".join(found)
    return offer if offer != line.lower() else ""


def normalize_spelling(name: str) -> str:
    """Returns a name without case, accents and punctuation, so that spellings of the same name are equal."""
    letters = unicodedata.normalize("NFKD", name.replace("\u0153", "oe").replace("\u0152", "oe").casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.findall(r"\w+", plain.replace("_", " ")))


def _words(game: Game, legal: Sequence[Action]) -> set[str]:
    """Returns the words that a line may contain: the words of the legal actions, the action words and the card
    names."""
    words = {word for action in legal for word in game.words.format_action(action).split()}
    return words | _verbs(game) | set(_card_names(game).values())


def _verbs(game: Game) -> set[str]:
    with speaking(ENGLISH):
        return {row.split()[0] for row in game.words.help_text.split("\n") if row.strip()}


def _placed(cards: Mapping[str, str], places: Mapping[str, str]) -> dict[str, str]:
    """Returns the word to type for each folded card title: the place of a card that lies at a numbered place, else the
    card's name."""
    lying = {name: places[title] for title, name in cards.items() if title in places}
    return {title: lying.get(name, name) for title, name in cards.items()}


@lru_cache(16)
def _vocabulary(game: Game) -> dict[str, str]:
    """Returns the word that actions use for each folded word of all other languages."""
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({normalize_spelling(said): word for said, word in game.words.synonyms.items()})
            found.update(
                {normalize_spelling(said): word for word, said in game.words.vocabulary.items() if said != word}
            )
    return found


@lru_cache(16)
def _names_of(game: Game, _digest: str) -> dict[str, str]:
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({normalize_spelling(card.title): card.name for card in game.cards()})
    return found


def _card_names(game: Game) -> dict[str, str]:
    """Returns the name that actions use for each card; the keys are the card's folded titles in all languages."""
    return _names_of(game, game.cards_digest)
