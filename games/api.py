"""What a game is: the contract between the rules and everything that plays them.

A `State` is the whole truth of one match and never leaves its table. What leaves is a `View`, built for one seat from
nothing, or an `Event` addressed to those who may know it. Seats are numbered 1..N clockwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias, cast

import msgspec

from games.chance import Chance
from games.choices import misfit
from games.language import _
from games.layout import Layout, encoder_of
from games.unions import converted
from languages.refused import refused

Seat: TypeAlias = int
Span: TypeAlias = tuple[str, str]  # (style, text); the style is one of STYLES
Line: TypeAlias = list[Span]
STYLES = ("", "title", "key", "good", "bad", "you", "hidden", "dim")


class Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, cache_hash=True, gc=False):
    """One decision of one seat. Subclasses set `tag="word"` and have plain fields (int, str, bool, tuples of them)."""


class Event(msgspec.Struct, frozen=True, tag_field="what", gc=False):
    """Something that happened, holding exactly what its hearers may know. Subclasses set `tag="word"`.
    `reveals` names the fields with a fact that its hearers could not know before (a card drawn, a die, a card turned
    up). The exam lets two deals differ in those fields, and in no other."""

    reveals: ClassVar[frozenset[str]] = frozenset()


class Knowledge(msgspec.Struct, frozen=True, gc=False):
    """All that one seat or a spectator knows by the rules: from it alone `Game.imagine` deals the rest. It survives
    JSON and msgpack, and is equal for two truths that the seat cannot tell apart."""


class View(Knowledge, frozen=True, gc=False):
    """What one seat or a spectator sees now; where that is all it knows, it is its knowledge too. A game has one
    subclass for seats and one for spectators, or one."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's table options, each with a default; `Annotated[..., msgspec.Meta(description=...)]` explains a field."""


class Told(msgspec.Struct, frozen=True, gc=False):
    """An event and who hears it: everybody, `only` one seat, or everybody (spectators too) `but` one seat."""

    event: Event
    only: Seat | None = None
    but: Seat | None = None

    def heard_by(self, seat: Seat | None) -> bool:
        """Whether this seat hears it; None is a spectator."""
        if self.only is not None:
            return seat == self.only
        return self.but is None or seat != self.but


def tell_all(event: Event) -> Told:
    """Everybody at the table hears it, and the spectators."""
    return Told(event)


def tell(seat: Seat, event: Event) -> Told:
    """One seat alone hears it."""
    return Told(event, only=seat)


def tell_others(seat: Seat, event: Event) -> Told:
    """Everybody but that seat hears it, and the spectators."""
    return Told(event, but=seat)


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended by the rules.

    scores: one number a seat, in the game's own unit; places: 1 = best, equal places are shared (1, 1, 3, ...);
    reason: one word of the game's own (`money`, `last_alive`, `line`), for programs; a sentence is in `text`, which
    knows seats and no names: tables tell `Words.ending` where the game has it.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    text: str

    @property
    def shares(self) -> tuple[float, ...]:
        """What each seat has of the win: 1, shared by those who tie for the first place; 0 for the others."""
        return tuple([1 / self.places.count(1) if place == 1 else 0.0 for place in self.places])


