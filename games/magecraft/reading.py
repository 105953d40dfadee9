"""Reads a typed line as one or more actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.api import Action, Unreadable
from games.magecraft import moves as do
from games.magecraft.cards import CardSet
from games.magecraft.language import _
from games.magecraft.moves import BOOKS, GEM_AT, GEMS
from games.magecraft.rearranging import find_rearrangement
from games.magecraft.views import MagecraftView, SeatView

MOST_TOKENS = 200  # the largest number of words in a line


class ActionReader:
    """Reads typed lines for one view and the legal actions of its seat."""

    def __init__(self, cards: CardSet, view: MagecraftView, legal: Sequence[Action]) -> None:
        self._cards, self._view, self._legal = cards, view, legal
        self._verbs: dict[str, Callable[[list[str]], list[Action]]] = {
            "take": self._take,
            "discard": lambda rest: self._gems("discard", do.DISCARDS, rest),
            "unshield": lambda rest: self._gems("unshield", do.UNSHIELDS, rest),
            "pay": lambda rest: self._gems("pay", do.PAYS, rest),
            "heal": lambda rest: self._gems("heal", do.HEALS, rest),
            "cast": self._cast,
            "innate": lambda rest: [do.INNATE, *self._pays(rest)],
            "draw": self._draw,
            "attack": self._attack,
            "shield": lambda rest: self._from("shield", "academy", "discard", rest),
            "vanish": lambda rest: self._from("vanish", "hand", "life", rest),
            "darken": self._darken,
            "learn": self._learn,
            "revise": self._revise,
            "lift": lambda rest: [do.Lift(*self._numbers("lift 1 2", rest, 2))],
            "put": lambda rest: [do.Put(*self._numbers("put 3 1", rest, 2))],
            "master": lambda rest: [do.Master(*self._numbers("master 1 1", rest, 2))],
            "move": self._move,
            "done": lambda rest: [do.DONE],
            "end": lambda rest: [do.END],
            "pass": lambda rest: [do.END],
        }

    def parse_line(self, line: str) -> list[Action]:
        """Returns the actions that a line means. Raises Unreadable."""
        words = line.lower().replace("/", " / ").split()
        if not words or len(words) > MOST_TOKENS:
            raise Unreadable(_("Type an action, such as cast 1 or end."))
        return self._verbs[self._verb(words[0])](words[1:])

    def _verb(self, word: str) -> str:
        """Returns the action word that begins with `word`. If several do, only the words of legal actions count."""
        if word in self._verbs:
            return word
        found = [verb for verb in self._verbs if verb.startswith(word)]
        now = {str(action.__struct_config__.tag) for action in self._legal}
        found = [verb for verb in found if verb in now] or found
        if len(found) != 1:
            known = ", ".join(map(_, found or self._verbs))
            raise Unreadable(
                _("{word!r} is not an action here; the actions are: {known}.", word=word[:20], known=known)
            )
        return found[0]

    def _gem(self, word: str) -> int:
        found = [gem for gem in GEMS if gem.startswith(word)]
        if len(found) != 1:
            raise Unreadable(
                _("{word!r} is not a gem; the gems are: {listed}.", word=word[:20], listed=", ".join(map(_, GEMS)))
            )
        return GEM_AT[found[0]]

    def _gems(self, verb: str, ways: Sequence[Action], rest: list[str]) -> list[Action]:
        if not rest:
            raise Unreadable(_("Which gem? For example: {verb} fire.", verb=_(verb)))
        return [ways[self._gem(word)] for word in rest]

    def _pays(self, rest: list[str]) -> list[Action]:
        return [do.PAYS[self._gem(word)] for word in rest]

    def _number(self, example: str, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 4):
            raise Unreadable(_("{word!r} is not a number; for example: {example}.", word=word[:20], example=example))
        return int(word)

    def _numbers(self, example: str, rest: list[str], count: int) -> list[int]:
        if len(rest) != count:
            raise Unreadable(_("Type {count} numbers, for example: {example}.", count=count, example=example))
        return [self._number(example, word) for word in rest]

    def _book(self, example: str, word: str) -> int:
        book = self._number(example, word)
        if book not in BOOKS:
            raise Unreadable(_("There is no book {book}; for example: {example}.", book=book, example=example))
        return book

    def _cast(self, rest: list[str]) -> list[Action]:
        if not rest:
            raise Unreadable(_("Which book? For example: cast 2."))
        cast = do.CASTS[self._book(_("cast 2"), rest[0]) - 1]
        if len(rest) == 2 and rest[1].startswith("x"):
            times = self._number(_("cast 2 x3"), rest[1][1:])
            if not 1 <= times <= 20:
                raise Unreadable(_("You can cast one to twenty spells in one line, for example: cast 2 x3."))
            return [cast] * times
        return [cast, *self._pays(rest[1:])]

    def _draw(self, rest: list[str]) -> list[Action]:
        times = self._number(_("draw 2"), rest[0].removeprefix("x")) if rest else 1
        if not 1 <= times <= 20:
            raise Unreadable(_("You can draw one to twenty times in one line, for example: draw 2."))
        return [do.DRAW] * times

    def _opponent(self, rest: list[str], example: str) -> tuple[int, list[str]]:
        """Returns the seat of an opponent and the words after it. A line may leave the seat out if there is only one
        opponent."""
        if rest and rest[0].isascii() and rest[0].isdigit():
            seat = self._number(example, rest[0])
            if seat > do.TOP_SEAT:
                raise Unreadable(_("There is no seat {seat}; for example: {example}.", seat=seat, example=example))
            return seat, rest[1:]
        boards = self._view.others if isinstance(self._view, SeatView) else ()
        alive = [board.seat for board in boards if board.alive]
        if len(alive) != 1:
            raise Unreadable(_("Which seat? For example: {example}.", example=example))
        return alive[0], rest

    def _attack(self, rest: list[str]) -> list[Action]:
        seat, gems = self._opponent(rest, _("attack 2 fire"))
        return self._gems(_("attack {seat}", seat=seat), do.ATTACKS[seat], gems)

    def _darken(self, rest: list[str]) -> list[Action]:
        seat, more = self._opponent(rest, _("darken 2"))
        if more:
            raise Unreadable(_("A darkness icon needs only a seat, for example: darken 2."))
        return [do.DARKENS[seat]]

    def _from(self, verb: str, first: str, second: str, rest: list[str]) -> list[Action]:
        """Reads lines such as `shield fire academy`. A line may leave the place out if only one place is legal."""
        words = [word for word in rest if word != "from"]
        places = [place for place in (first, second) if words and place.startswith(words[-1])]
        if len(places) == 1 and len(words) > 1:
            words = words[:-1]
        gems = [self._gem(word) for word in words]
        if not gems:
            raise Unreadable(_("Which gem? For example: {verb} fire {first}.", verb=_(verb), first=_(first)))
        if len(places) != 1 or len(words) == len([word for word in rest if word != "from"]):
            places = [place for place in (first, second) if self._way(verb, place)[gems[0]] in self._legal]
            if len(places) != 1:
                raise Unreadable(
                    _(
                        "Say {first} or {second}: {verb} {gem} {first}.",
                        first=_(first),
                        second=_(second),
                        verb=_(verb),
                        gem=_(GEMS[gems[0]]),
                    )
                )
        ways = self._way(verb, places[0])
        return [ways[gem] for gem in gems]

    def _way(self, verb: str, place: str) -> Sequence[Action]:
        if verb == "shield":
            return do.ACADEMY_SHIELDS if place == "academy" else do.DISCARD_SHIELDS
        return do.HAND_VANISHES if place == "hand" else do.LIFE_VANISHES

    def _learn(self, rest: list[str]) -> list[Action]:
        book = len(rest) - 2  # `into` may come before the book, and a spell may have that word in its name
        words = [word for at, word in enumerate(rest) if at < book or word != "into"]
        if len(words) < 2:
            raise Unreadable(_("Which spell, and into which book? For example: learn absorb into 1."))
        number = self._book(_("learn absorb into 1"), words[-1])
        on_offer = [stack.spell for stack in self._view.academy.stacks]
        return [do.Learn(self._spell("_".join(words[:-1]), on_offer), number)]

    def _spell(self, word: str, known: Sequence[str]) -> str:
        """Returns the name of a spell from a beginning of the name, or else of one of the name's later words."""
        if word in known or word in self._cards.by_name:
            return word
        found = [name for name in known if name.startswith(word)]
        found = found or [name for name in known if f"_{word}" in name]
        if len(set(found)) != 1:
            raise Unreadable(
                _("{word!r} is not one of: {listed}.", word=word[:20], listed=", ".join(dict.fromkeys(found or known)))
            )
        return found[0]

    def _take(self, rest: list[str]) -> list[Action]:
        people = [person.name for person in self._cards.characters]
        found = [name for name in people if rest and name.startswith("_".join(rest))]
        if len(found) != 1:
            raise Unreadable(
                _(
                    "Which board? For example: take {people}; there are: {listed}.",
                    people=people[0],
                    listed=", ".join(people),
                )
            )
        return [do.Take(found[0])]

    def _move(self, rest: list[str]) -> list[Action]:
        numbers = self._numbers(_("move 1 2 3 1"), " ".join(rest).replace(".", " ").replace(" to ", " ").split(), 4)
        return [do.Lift(numbers[0], numbers[1]), do.Put(numbers[2], numbers[3])]

    def _revise(self, rest: list[str]) -> list[Action]:
        if not rest:
            return [do.REVISE]
        if not isinstance(self._view, SeatView):
            raise Unreadable(_("Only a mage can revise."))
        books = [[(copy.spell, copy.mastered) for copy in book] for book in self._view.you.books]
        own = [name for book in books for name, _ in book]
        wanted: list[list[tuple[str, bool]]] = [[]]
        for word in rest:
            if word == "/":
                wanted.append([])
            else:
                wanted[-1].append((self._spell(word.rstrip("*"), own), word.endswith("*")))
        if len(wanted) > len(BOOKS):
            raise Unreadable(_("There are three books: revise absorb / missile / tricks."))
        if sorted(own) != sorted(name for book in wanted for name, _ in book):
            raise Unreadable(_("Name each of your spells once: {listed}.", listed=", ".join(sorted(own))))
        begun = self._view.progress.phase == "revise"
        return [*([] if begun else [do.REVISE]), *find_rearrangement(books, wanted), do.DONE]
