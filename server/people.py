"""Who is known here: names, what proves them, and what a player is in the middle of."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.messages import QUESTIONS, Hello, Message, PlayerInfo, Resumed, Watching
from protocol.proof import key, proves

if TYPE_CHECKING:
    from server.table import Table

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
RESERVED = frozenset({"server", "admin", "all", "house", "magehall", "everybody", "nobody", "you", "spectator"})
_FOLD = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "_": None, "-": None})
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Ear(Protocol):
    """What tells a player something: a session."""

    def push(self, messages: Iterable[Message]) -> None:
        """Never waits."""
        ...

    def end(self, reason: str) -> None:
        """Says goodbye and closes."""
        ...


class Player:
    """A name, and what belongs to it across connections."""

    __slots__ = ("_answers", "_code", "_key", "_last", "_session", "bot", "ear", "games", "name", "tables", "used")

    def __init__(self, name: str) -> None:
        self.name = name
        self.ear: Ear | None = None
        self.bot = False
        self.used = False  # something was asked under this name after its hello
        self.games: tuple[str, ...] = ()
        self.tables: dict[str, Table] = {}
        self._key = b""
        self._code = ""
        self._session = ""
        self._last = 0
        self._answers: dict[int, tuple[object, Message | None]] = {}

    @property
    def kind(self) -> str:
        """As SeatInfo has it."""
        return "bot" if self.bot else "person"

    def info(self) -> PlayerInfo:
        """What everybody may know."""
        return PlayerInfo(self.name, self.kind, tuple(self.tables))

    def proves(self, hello: Hello, challenge: str) -> bool:
        """Whether the hello's proof or one-time code belongs to this name; a code is used up by being right."""
        if hello.proof:
            return proves(self._key, challenge, hello.name, hello.proof)
        if hello.code and hmac.compare_digest(self._code.encode(), hello.code.encode()):
            self._code = ""
            return True
        return False

    def new_token(self) -> str:
        """A fresh token; it is told once, and but for that answer only its hash is kept."""
        token = secrets.token_hex(16)
        self._key = key(token)
        return token

    def new_code(self) -> str:
        """A fresh one-time code for the next hello of somebody who types."""
        self._code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(10))
        return self._code

    def begin(self, session: str, request_id: int) -> None:
        """A connection begins with that hello; request ids go on only within the same named session."""
        if not session or session != self._session:
            self._session, self._last = session, request_id
            self._answers.clear()
        for number, (request, answer) in self._answers.items():
            if isinstance(answer, Resumed | Watching):  # tied to the connection they were given on
                self._answers[number] = (request, None)

    def earlier(self, request_id: int, request: object) -> Message | None:
        """The answer already given to that id. None for a new id, which is then taken, and for what is to be done
        again: a question, or what a new connection needs anew.

        Raises RemoteProtocolError: `id_reused` for another request under an old id, `bad_id` for an id that went back.
        """
        self.used = True
        if request_id > self._last:
            self._last = request_id
            return None
        if request_id not in self._answers:
            raise RemoteProtocolError("bad_id", re=request_id)
        known, answer = self._answers[request_id]
        if known != request:
            raise RemoteProtocolError("id_reused", re=request_id)
        return answer

    def answered(self, request_id: int, request: object, answer: Message) -> None:
        """Keeps an answer for as long as it may be asked for again, unless it is to a mere question and may be long."""
        answers = self._answers
        answers[request_id] = (request, None if type(request) in QUESTIONS else answer)
        if len(answers) > limits.REPLIES_KEPT:
            del answers[next(iter(answers))]  # the oldest


class People:
    """Every name in use. Look-alikes (case, 0 and O, 1 and l and I, - and _) count as the same name."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[str, Player] = {}

    def find(self, name: str) -> Player | None:
        """The player of that name, or of one that looks like it."""
        return self._known.get(fold(name))

    def here(self) -> list[Player]:
        """Those with a connection, by name."""
        return sorted((player for player in self._known.values() if player.ear), key=lambda player: player.name)

    def admit(self, hello: Hello, challenge: str) -> tuple[Player, str]:
        """The player who says hello, and the token if the name is new.

        Raises RemoteProtocolError: bad_name, name_taken, bad_proof, server_full.
        """
        name = hello.name
        if not NAME.fullmatch(name) or fold(name) in _RESERVED_FOLDED:
            raise RemoteProtocolError("bad_name")
        player = self._known.get(fold(name))
        if player is None:
            if hello.proof or hello.code:
                raise RemoteProtocolError(
                    "bad_proof", "No such name is known here; say hello without a proof to take it."
                )
            self._make_room()
            player = self._known[fold(name)] = Player(name)
            return player, player.new_token()
        if player.name != name or not (hello.proof or hello.code):
            raise RemoteProtocolError("name_taken")
        if not player.proves(hello, challenge):
            raise RemoteProtocolError("bad_proof")
        return player, ""

    def _make_room(self) -> None:
        """Once there are too many, forgets the oldest name that was taken and never used: a flood steals nobody's."""
        if len(self._known) < self._most:
            return
        for folded, player in self._known.items():
            if player.ear is None and not player.tables and not player.used:
                del self._known[folded]
                return
        raise RemoteProtocolError("server_full")


def fold(name: str) -> str:
    """Equal for names that look alike."""
    return name.lower().translate(_FOLD)


_RESERVED_FOLDED = frozenset(fold(name) for name in RESERVED)
