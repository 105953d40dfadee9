"""The game contract: what a game implements, and what tables, bots and tools call.

A `State` is the full state of one match, including hidden cards, and never leaves the table that runs the match. Only
two things leave the table: a `View`, computed for one seat or for spectators, and an `Event`, addressed to the seats
that may know it. Seats are numbered 1..N clockwise. Where a parameter names a seat, None stands for a spectator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeAlias, cast

import msgspec

from games.chance import Chance
from games.choices import invalid_option_text
from games.language import _
from games.layout import Layout, uncached_encoder
from games.unions import convert_union
from languages.refused import translate_error

Seat: TypeAlias = int
Span: TypeAlias = tuple[str, str]  # (style, text); the style is one of STYLES
StyledLine: TypeAlias = list[Span]
STYLES = ("", "title", "key", "good", "bad", "you", "hidden", "dim")


class Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, cache_hash=True, gc=False):
    """One decision of one seat.

    Subclasses set `tag` to the word that names the action on the wire. Their fields are int, str, bool and tuples of
    them.
    """


class Event(msgspec.Struct, frozen=True, tag_field="what", gc=False):
    """Something that happened in a match. An event contains exactly what its receivers may know. Subclasses set `tag`
    to the word that names the event on the wire.

    `reveals` names the fields with new random information, such as a drawn card, a die or a card turned up. The exam
    (`games.testing.exam`) compares the events of two deals that a seat cannot tell apart: only these fields may differ
    between the two.
    """

    reveals: ClassVar[frozenset[str]] = frozenset()


class Knowledge(msgspec.Struct, frozen=True, gc=False):
    """Everything that a seat or a spectator knows by the rules.

    `Game.determinize` deals the hidden cards from this object alone. The object survives a round trip through JSON or
    msgpack, and is equal for two states that the seat cannot tell apart.
    """


class View(Knowledge, frozen=True, gc=False):
    """The match as a seat or a spectator sees it now. In a game in which a seat knows no more than its view, the view
    is also its `Knowledge`. A game has one subclass for seats and one for spectators, or a single one for both."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game's tables, each with a default. `Annotated[..., msgspec.Meta(description=...)]` describes a
    field."""


Printed: TypeAlias = Annotated[bool, msgspec.Meta(description="all options as in the rulebook")]


class AddressedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event with its receivers: all seats and spectators, or `only` one seat, or all of them `but` one seat."""

    event: Event
    only: Seat | None = None
    but: Seat | None = None

    def is_for(self, seat: Seat | None) -> bool:
        """Returns whether the event is addressed to a seat.

        Args:
            seat: The seat; None is a spectator.

        Returns:
            True if the seat receives it.
        """
        if self.only is not None:
            return seat == self.only
        return self.but is None or seat != self.but


def to_all(event: Event) -> AddressedEvent:
    """Addresses an event to every seat and the spectators.

    Args:
        event: The event.

    Returns:
        The addressed event, for the result of `State.apply` or `Game.start`.
    """
    return AddressedEvent(event)


def to_seat(seat: Seat, event: Event) -> AddressedEvent:
    """Addresses an event to one seat only.

    Args:
        seat: The only receiver.
        event: The event.

    Returns:
        The addressed event.
    """
    return AddressedEvent(event, only=seat)


def to_others(seat: Seat, event: Event) -> AddressedEvent:
    """Addresses an event to all seats but one, and to the spectators.

    Args:
        seat: The seat that does not receive it.
        event: The event.

    Returns:
        The addressed event.
    """
    return AddressedEvent(event, but=seat)


class Outcome(msgspec.Struct, frozen=True):
    """The end of a match by the rules.

    Attributes:
        scores: One number for each seat, in the game's own unit.
        places: One place for each seat; 1 is best. Equal places are shared: 1, 1, 3.
        reason: A word of the game for programs, such as `money`; a key of `Game.reasons`.
        text: A sentence for people, which names seats, not players. If `Words.ending_sentence` returns a sentence, the
            table shows that one instead.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    text: str

    @property
    def shares(self) -> tuple[float, ...]:
        """Returns each seat's share of the win: 1 for the first place, divided among all seats that share it, and 0 for
        others."""
        return tuple([1 / self.places.count(1) if place == 1 else 0.0 for place in self.places])


class IllegalAction(Exception):
    """The rules do not allow an action.

    Args:
        code: A word in lower_case, for programs.
        text: One sentence for the player. Code and text depend only on what the player knows.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text


