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
MOST_TYPOS = 2  # in a line for which another one is offered: each is compared with all names there are
PREFIX_LETTERS = 3  # of a shown name at least
CLOSE = 0.7  # how alike two words are for one to be offered for the other; 1 is the same
CLOSER = 0.85  # the same of names of several words
LONGEST_NAME = 3  # words


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
    named = {**_vocabulary(game), **_placed(_card_names(game), places), **places}
    spelled = respelled(line, named, _verbs(game))
    if spelled.isascii():
        try:
            return game.words.read(spelled, view, legal)
        except Unreadable as error:
            first = error
    known = _words(game, legal) | named.keys()
    for mistyped in dict.fromkeys((spelled, line)):  # a word may begin one name, and be a part of another one
        offer = respelled(closest(mistyped, known), named, _verbs(game))
        if not offer or not _reads(game, offer, view, legal):
            continue
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


def titled(words: Words, action: Action) -> str:
    """An action for a list or a button: cards by their titles, which need not be what is typed."""
    vocabulary = {} if language() == ENGLISH else words.vocabulary
    return " ".join(vocabulary.get(word) or words.titles.get(word, word) for word in words.write(action).split(" "))


def respelled(line: str, shown: Mapping[str, str], verbs: Collection[str]) -> str:
    """The line with names as they are shown, or beginnings of them, replaced by what is typed for them. `shown` has the
    names folded; a first word that begins one of the verbs is one."""
    words, spelled, at = [word for word in line.split(" ") if word], list[str](), 0
    if words and any(verb.startswith(words[0].lower()) for verb in verbs):
        spelled, at = [words[0]], 1
    while at < len(words):
        first = folded(words[at])
        begun = {name: typed for name, typed in shown.items() if name.startswith(first)}
        for end in range(len(words) if begun else at, at, -1):  # most words begin no name, and cost no more
            typed = _meant(folded(" ".join(words[at:end])), begun)
            if typed:
                spelled.append(typed)
                at = end
                break
        else:
            spelled.append(words[at])
            at += 1
    return " ".join(spelled)


def _meant(name: str, shown: Mapping[str, str]) -> str | None:
    """What is typed for a folded name, or for the one whose beginning it is."""
    if name in shown:
        return shown[name]
    if len(name) < PREFIX_LETTERS or not name[0].isalpha():
        return None
    fitting = {typed for full, typed in shown.items() if full.startswith(name)}
    return fitting.pop() if len(fitting) == 1 else None


def closest(line: str, known: Collection[str]) -> str:
    """The line with what is not known replaced by the known name of as many words that is most like it; "" if there is
    none for a word, too much or nothing to replace."""
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


def _placed(cards: Mapping[str, str], places: Mapping[str, str]) -> dict[str, str]:
    """What is typed for cards, by their folded titles: for those that lie at a place that place, in every language."""
    lying = {name: places[title] for title, name in cards.items() if title in places}
    return {title: lying.get(name, name) for title, name in cards.items()}


@lru_cache(16)
def _vocabulary(game: Game) -> dict[str, str]:
    """By the folded word of any other language, the word that actions are written with."""
    found = {}
    for name in NAMES:
        with speaking(name):
            found.update({folded(said): word for said, word in game.words.synonyms.items()})
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