class IllegalAction(Exception):
    """A player erred by the rules. `code` is a lower_case word, `text` one sentence; both from what the mover knows."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text


class Unreadable(Exception):
    """A typed line that is no action of this game; the text says what was expected."""


class PositionRefused(Exception):
    """A described position that cannot be; the text names the key and the reason."""


class CardsRefused(Exception):
    """A card file that cannot be used; the text names line, card and reason."""


class State(ABC):
    """One match in progress. Mutable, but pure: same deal, same actions, same match. Equality compares everything."""

    game: Game  # with the cards of this match
    options: Any  # of the game's own type
    seats: int

    @abstractmethod
    def to_move(self) -> frozenset[Seat]:
        """Who has to decide now: empty when the match is over, several for choices made at once."""

    @abstractmethod
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        """All that this seat may do now, in a fixed order, computed from what the seat knows. Empty if not to move."""

    @abstractmethod
    def refusal(self, seat: Seat, action: Action) -> IllegalAction | None:
        """Why this seat may not do that now, from what the seat knows; None if it may. Changes nothing."""

    @abstractmethod
    def apply(self, seat: Seat, action: Action) -> list[Told]:
        """Does it and returns what is told, in order. Raises IllegalAction, and then nothing has changed."""

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """All that the seat knows and needs to decide; None is a spectator."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while the match goes on."""

    def out(self) -> frozenset[Seat]:
        """Seats that the rules have put out of the match: they are asked nothing more, and their players may leave
        without losing the place that the rules give them."""
        return frozenset()

    @abstractmethod
    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """What is done for a seat that did not decide in time; legal, from what that seat knows; by lot where others
        could otherwise foresee a secret choice, or learn from it what is not in hand."""

    def knowledge(self, seat: Seat | None) -> Knowledge:
        """All that the seat knows; None is a spectator. A function of what that seat was told, and never of what it
        cannot know. It is the view, unless that leaves something out."""
        return self.view(seat)

    def redeal(self, seat: Seat | None, chance: Chance) -> Self:
        """Another truth that the seat cannot tell from this one: what it knows, imagined. Changes nothing here."""
        return cast(Self, self.game.imagine(self.knowledge(seat), self.seats, self.options, chance))

    @abstractmethod
    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        """How that legal action of `seat` looks to another by the rules alone: equal for actions that look the same.
        For `observer == seat` it is the action itself. The exam compares events and views with it."""

    @abstractmethod
    def clone(self) -> State:
        """An independent copy, the draws to come included."""

    @abstractmethod
    def save(self) -> bytes:
        """Everything, draws to come included, in at most 4 kB; `Game.load` reads it. Nobody at the table may see it."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickling and deep copies go through `save`."""
        return self.game.load, (self.save(), self.options)


class Card(msgspec.Struct, frozen=True):
    """One kind of card as people look it up: `magehall cards GAME NAME`."""

    name: str  # as actions write it: lower case, words joined by "_"
    title: str  # as people read it
    kind: str  # what kind of card it is
    count: int  # how many copies of it there are
    text: str  # what it does
    facts: dict[str, int | str] = {}  # its numbers and words by name
    heading: str = ""  # kind, facts and copies as people read them; empty where a reader makes it from the others


