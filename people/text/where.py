"""The context of typed lines: the current table, its open decision, and the state between lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from people.language import _
from people.text.sentences import another_match
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import Map


@dataclass(frozen=True)
class Ask:
    """A request without its id, which the connection adds."""

    kind: type[m.Request]
    fields: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""  # the part of the answer that is shown: "hand"; "" for all

    @classmethod
    def of(cls, request: m.Request) -> Ask:
        """Returns the same request as an Ask."""
        return cls(type(request), {name: getattr(request, name) for name in request.__struct_fields__ if name != "id"})


@dataclass(frozen=True)
class Own:
    """A command for the person's own program, and the words after it."""

    word: str
    rest: str


@dataclass(frozen=True)
class Decision:
    """A decision of the typist, one of `choices` actions.

    `listed` returns one by its index from 0, and `said` its typed form. `read` returns the actions that a line stands
    for, or raises Refusal.
    """

    table: str
    turn: int
    choices: int
    listed: Callable[[int], Map]
    said: Callable[[int], str]
    read: Callable[[str], list[Map]]

    def numbered(self, number: str) -> Map:
        """Returns the action with that number in the list of `legal`. Raises Refusal."""
        if not 1 <= int(number) <= self.choices:
            raise Refusal("unreadable", _("Type a number from 1 to {choices}, or an action.", choices=self.choices))
        return self.listed(int(number) - 1)

    def act(self, action: Map) -> Ask:
        """Returns the request for that action."""
        return Ask(m.Act, {"table": self.table, "turn": self.turn, "action": action})


@dataclass(frozen=True)
class Where:
    """The context on which the meaning of a line depends. `table` and `game` are "" without a table."""

    games: Collection[str]  # the ids of all games of this server
    tables: Callable[[str], Sequence[str]]  # returns the known tables in a state: open, playing or over
    table: str = ""
    game: str = ""
    forms: str = ""  # the forms of the game's actions, a row each
    decision: Callable[[], Decision | None] = lambda: None
    aim: str = ""  # the game's aim: what players do, and how they win
    hint: Callable[[], str] = str  # returns a house bot's advice; "" without an open decision
    idle: Callable[[], str] = str  # returns a code for why the typist has no part in a match there; "" if they have
    played_by: Callable[[], str] = str  # returns the house bot that plays the typist's seat; "" if they play it
    # returns the delay of a table's open hands; 0: none, or the typist has a seat there
    delay: Callable[[str], int] = lambda table: 0
    nonce: str = ""  # the typist's part of the randomness of a deal
    # returns the tables with a running match in which the typist has left a seat
    left: Callable[[], Sequence[str]] = list
    may_resign: bool = True  # False if the game's rules forbid it
    is_stranger: Callable[[], bool] = lambda: False  # returns whether no name was given yet
    without: frozenset[str] = frozenset()  # the commands that do not exist here
    pinned: bool = False  # the typist has a screen, from which a numbered list disappears again

    @property
    def says_hello(self) -> bool:
        """Whether the typist says hello. Otherwise a program has said it, and folds lines itself."""
        return "hello" not in self.without

    def not_your_turn(self) -> Refusal:
        """Returns the refusal of a decision, according to why the typist has none."""
        if idle := self.idle():
            return Refusal(idle, self._over() if idle == "game_over" else "")
        by = self.played_by()
        text = _("{by} plays your seat now; there is nothing more to decide.", by=by) if by else ""
        return Refusal("not_your_turn", text)

    def _over(self) -> str:
        return _("The match is over.") + " " + another_match()


def idle(state: str, *, sits: bool) -> str:
    """Returns a code for why a person has no part in a match at a table in that state; "" if they have."""
    if not sits:
        return "not_seated"
    return {"open": "not_started", "over": "game_over"}.get(state, "")


@dataclass
class Memory:
    """The state of a typist between lines."""

    brief: bool = False  # leave the board out
    confirms: bool = False  # decisions wait for confirmation
    rings: bool = False  # the bell calls the typist to a decision
    width: int = 0  # columns of the terminal, as it reported or as typed; 0: unknown
    whisperer: str = ""  # the sender of the latest private message
    agrees: tuple[str, int] = ("", 0)  # the table whose open hands were announced, with its delay
    unsure: str = ""  # the latest command that must be typed twice
    listed: tuple[str, int] = ("", 0)  # the table and the turn of the latest numbered list
    owners: dict[str, str] = field(default_factory=dict)  # of the typist's tables, as last reported
    waiting: list[Map] = field(default_factory=list)  # the rest of a line that stands for several actions

    def be_brief(self, *, brief: bool) -> None:
        """Sets whether to leave the board out."""
        self.brief = brief

    def confirm(self, *, on: bool) -> None:
        """Sets whether decisions wait for confirmation."""
        self.confirms = on

    def ring(self, *, on: bool) -> None:
        """Sets whether the bell announces a decision."""
        self.rings = on

    def set_width(self, columns: int) -> None:
        """Sets the columns of the terminal; 0: unknown."""
        self.width = columns

    def ask_to_agree(self, table: str, delay: int) -> None:
        """Notes that the typist knows of the open hands at that table, and of their delay."""
        self.agrees = (table, delay)

    def be_unsure(self, word: str) -> str:
        """Notes a command that must be typed twice; "" for any other. Returns the one before."""
        before, self.unsure = self.unsure, word
        return before

    def note_list(self, table: str, turn: int) -> None:
        """Notes the decision whose numbered list is on the screen; ("", 0) for none."""
        self.listed = (table, turn)

    def wait_with(self, actions: list[Map]) -> None:
        """Keeps these actions until their turns come."""
        self.waiting = actions

    def take_waiting(self) -> Map | None:
        """Removes and returns the next of these actions; None if there is none."""
        return self.waiting.pop(0) if self.waiting else None

    def drop_waiting(self) -> None:
        """Drops the rest of the line."""
        self.waiting = []

    def hear(self, message: m.Message) -> None:
        """Notes the sender of a private message. An error or the end of the match drops the waiting actions."""
        if isinstance(message, m.Chat) and message.private:
            self.whisperer = message.sender
        elif isinstance(message, (m.Error, m.Over)):
            self.drop_waiting()
            if isinstance(message, m.Over):
                self.owners.pop(message.table, None)
        elif isinstance(message, (m.TableReply, m.Seated, m.Watching, m.TableChanged)):
            self.owners[message.info.table] = message.info.owner
        elif isinstance(message, (m.Left, m.SentAway)):
            self.owners.pop(message.table, None)


@cache
def game_words(forms: str) -> list[str]:
    """Returns the action words of a game from its forms, a row each."""
    return list(dict.fromkeys(row.split()[0].lower() for row in forms.split("\n") if row.strip()))