class Unreadable(Exception):
    """A typed line is not an action of this game. The text of the exception says what was expected."""


class PositionRefused(Exception):
    """The description of a position, as in `Game.build_position`, is invalid. The text of the exception names the key
    at fault and the reason."""


class CardsRefused(Exception):
    """A card file is invalid. The text of the exception names the line, the card and the reason."""


class State(ABC):
    """One match in progress.

    A state is mutable, but deterministic: the same deal and the same actions give the same match. Two states are equal
    if all their contents are equal, including hidden cards and future random draws.
    """

    game: Game  # the game, with the cards of this match
    options: Any  # an instance of `game.options_type`
    seats: int

    @abstractmethod
    def to_move(self) -> frozenset[Seat]:
        """Returns the seats that have to decide now.

        Returns:
            An empty set when the match is over; several seats if they choose at the same time.
        """

    @abstractmethod
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        """Returns all legal actions of a seat, in a fixed order.

        Args:
            seat: The seat. The result depends only on what it knows.

        Returns:
            The actions; empty if the seat is not to move.
        """

    @abstractmethod
    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        """Returns the reason why an action is illegal. The call does not change the state.

        Args:
            seat: The seat that wants to act. The result depends only on what it knows.
            action: The action.

        Returns:
            The error, not raised, or None if the action is legal.
        """

    @abstractmethod
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        """Carries out an action.

        Args:
            seat: The seat that acts.
            action: Its action.

        Returns:
            The resulting events with their receivers, in order.

        Raises:
            IllegalAction: The action is illegal. The state is unchanged.
        """

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """Returns what a seat sees, with everything that it needs for a decision.

        Args:
            seat: The seat; None is a spectator.

        Returns:
            The view.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Returns the result of the match, or None while it goes on."""

    def eliminated_seats(self) -> frozenset[Seat]:
        """Returns the seats that the rules have eliminated. They decide nothing more. Their players may leave without
        losing their place in the result."""
        return frozenset()

    @abstractmethod
    def default_action(self, seat: Seat, chance: Chance) -> Action:
        """Returns the action that the server plays for a seat that has not decided within its time.

        Args:
            seat: The seat. The action is legal and depends only on what it knows.
            chance: Random numbers. A game draws the action if a fixed one would let others foresee a secret choice, or
                reveal that a card is not in the seat's hand.

        Returns:
            A legal action.
        """

    def knowledge(self, seat: Seat | None) -> Knowledge:
        """Returns everything that a seat knows by the rules. By default this is its view.

        Args:
            seat: The seat; None is a spectator.

        Returns:
            The knowledge. It depends only on the events that the seat received and on its own actions.
        """
        return self.view(seat)

    def redeal(self, seat: Seat | None, chance: Chance) -> Self:
        """Returns a random state that the seat cannot tell apart from this one. This state is not changed.

        Args:
            seat: The seat; None is a spectator.
            chance: Random numbers for the hidden cards.

        Returns:
            A new state from `Game.determinize` for the seat's knowledge.
        """
        return cast(Self, self.game.determinize(self.knowledge(seat), self.seats, self.options, chance))

    @abstractmethod
    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        """Returns a value for what an observer learns about an action of a seat by the rules.

        The exam uses it to find actions that look the same to an observer, and demands that their events and views are
        the same, too.

        Args:
            seat: The seat that acts.
            action: A legal action of that seat.
            observer: The seat that watches; None is a spectator.

        Returns:
            A value that is equal for two actions that look the same to the observer; the action itself if `observer ==
                seat`.
        """

    @abstractmethod
    def clone(self) -> State:
        """Returns an independent copy, which will draw the same random numbers."""

    @abstractmethod
    def save(self) -> bytes:
        """Returns the full state, including future random draws, as at most 4,096 bytes for `Game.load`. The bytes
        contain the secrets of all seats."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and deep-copies through `save`."""
        return self.game.load, (self.save(), self.options)


