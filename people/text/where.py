"""Where somebody types: the current table, the decision awaited there, and what is kept from one line to the next."""

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
    """A request without its id, which the connection gives."""

    kind: type[m.Request]
    fields: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""  # of the answer that is shown: "hand"; "" for all

    @classmethod
    def of(cls, request: m.Request) -> Ask:
        """The same request."""
        return cls(type(request), {name: getattr(request, name) for name in request.__struct_fields__ if name != "id"})


@dataclass(frozen=True)
class Own:
    """A command that the person's own program carries out, and what was typed after its word."""

    word: str
    rest: str


@dataclass(frozen=True)
class Decision:
    """A decision that the typist has to make, one of `choices` actions. `listed` gives one by its place, from 0, and
    `said` how it is typed; `read`
    gives the actions that a line stands for, or raises Refusal."""

    table: str
    turn: int
    choices: int
    listed: Callable[[int], Map]
    said: Callable[[int], str]
    read: Callable[[str], list[Map]]

    def numbered(self, number: str) -> Map:
        """The action with that number in the list of `legal`. Raises Refusal."""
        if not 1 <= int(number) <= self.choices:
            raise Refusal("unreadable", _("Type a number from 1 to {choices}, or an action.", choices=self.choices))
        return self.listed(int(number) - 1)

    def act(self, action: Map) -> Ask:
        """The request that decides it."""
        return Ask(m.Act, {"table": self.table, "turn": self.turn, "action": action})


@dataclass(frozen=True)
class Where:
    """What the meaning of a line depends on. `table` and `game` are "" at no table."""

    games: Collection[str]  # the ids of all games that are played here
    tables: Callable[[str], Sequence[str]]  # the tables known to be in that state: open, playing or over
    table: str = ""
    game: str = ""
    forms: str = ""  # how the game's actions are typed, a row each
    decision: Callable[[], Decision | None] = lambda: None
    aim: str = ""  # of the game: what one does, and how one wins
    hint: Callable[[], str] = str  # what a house bot would do; "" where nothing is awaited
    idle: Callable[[], str] = str  # why the typist has no part in a match there: a code; "" while they have
    played_by: Callable[[], str] = str  # the house bot that plays the typist's seat; "" while they play it
    delay: Callable[[str], int] = lambda table: 0  # of that table's open hands; 0: none, or the typist sits there
    nonce: str = ""  # the typist's share in the chance of a deal
    left: Callable[[], Sequence[str]] = list  # the tables where a match goes on in which the typist has left a seat
    may_resign: bool = True  # False where the game's rules forbid it
    is_stranger: Callable[[], bool] = lambda: False  # whether no name was given yet
    without: frozenset[str] = frozenset()  # the commands that are none there
    pinned: bool = False  # the typist has a screen, from which a numbered list goes away again

    @property
    def says_hello(self) -> bool:
        """Whether the typist gives a name; else a program has given it, and folds lines itself."""
        return "hello" not in self.without

    def not_your_turn(self) -> Refusal:
        """Nothing is to be decided: by somebody who has no part in a match, or whose seat a house bot plays, at all."""
        if idle := self.idle():
            return Refusal(idle, self._over() if idle == "game_over" else "")
        by = self.played_by()
        text = _("{by} plays your seat now; there is nothing more to decide.", by=by) if by else ""
        return Refusal("not_your_turn", text)

    def _over(self) -> str:
        return _("The match is over.") + " " + another_match()


def idle(state: str, *, sits: bool) -> str:
    """Why somebody has no part in a match at a table in that state: a code; "" for who has."""
    if not sits:
        return "not_seated"
    return {"open": "not_started", "over": "game_over"}.get(state, "")


@dataclass
class Memory:
    """What is kept of a typist from one line to the next."""

    brief: bool = False  # the board is left out
    confirms: bool = False  # a decision waits until the typist says yes to it
    rings: bool = False  # the bell calls the typist to a decision
    width: int = 0  # columns of the terminal, as it told or as was typed; 0: unknown
    whisperer: str = ""  # who told them something last
    agrees: tuple[str, int] = ("", 0)  # the table, with its delay, of whose open hands the typist was told
    unsure: str = ""  # the command that was typed last, if it is done only when it is typed twice
    listed: tuple[str, int] = ("", 0)  # the table and the turn of the numbered list that was asked for last
    owners: dict[str, str] = field(default_factory=dict)  # of the tables where the typist is, as told last
    waiting: list[Map] = field(default_factory=list)  # the rest of a line that stands for several actions

    def be_brief(self, *, brief: bool) -> None:
        """Leaves the board out, or not."""
        self.brief = brief

    def confirm(self, *, on: bool) -> None:
        """Keeps each decision back until the typist says yes to it, or not."""
        self.confirms = on

    def ring(self, *, on: bool) -> None:
        """The bell calls the typist to a decision, or not."""
        self.rings = on

    def set_width(self, columns: int) -> None:
        """The terminal has so many columns; 0: unknown."""
        self.width = columns

    def ask_to_agree(self, table: str, delay: int) -> None:
        """The typist was told that all hands are shown there after that delay."""
        self.agrees = (table, delay)

    def be_unsure(self, word: str) -> str:
        """A command was typed that is done when it is typed twice; "" for any other. Returns the one before."""
        before, self.unsure = self.unsure, word
        return before

    def note_list(self, table: str, turn: int) -> None:
        """The numbered list of that decision is on the screen; ("", 0): none is."""
        self.listed = (table, turn)

    def wait_with(self, actions: list[Map]) -> None:
        """These actions are done when their turns come."""
        self.waiting = actions

    def take_waiting(self) -> Map | None:
        """The next of these actions, which waits no more; None for none."""
        return self.waiting.pop(0) if self.waiting else None

    def drop_waiting(self) -> None:
        """The rest of the line is not done."""
        self.waiting = []

    def hear(self, message: m.Message) -> None:
        """Notes who told something; an error or the match's end drops what was waiting."""
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
    """The action words of a game, as its forms list them, a row each."""
    return list(dict.fromkeys(row.split()[0].lower() for row in forms.split("\n") if row.strip()))
