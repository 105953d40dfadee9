"""A typed line as people write it: names as they are shown, in any language, and the closest word for a typo.

Pure. The games' own `read` knows the short names that actions are written with; here the rest becomes those.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from games.api import Action, Game, Unreadable, View, Words
from games.language import _
from languages import ENGLISH, NAMES, language, speaking

MOST_WORDS, MOST_LETTERS = 12, 120  # in a line that is looked at so closely
PREFIX_LETTERS = 3  # of a shown name at least
CLOSE = 0.7  # how alike two words are for one to be offered for the other; 1 is the same


def understood(game: Game, line: str, view: View, legal: Sequence[Action], people: Sequence[str]) -> list[Action]:
    """As the game's `read`, and names may be typed as they are shown: of cards, of players, and of what else the board
    numbers. Raises Unreadable, with the closest line that can be read if there is one."""
    first = Unreadable(_("{line!r} is no action and no name of this game.", line=line[:24]))
    try:
        if line.isascii():
            return game.words.read(line, view, legal)
    except Unreadable as error:
        first = error
    if len(line) > MOST_LETTERS or len(line.split()) > MOST_WORDS:
        raise first
    places = {folded(name): typed for name, typed in game.words.places(view, people).items()}
    spelled = respelled(line, {**_vocabulary(game), **_card_names(game), **places}, _verbs(game))
    if spelled != line and spelled.isascii():
        try:
            return game.words.read(spelled, view, legal)
        except Unreadable as error:
            first = error
    offer = closest(spelled, _words(game, legal))
    if offer and _reads(game, offer, view, legal):
        raise Unreadable(_("{why} Do you mean: {offer}?", why=str(first).rstrip(), offer=offer)) from None
    raise first


def _reads(game: Game, line: str, view: View, legal: Sequence[Action]) -> bool:
    try:
        return all(action in legal for action in game.words.read(line, view, legal)[:1])
    except Unreadable:
        return False


def shown(words: Words, action: Action) -> str:
    """An action as people of the current language write it, which `understood` reads."""
    written = words.write(action)
    if language() == ENGLISH:
        return written
    vocabulary, titles = words.vocabulary, words.titles
    said = (vocabulary.get(word) or "_".join(titles.get(word, word).lower().split(" ")) for word in written.split(" "))
    return " ".join(said)


def respelled(line: str, shown: Mapping[str, str], verbs: Collection[str]) -> str:
    """The line with names as they are shown, or beginnings of them, replaced by what is typed for them. `shown` has the
    names folded; a first word that begins one of the verbs is one."""
    words, spelled, at = [word for word in line.split(" ") if word], list[str](), 0
    if words and any(verb.startswith(words[0].lower()) for verb in verbs):
        spelled, at = [words[0]], 1
    while at < len(words):
        for end in range(len(words), at, -1):
            typed = _meant(folded(" ".join(words[at:end])), shown)
            if typed:
                spelled.append(typed)
                at = end
                break
        else:
            spelled.append(words[at])
            at += 1
    return " ".join(spelled)


def _meant(name: str, shown: Mapping[str, str]) -> str:
    """What is typed for a folded name, or for the one whose beginning it is; "" for none."""
    if name in shown:
        return shown[name]
    if len(name) < PREFIX_LETTERS or not name[0].isalpha():
        return ""
    fitting = {typed for full, typed in shown.items() if full.startswith(name)}
    return fitting.pop() if len(fitting) == 1 else ""


def closest(line: str, known: Collection[str]) -> str:
    """The line with each word that is not known replaced by the known one that is most like it; "" if one has none, or
    if there is nothing to replace."""
    found = []
    for word in line.lower().split():
        if word in known or not word.isalpha():
            found.append(word)
            continue
        like = get_close_matches(word, known, 1, CLOSE)
        if not like:
            return ""
        found.append(like[0])
    offer = " ".join(found)
    return offer if offer != line.lower() else ""


def folded(name: str) -> str:
    """Equal for names that people take for the same: without case, accents and signs."""
    letters = unicodedata.normalize("NFKD", name.replace("\u0153", "oe").replace("\u0152", "oe").casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.findall(r"\w+", plain.replace("_", " ")))


def _words(game: Game, legal: Sequence[Action]) -> set[str]:
    """What may stand in a line: the words of legal actions, the game's own, and its cards' names."""
    words = {word for action in legal for word in game.words.write(action).split()}
    return words | _verbs(game) | set(_card_names(game).values())


def _verbs(game: Game) -> set[str]:
    with speaking(ENGLISH):
        return {row.split()[0] for row in game.words.help.split("\n") if row.strip()}


@lru_cache(16)
def _vocabulary(game: Game) -> dict[str, str]:
    """By the folded word of any other language, the word that actions are written with."""
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({folded(said): word for word, said in game.words.vocabulary.items() if said != word})
    return found


@lru_cache(16)
def _names_of(game: Game, _digest: str) -> dict[str, str]:
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({folded(card.title): card.name for card in game.cards()})
    return found


def _card_names(game: Game) -> dict[str, str]:
    """By the folded title in every language, a card's name as actions write it."""
    return _names_of(game, game.cards_digest)