class Card(msgspec.Struct, frozen=True):
    """One kind of card, as `magehall cards GAME NAME` shows it."""

    name: str  # the name in actions: lower case, words joined by "_"
    title: str  # the name for people
    kind: str  # the kind of card
    count: int  # the number of copies in the deck
    text: str  # the effect
    facts: dict[str, int | str] = {}  # further properties by name, such as a cost
    heading: str = ""  # a line with kind, facts and copies; "" if the reader builds it from the other fields


class Words(ABC):
    """The text interface of a game: how people type its actions (in ASCII), and how its views and events are shown to
    them.

    All texts are in the current language. The methods do not change anything. `names` holds the players' names in seat
    order; names[0] has seat 1.
    """

    @property
    @abstractmethod
    def help_text(self) -> str:
        """Returns the game's action words, one per line, for `help` on a telnet connection."""

    @property
    def vocabulary(self) -> Mapping[str, str]:
        """Returns the words that `format_action` produces, except card names, each mapped to the word that people type
        for it in the current language."""
        return {}

    @property
    def synonyms(self) -> Mapping[str, str]:
        """Returns other words that people type in the current language, each mapped to the word of `vocabulary` that it
        means."""
        return {}

    @property
    def card_titles(self) -> Mapping[str, str]:
        """Returns the card names that `format_action` produces, each mapped to its title in the current language."""
        return {}

    @abstractmethod
    def format_action(self, action: Action) -> str:
        """Returns an action as people type it.

        Args:
            action: An action of the game.

        Returns:
            A short line, such as `bet 2 5`, `cast fireball 3` or `pass`. `parse_actions` turns it back into the action.
        """

    @abstractmethod
    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        """Returns the actions that a typed line means.

        Args:
            line: The line. Unambiguous short prefixes of words are valid.
            view: The view of the seat that typed it.
            legal: The seat's legal actions.

        Returns:
            Usually one action; later ones are for the seat's next decisions. A well-formed action need not be legal;
                the rules then say why it is not.

        Raises:
            Unreadable: The line is not an action. The text is a sentence.
        """

    whole = 1  # number of drawings of `render_boards`, from the first, with everything that a decision needs

    @property
    def legend(self) -> str:
        """Returns the meaning of the signs and abbreviations on the shorter drawings of `render_boards`, one per
        line; "" if there are none."""
        return ""

    @property
    def own_row_mark(self) -> str:
        """Returns the text that marks the row of the view's own seat on a board; "" if the board has no such mark."""
        return ""

    def numbers_by_name(self, view: View, names: Sequence[str]) -> dict[str, str]:
        """Returns what people type for each name on the board to which actions refer by a number.

        Args:
            view: The view that the board shows.
            names: The players' names in seat order.

        Returns:
            The typed word by name. By default these are the players' names with their seats.
        """
        return {name: str(seat) for seat, name in enumerate(names, 1)}

    @abstractmethod
    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        """Returns a short sentence that says what the seat has to decide.

        Args:
            view: The seat's view.
            legal: Its legal actions.

        Returns:
            The sentence, with an example to type.
        """

    def ending_sentence(self, reason: str, winners: Sequence[str], best: int) -> str:
        """Returns a sentence that says how a match ended.

        Args:
            reason: The outcome's `reason`.
            winners: The names of the players in first place.
            best: The highest score.

        Returns:
            The sentence, or "" to use the outcome's text.
        """
        return ""

    def format_score(self, score: int) -> str:
        """Returns a score with its unit.

        Args:
            score: A score of an outcome.

        Returns:
            A text such as `24 gold`.
        """
        return str(score)

    def preview_action(self, view: View, action: Action, names: Sequence[str]) -> str:
        """Returns what a legal action would do, as far as the rules and the view tell.

        Args:
            view: The view of the seat that would act.
            action: A legal action of that seat.
            names: The players' names in seat order.

        Returns:
            One or two sentences with the numbers before and after, or "" if there is nothing to say.
        """
        return ""

    def danger_warning(self, view: View, action: Action) -> str:
        """Returns a warning about a legal action that would put its own player out.

        Args:
            view: The view of the seat that would act.
            action: A legal action of that seat.

        Returns:
            A sentence, or "" for an action that needs no confirmation.
        """
        return ""

    def explain_scoring(self, view: View, names: Sequence[str]) -> list[str]:
        """Explains, with all numbers, how the round that just ended was scored.

        Args:
            view: The view after the round.
            names: The players' names in seat order.

        Returns:
            Lines of text; [] if no round has just ended.
        """
        return []

    def page_values(self, view: View, names: Sequence[str]) -> dict[str, Any]:
        """Returns the values that the game's template for browsers shows, by name.

        Args:
            view: The view to show. The values depend on nothing else but the names and the current language.
            names: The players' names in seat order.

        Returns:
            Texts and numbers, for `Game.page_template`; {} for a game without a template.
        """
        return {}

    def render_hand(self, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
        """Returns the hand of the view's seat as the board shows it.

        Args:
            view: The seat's view.
            names: The players' names in seat order.
            width: The largest number of columns of a line.

        Returns:
            Styled lines; [] for a spectator. By default this is the whole board.
        """
        return self.render_board(view, names, width)

    @abstractmethod
    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        """Returns a sentence for an event.

        Args:
            event: The event.
            names: The players' names in seat order.

        Returns:
            The sentence, or "" if the event needs no line.
        """

    @abstractmethod
    def render_boards(self, view: View, names: Sequence[str], width: int) -> Iterable[list[StyledLine]]:
        """Returns drawings of the table, the one with the most lines first.

        Args:
            view: The view to draw.
            names: The players' names in seat order.
            width: The largest number of columns of a line, at least 39.

        Returns:
            Drawings of styled lines. The last drawing begins with what a decision needs most. The styles add no
                information to the text.
        """

    def render_board(self, view: View, names: Sequence[str], width: int, height: int = 0) -> list[StyledLine]:
        """Returns the first drawing of `render_boards` that fits a height.

        Args:
            view: The view to draw.
            names: The players' names in seat order.
            width: The largest number of columns of a line.
            height: The largest number of lines; 0 for no limit.

        Returns:
            Styled lines. If no drawing fits, these are the first lines of the last drawing.
        """
        for drawing in self.render_boards(view, names, width):
            if not height or len(drawing) <= height:
                break
        return drawing[: height or None]


class Game(ABC):
    """A game. The registry finds it in `GAMES`, a list of instances in the game's package."""

    id: str  # the id on the wire and the command line, such as `cheaty-mages`
    title: str
    rules_version: str  # changes whenever the same deal and actions could give a different match
    min_seats: int
    max_seats: int
    action_type: Any  # the union of its actions, for msgspec.convert
    event_type: Any  # the union of its events
    view_type: Any  # the union of its views, or the one view type
    knowledge_type: Any  # the union of its knowledge types; the view type if a view is all that a seat knows
    options_type: type[Options]
    words: Words
    rules: Path  # the rules page: a README with numbered rules
    base_rules: Path | None = None  # the rules page that `rules` builds on, if any
    house_bot: str = "greedy"  # the default bot of the server, also for abandoned seats; without it, "random" plays
    unsaid: frozenset[str] = frozenset()  # view fields that `encode` leaves out, because other fields imply them
    exam_options: Mapping[str, Sequence[object]] = {}  # option values that the exam tests besides the defaults
    printed: Mapping[str, object] = {}  # the option values of the rulebook, for a table with the option `printed`
    reasons: Mapping[str, str] = {}  # every `Outcome.reason` with an English phrase without names, marked by N_
    cards_digest: str = ""  # a digest of the custom card file; "" with the game's own cards

    @property
    @abstractmethod
    def description(self) -> str:
        """Returns a description of the game in one sentence."""

    @property
    def objective(self) -> str:
        """Returns two lines: what a player does, and how a player wins."""
        return ""

    @property
    def page_template(self) -> Path | None:
        """Returns the Jinja template that shows the table in a browser, `page.html` beside the rules page. Without it,
        returns None, and browsers show the text board."""
        return _existing(self.rules.with_name("page.html"))

    @property
    def page_style(self) -> Path | None:
        """Returns the style sheet of the template, `page.css` beside the rules page; None if there is none."""
        return _existing(self.rules.with_name("page.css"))

    @property
    def no_resigning_reason(self) -> str | None:
        """Returns the sentence that forbids resigning, or None if the rules allow it."""
        return None

    @property
    def concern_phrase(self) -> str:
        """Returns the phrase that says which decisions concern a seat; "" for a game that does not implement
        `unconcerned_action`."""
        return ""

    def unconcerned_action(self, view: View, legal: Sequence[Action]) -> Action | None:
        """Returns the action that does not intervene, if a decision does not concern the seat.

        A person may have such decisions made automatically. The result must depend on public facts only: others see
        how long a decision takes, and must not learn from it which cards the seat has.

        Args:
            view: The view of the seat that decides.
            legal: Its legal actions.

        Returns:
            One of the legal actions; None if the player decides, which is the default for every decision.
        """
        return None

    def check_seats(self, seats: int) -> None:
        """Checks a number of seats.

        Args:
            seats: The number of players.

        Raises:
            ValueError: The game does not take that number. The text is a sentence.
        """
        if not self.min_seats <= seats <= self.max_seats:
            several = _("{title} takes {least} to {most} players, not {seats}.")
            text = several if self.min_seats < self.max_seats else _("{title} takes {most} players, not {seats}.")
            raise ValueError(text.format(title=self.title, least=self.min_seats, most=self.max_seats, seats=seats))

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        """Deals a match.

        Args:
            seats: The number of players.
            options: The table's options.
            chance: The random numbers of the match.

        Returns:
            The state, and the events before the first decision with their receivers.

        Raises:
            ValueError: The game does not take that number of players.
        """

    @abstractmethod
    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        """Returns a random full state, future draws included, that fits a seat's knowledge.

        Args:
            knowledge: The knowledge of a seat. The result depends on nothing else but the other arguments.
            seats: The number of players.
            options: The table's options.
            chance: Random numbers for everything hidden.

        Returns:
            A state. The hidden cards have the probabilities of a real deal, given the knowledge. A secret choice of a
                player is any of those that were possible.
        """

    @abstractmethod
    def load(self, saved: bytes, options: Options) -> State:
        """Returns the state that `State.save` wrote.

        Args:
            saved: The bytes of `save`. They must come from a trusted source.
            options: The options of that match.

        Returns:
            An equal state.
        """

    @abstractmethod
    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        """Returns every action that can ever be legal for any seat.

        Args:
            seats: The number of players.
            options: The table's options.

        Returns:
            The actions without duplicates, in a fixed order. The index of an action is its id for programs that learn.
        """

    @abstractmethod
    def layout(self, seats: int, options: Options) -> Layout:
        """Returns the description of the vector that `encode` writes.

        Args:
            seats: The number of players.
            options: The table's options.

        Returns:
            The layout: name, position, and smallest and largest value of each field.
        """

    @abstractmethod
    def encode(self, view: View, out: Any) -> None:
        """Writes a view as numbers. It uses nothing but the view.

        Args:
            view: The view.
            out: A list or an array, written from index 0 to the layout's size - 1. Equal views give equal numbers.
                Different views give different numbers, unless they differ only in `unsaid` fields or in the order
                within a pile.
        """

    def make_encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        """Returns a function that encodes many views quickly.

        Args:
            seats: The number of players.
            options: The table's options.

        Returns:
            A function from a view to the 32-bit floats that `encode` writes, as bytes. It may cache parts of earlier
                views.
        """
        return uncached_encoder(self.encode, self.layout(seats, options))

    @abstractmethod
    def max_game_length(self, seats: int, options: Options) -> int:
        """Returns an upper bound for the number of decisions of a match.

        Args:
            seats: The number of players.
            options: The table's options.

        Returns:
            The bound, over all seats together.
        """

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        """Returns a match at a position that a person describes.

        Args:
            given: A map with the keys that the README of the game lists, or the same as TOML text.
            chance: Random numbers for everything that is not described, which is dealt as in normal play.

        Returns:
            The state.

        Raises:
            PositionRefused: The description is invalid, or the game does not support it.
        """
        raise PositionRefused(_("{title} does not support described positions.", title=self.title))

    @abstractmethod
    def cards(self) -> list[Card]:
        """Returns every kind of card in the current language, in the order of the rules page."""

    def with_cards(self, text: str) -> Game:
        """Returns the same game with other cards.

        Args:
            text: The text of a card file.

        Returns:
            A game that plays with these cards.

        Raises:
            CardsRefused: The file is invalid, or the game does not support other cards.
        """
        raise CardsRefused(_("{title} does not support other cards.", title=self.title))

    def card_file_text(self) -> str:
        """Returns the text given to `with_cards`, or "" for the game's own cards."""
        return ""


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None


def plain_lines(lines: Iterable[StyledLine]) -> list[str]:
    """Returns the lines of a board without their styles.

    Args:
        lines: Styled lines.

    Returns:
        Lines of text without spaces at their ends.
    """
    return ["".join(text for _style, text in line).rstrip() for line in lines]


def changed_options(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the given options that differ from the game's defaults, or from the printed rules if `printed` is set.

    Args:
        game: The game.
        given: Option values by name.

    Returns:
        The different values by name.

    Raises:
        ValueError: An option is unknown or its value does not fit.
    """
    usual, chosen = to_map(options_from(game, {})), to_map(options_from(game, given))
    printed = game.printed if chosen.get("printed") else {}
    return {name: value for name, value in chosen.items() if value != usual[name] or value != printed.get(name, value)}


def to_map(value: msgspec.Struct) -> dict[str, Any]:
    """Converts an action, event, view, knowledge or outcome to plain data.

    Args:
        value: The struct.

    Returns:
        Maps, lists, strings and numbers, as the wire carries them.
    """
    return cast(dict[str, Any], msgspec.json.decode(msgspec.json.encode(value)))


def knowledge_from(game: Game, plain: Any) -> Knowledge:
    """Converts plain data to a game's knowledge.

    Args:
        game: The game.
        plain: Maps and lists from `to_map`, or from a message.

    Returns:
        The typed knowledge.

    Raises:
        ValueError: The data does not fit. The text names the field.
    """
    return cast(Knowledge, convert_union(plain, game.knowledge_type, "knowledge"))


def action_from(game: Game, plain: Mapping[str, Any]) -> Action:
    """Converts plain data to an action.

    Args:
        game: The game.
        plain: A map from `to_map`, or from a message.

    Returns:
        The typed action, which need not be legal.

    Raises:
        ValueError: The data does not fit. The text names the field.
    """
    return cast(Action, convert_union(plain, game.action_type, "action"))


def options_from(game: Game, given: Mapping[str, Any]) -> Options:
    """Converts plain values to a game's options.

    Args:
        game: The game.
        given: Option values by name. Options that are left out get their defaults; with `printed` those of
            `Game.printed`.

    Returns:
        The typed options.

    Raises:
        ValueError: An option is unknown or its value does not fit. The text names the option.
    """
    if given.get("printed") is True:
        given = {**game.printed, **given}
    known = ", ".join(game.options_type.__struct_fields__)
    for name in (one for one in given if one not in game.options_type.__struct_fields__):
        text = _("{title} has no option {name!r}; it has: {listed}.")
        raise ValueError(text.format(title=game.title, name=name[:32], listed=known or _("none")))
    try:
        return msgspec.convert(dict(given), game.options_type, strict=True)
    except msgspec.ValidationError as error:
        why = invalid_option_text(game.options_type, given) or translate_error(error)
        raise ValueError(_("{why}; options of {game}: {listed}", why=why, game=game.id, listed=known)) from None