class Words(ABC):
    """How people write a game's actions, in ASCII, and read its views and events, in the current language. Pure.
    `names` has a name for each seat; names[0] is seat 1."""

    @property
    @abstractmethod
    def help(self) -> str:
        """The game's action words, a line each, for `help` on a telnet line."""

    @property
    def vocabulary(self) -> Mapping[str, str]:
        """The words of `write` that are no names of cards, and what people type for each in the current language."""
        return {}

    @property
    def titles(self) -> Mapping[str, str]:
        """The names of cards, as `write` has them, and their titles in the current language."""
        return {}

    @abstractmethod
    def write(self, action: Action) -> str:
        """The short form that is typed: `bet 2 5`, `cast fireball 3`, `pass`. `read` gives the action back."""

    @abstractmethod
    def read(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        """The actions that a typed line stands for, mostly one; those after the first are tried at the turns to come.

        Raises Unreadable with a sentence. Short unambiguous prefixes work. It need not check legality: a well-formed
        action that is not legal is returned, so that the rules can say why.
        """

    def places(self, view: View, names: Sequence[str]) -> dict[str, str]:
        """What stands on the board beside a number, by its name as it is shown, with what is typed for it: the players
        with their seats, as long as a game has nothing else."""
        return {name: str(seat) for seat, name in enumerate(names, 1)}

    @abstractmethod
    def ask(self, view: View, legal: Sequence[Action]) -> str:
        """What the seat has to decide now, in one short sentence with an example to type."""

    def ending(self, reason: str, winners: Sequence[str], best: int) -> str:
        """How a match ended, in a sentence.

        Args:
            reason: The outcome's.
            winners: The names of the players in the first place.
            best: The highest score.

        Returns:
            The sentence; "" if the game has none, and the outcome's text is told.
        """
        return ""

    def foresee(self, view: View, action: Action, names: Sequence[str]) -> str:
        """What a legal action of the view's seat would do, as far as its rules and that view tell, in a sentence or two
        with the figures before and after; "" where there is nothing to say."""
        return ""

    def account(self, view: View, names: Sequence[str]) -> list[str]:
        """How the figures of a round that has just ended add up, in lines; [] where none has."""
        return []

    def hand(self, view: View, names: Sequence[str], width: int) -> list[Line]:
        """The hand of the view's seat, as the board shows it; [] for a spectator. By default the whole board."""
        return self.board(view, names, width)

    @abstractmethod
    def tell(self, event: Event, names: Sequence[str]) -> str:
        """One sentence for an event. "" where there is nothing worth a line."""

    @abstractmethod
    def boards(self, view: View, names: Sequence[str], width: int) -> Iterable[list[Line]]:
        """The table as this view shows it, its longest drawing first, in the last what a decision needs first: lines of
        at most `width` (39 or more) columns; styles carry no meaning."""

    def board(self, view: View, names: Sequence[str], width: int, height: int = 0) -> list[Line]:
        """The first drawing of at most so many lines, 0 for any number; if there is none, the beginning of the last."""
        for drawing in self.boards(view, names, width):
            if not height or len(drawing) <= height:
                break
        return drawing[: height or None]


class Game(ABC):
    """A game as the registry finds it: a package's `GAMES` lists its instances."""

    id: str  # on the wire and the command line: `cheaty-mages`
    title: str
    rules_version: str  # changes whenever the same deal and actions could give another match
    min_seats: int
    max_seats: int
    action_type: Any  # the union of its actions, for msgspec.convert
    event_type: Any  # the union of its events
    view_type: Any  # the union of its views, or the one view type
    knowledge_type: Any  # the union of what `knowledge` gives: the view type, where the view is all that is known
    options_type: type[Options]
    words: Words
    rules: Path  # the numbered README
    base_rules: Path | None = None  # the page from which that one differs
    house_bot: str = "greedy"  # the usual opponent, if installed; else "random"
    takes_over: str = ""  # who plays an abandoned seat, where the rules name somebody else than the house bot
    unsaid: frozenset[str] = frozenset()  # names of fields of views that `encode` leaves out: they follow from others
    exam_options: Mapping[str, Sequence[object]] = {}  # option values that the exam plays besides the defaults
    reasons: Mapping[str, str] = {}  # of outcomes: each in a few English words that name nobody, marked by N_
    cards_digest: str = ""  # names replaced card data; "" for the game's own

    @property
    @abstractmethod
    def about(self) -> str:
        """One sentence."""

    @property
    def aim(self) -> str:
        """In two lines: what one does, and how one wins."""
        return ""

    @property
    def no_resigning(self) -> str | None:
        """Where resigning is against the rules: the sentence that says so."""
        return None

    def check_seats(self, seats: int) -> None:
        """Raises ValueError, with a sentence, for a number of seats that it does not take."""
        if not self.min_seats <= seats <= self.max_seats:
            several = _("{title} takes {least} to {most} players, not {seats}.")
            text = several if self.min_seats < self.max_seats else _("{title} takes {most} players, not {seats}.")
            raise ValueError(text.format(title=self.title, least=self.min_seats, most=self.max_seats, seats=seats))

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[Told]]:
        """Deals a match; the events tell what happened before the first decision. Raises ValueError for bad seats."""

    @abstractmethod
    def imagine(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        """A whole truth, future draws included, drawn from all that this knowledge allows, each as likely as the deal
        makes it; what players chose in secret is any of what they might have chosen. It depends on nothing else."""

    @abstractmethod
    def load(self, saved: bytes, options: Options) -> State:
        """The state that `save` wrote, with the options of its match. For bytes of our own making alone."""

    @abstractmethod
    def actions(self, seats: int, options: Options) -> Sequence[Action]:
        """Everything that can ever be legal for any seat, each once and in an order that stays the same: an action's
        place is its id, for programs that deal in numbers."""

    @abstractmethod
    def layout(self, seats: int, options: Options) -> Layout:
        """What stands where in the vector that `encode` writes, with the least and the largest value of each field."""

    @abstractmethod
    def encode(self, view: View, out: Any) -> None:
        """Writes a view as numbers, from it alone, into a list or an array, at 0 to the layout's size - 1. Equal views
        give equal numbers, different ones others, but for what `unsaid` names and the order of what lies in a pile."""

    def encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        """What makes of a view the floats that `encode` writes; it may keep what they share with those before."""
        return encoder_of(self.encode, self.layout(seats, options))

    @abstractmethod
    def longest(self, seats: int, options: Options) -> int:
        """More decisions than these, of all seats together, a match cannot have."""

    def position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        """A match at the position that a person describes: a map, or the same as TOML text, with the README's keys.
        What is not said is dealt by `chance`, as if it had been reached by play. Raises PositionRefused."""
        raise PositionRefused(_("{title} takes no described positions.", title=self.title))

    @abstractmethod
    def cards(self) -> list[Card]:
        """Every kind of card, in the order of the rules page, in the current language."""

    def with_cards(self, text: str) -> Game:
        """The same game with this card file instead of its own. Raises CardsRefused."""
        raise CardsRefused(_("{title} has no replaceable cards.", title=self.title))

    def cards_source(self) -> str:
        """The text that `with_cards` took; "" for the game's own cards."""
        return ""


def plain(lines: Iterable[Line]) -> list[str]:
    """Board lines without their styles."""
    return ["".join(text for _style, text in line).rstrip() for line in lines]


def changed_options(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options that differ from the game's defaults. Raises ValueError as `options_from`."""
    usual = to_map(options_from(game, {}))
    return {name: value for name, value in to_map(options_from(game, given)).items() if value != usual[name]}


def to_map(value: msgspec.Struct) -> dict[str, Any]:
    """An action, event, view, knowledge or outcome as plain maps and lists, as the wire carries it."""
    return cast(dict[str, Any], msgspec.json.decode(msgspec.json.encode(value)))


def knowledge_from(game: Game, plain: Any) -> Knowledge:
    """Plain maps as what a seat of the game knows. Raises ValueError with a sentence that names the field."""
    return cast(Knowledge, converted(plain, game.knowledge_type, "knowledge"))


def action_from(game: Game, plain: Mapping[str, Any]) -> Action:
    """A plain map as one of the game's actions. Raises ValueError with a sentence that names the field."""
    return cast(Action, converted(plain, game.action_type, "action"))


def options_from(game: Game, given: Mapping[str, Any]) -> Options:
    """A game's options from plain values. Raises ValueError with a sentence that names the option."""
    known = ", ".join(game.options_type.__struct_fields__)
    for name in (one for one in given if one not in game.options_type.__struct_fields__):
        text = _("{title} has no option {name!r}; it has: {listed}.")
        raise ValueError(text.format(title=game.title, name=name[:32], listed=known or _("none")))
    try:
        return msgspec.convert(dict(given), game.options_type, strict=True)
    except msgspec.ValidationError as error:
        why = misfit(game.options_type, given) or refused(error)
        raise ValueError(_("{why}; options of {game}: {listed}", why=why, game=game.id, listed=known)) from None
