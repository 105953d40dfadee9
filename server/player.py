"""A player: a name, and its state across connections."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, Union

import msgspec

from languages import ENGLISH
from protocol.errors import Refusal
from protocol.messages import (
    REPLIES,
    CupReply,
    Error,
    Hello,
    Message,
    Operator,
    Password,
    PlayerInfo,
    Request,
    Resumed,
    Watching,
    Welcome,
)
from protocol.messages.exchanges import EXCHANGES
from protocol.messages.parts import ALL_WITH_TURN, LIVE, TURNS, WANTS, Hears, Wants
from protocol.names import lookalike_key
from protocol.proof import hash_secret, is_valid_proof
from server.config import DEFAULTS, Config
from server.fair_share import WorkShare
from server.player_stats import MatchStats
from server.reconnect_codes import ReconnectCodes
from server.store.journal import Journal
from server.store.rows import EVERYTHING
from server.token_bucket import TokenBucket

LobbyTalk: TypeAlias = Literal["on", "off", "auto"]

DIGEST_BYTES = 64
SECRET_REQUESTS = (Hello, Password, Operator)
"""Types of requests that contain a secret. No digest of them is stored, because a short secret could be guessed from
its digest."""


class PlayerRow(msgspec.Struct, omit_defaults=True):
    """The stored row of a name.

    Attributes:
        held: The key that proofs of the name must fit; b"" if it has none.
        key: The token itself; only in rows that older versions wrote.
        before: The previous code, while it is still valid.
        password: The stored form of the password; b"" if there is none.
    """

    name: str
    key: bytes
    code: str
    session: str = ""
    last: int = 0  # the highest request id that the client has used
    bot: bool = False
    games: tuple[str, ...] = ()
    agreed: int = 0
    played: bool = False
    muted: bool = False
    held: bytes = b""
    renown: MatchStats = msgspec.field(default_factory=MatchStats)
    language: str = ENGLISH
    ignored: tuple[str, ...] = ()
    lobby_talk: LobbyTalk = "auto"
    substitutes: bool = False
    before: str = ""
    password: bytes = b""


class AnswerRow(msgspec.Struct, omit_defaults=True):
    """A stored answer to a request. `questions` has the digests of the questions before it, which are answered again if
    they are repeated."""

    session: str
    id: int
    digest: bytes
    answer: bytes = b""
    questions: dict[int, bytes] = {}


class PlayerSession(Protocol):
    """The session of a player, to which messages are sent. `address` is the peer's address; None if it is unknown."""

    address: Hashable

    def push(self, messages: Sequence[Message], *, live: bool = True, kept: bool = False) -> None:
        """Sends messages to the player. Never waits.

        Args:
            messages: The messages.
            live: Whether the messages must be sent now. Others may be sent later, together with the next live ones.
            kept: Whether the messages are about something on disk, so that they are sent even if an answer before them
                is lost.
        """
        ...

    def hold_until_committed(self, position: int) -> None:
        """Holds back all further messages until batch `position` of the journal is on disk."""
        ...

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        """Sends a goodbye with the code `reason` and the operator's explanation `why`, and closes the connection."""
        ...


class Player:
    """A name, and its state across connections."""

    __slots__ = (
        "_answers",
        "_config",
        "_journal",
        "_last",
        "_questions",
        "_session",
        "_slot",
        "address",
        "agreed",
        "batches_all",
        "batches_events",
        "bot",
        "codes",
        "games",
        "hears_events",
        "ignored",
        "key",
        "language",
        "listener",
        "lobby_talk",
        "meter",
        "muted",
        "name",
        "password",
        "played",
        "renown",
        "seen",
        "substitutes",
        "tables",
        "talk_meter",
        "used",
        "wants",
    )

    def __init__(self, name: str, journal: Journal | None = None, config: Config = DEFAULTS) -> None:
        self.name, self._config = name, config
        self._journal = journal or Journal()
        self.listener: PlayerSession | None = None
        self.meter: TokenBucket | None = None  # token bucket for requests; None until the player's first connection
        self.talk_meter: TokenBucket | None = None  # token bucket for chat; None until the player's first chat line
        self.address: Hashable = None  # the address of the player's latest connection
        self.seen = 0.0  # when the player was last connected, on the server's clock
        self.played = False  # whether the player had a seat in a match that began
        self.renown = MatchStats()  # statistics of the player's finished matches on this server
        self.bot = False
        self.agreed = 0  # owners of tables may add the player while it plays at fewer tables than this
        self.muted = False  # whether the operator has muted the player everywhere
        self.key = b""  # the key that proofs of the name must fit; b"" if there is none
        self.codes = ReconnectCodes()  # codes that prove the name as well
        self.password = b""  # the stored form of the password, made by passwords.py; b"" if there is none
        self.used = False  # whether the player sent any request after the first hello
        self.games: tuple[str, ...] = ()
        self.wants = WANTS  # which fields the player's turns have; like the next three, it comes from the latest hello
        # whether messages about others' actions may be sent later, together with the player's own turns
        self.batches_events = False
        self.batches_all = False  # whether answers to the player's decisions may be sent later, too
        self.hears_events = True  # whether the player gets the events of its tables
        self.language = ENGLISH  # the language that a person uses, stored for the next connection
        self.substitutes = False  # whether owners of cups may let the player play for other entrants
        self.ignored: dict[str, str] = {}  # by folded name: the players that this one ignores, as they were written
        # whether the player gets the talk in the lobby; `auto`: while it neither plays nor watches a match
        self.lobby_talk: LobbyTalk = "auto"
        # ids of the tables where the player has a seat, in the order in which it sat down
        self.tables: dict[str, None] = {}
        self._session = ""
        self._last = 0
        # by request id: a digest of the request, and the answer to it
        self._answers: dict[int, tuple[bytes, Message | None]] = {}
        self._questions: dict[int, bytes] = {}  # by request id: digests of the questions since the latest stored answer
        self._slot = 0  # part number of the row with the latest stored answer

    @property
    def session_word(self) -> str:
        """The word for its session that the client sent in its latest hello."""
        return self._session

    @property
    def work_share(self) -> WorkShare:
        """The share under which work for this name is scheduled. It does not depend on the address."""
        return WorkShare(self, self.tables)

    @property
    def kind(self) -> str:
        """The kind of player as in SeatInfo: person or bot."""
        return "bot" if self.bot else "person"

    def can_be_added_to(self, game: str) -> bool:
        """Returns whether the player is a program that agreed to be added to tables and that plays this game."""
        return self.bot and self.agreed > 0 and self.plays_game(game)

    def plays_game(self, game: str) -> bool:
        """Returns whether the player plays that game. A player that listed no games plays all of them."""
        return not self.games or game in self.games

    def set_preferences(self, hears: Hears, wants: Wants) -> None:
        """Sets which messages the player gets, and what its turns include, as its hello says."""
        self.wants = wants
        self.batches_events, self.batches_all = hears != LIVE, hears in (ALL_WITH_TURN, TURNS)
        self.hears_events = hears != TURNS

    def is_ignoring(self, name: str) -> bool:
        """Returns whether this player ignores the player of that name."""
        return bool(self.ignored) and lookalike_key(name) in self.ignored

    def ignore(self, name: str, *, off: bool) -> None:
        """Ignores the player of that name, or with `off` stops ignoring them. If the list is full, its oldest name is
        dropped. The caller must call `keep`."""
        self.ignored.pop(lookalike_key(name), None)
        if not off:
            self.ignored[lookalike_key(name)] = name
        if len(self.ignored) > self._config.ignored_a_player:
            del self.ignored[next(iter(self.ignored))]

    def public_info(self) -> PlayerInfo:
        """Returns what others may know about the player. `Lobby.list_players` adds the tables."""
        return PlayerInfo(self.name, self.kind)

    def is_proved_by(self, hello: Hello, challenge: str) -> bool:
        """Returns whether the proof or code in the hello proves this name. Passwords are checked elsewhere, because
        that takes long."""
        if hello.proof:
            return is_valid_proof(self.key, challenge, hello.name, hello.proof)
        return self.codes.is_valid(hello.code)

    def update_proofs(self, hello: Hello) -> None:
        """Updates the codes and the key of the name, after a hello that proved the name or was the first to take it.
        The caller must call `keep`."""
        if hello.proof:
            self.codes.clear()
        elif self.codes.is_valid(hello.code):
            self.codes.mark_used(hello.code)
        if hello.key:
            self.key, self.codes.current = bytes.fromhex(hello.key), ""

    def confirm_welcome(self) -> None:
        """Records that the player has received the latest welcome, with its code."""
        was_good = self.codes.previous
        self.codes.confirm_received()
        if was_good:
            self.save()

    def reset_proofs(self) -> str:
        """Invalidates all proofs of the name, and returns a new code. The caller must call `keep`."""
        self.key = self.password = b""
        return self.codes.replace_all()

    def begin_connection(self, session: str, request_id: int) -> None:
        """Begins a connection. `session` is the client's word for its session, and `request_id` the id of its hello.
        The caller must call `keep`.

        A client that repeats the word continues the session and its request ids; any other word begins a new session.
        """
        if not session or session != self._session:
            self._session, self._last = session, request_id
            self._answers.clear()
            self._questions.clear()
            self.delete_rows()  # deletes the stored answers of the previous session
        for number, (request, answer) in self._answers.items():
            # such an answer is only true on the connection over which it was sent
            if isinstance(answer, Resumed | Watching):
                self._answers[number] = (request, None)

    def find_stored_answer(self, request_id: int, request: Request) -> Message | None:
        """Returns the answer that was already given to that request id.

        Returns None if the id is new, and marks it as used. Also returns None for a repeated request that must be
        answered again: a question, or a request whose answer depends on the connection.

        Raises Refusal: `id_reused` if another request had this id, `bad_id` if the id is too old to have a stored
        answer.
        """
        self.used = True
        if request_id > self._last:
            self._last = request_id
            return None
        if request_id not in self._answers:
            raise Refusal("bad_id", re=request_id)
        known, answer = self._answers[request_id]
        if known != _digest(request):
            raise Refusal("id_reused", re=request_id)
        return answer

    def store_answer(self, request_id: int, request: Request, answer: Message) -> None:
        """Stores an answer in case its request is repeated.

        For questions, and for requests that got a `storage` error, it stores only a digest of the request, so that they
        are answered again.
        """
        answers, kind = self._answers, type(answer)
        again = EXCHANGES[type(request)].question or (type(answer) is Error and answer.code == "storage")
        if kind in _LONG:
            answer = _shorter(answer)
        answers[request_id] = (_digest(request), None if again else answer)
        if len(answers) > self._config.replies_kept:
            del answers[next(iter(answers))]  # drops the oldest answer
        if self._journal.keeps and self._session and (again or not self._journal.failing):
            self._keep_answer(request_id, request)

    # -- storage -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Stores the present state of the name. Answers are stored separately."""
        if self._journal.keeps:
            row = PlayerRow(
                name=self.name,
                key=b"",
                held=self.key,
                code=self.codes.current,
                before=self.codes.previous,
                password=self.password,
                session=self._session,
                # the id before that of the oldest question, because questions may be repeated after a restart
                last=min(self._questions, default=self._last + 1) - 1,
                bot=self.bot,
                games=self.games,
                agreed=self.agreed,
                played=self.played,
                muted=self.muted,
                renown=self.renown,
                language=self.language,
                ignored=tuple(self.ignored.values()),
                lobby_talk=self.lobby_talk,
                substitutes=self.substitutes,
            )
            self._journal.put_row(player_subject(self.name), 0, _encode(row))

    def record_match_begun(self) -> None:
        """Records that a match begins in which the player has a seat."""
        if not self.played:
            self.played = True
            self.save()

    def add_match_result(self, game: str, place: int, others: Iterable[tuple[str, int]]) -> None:
        """Adds a finished match to the player's statistics. `others` are the opponents with their places."""
        self.renown.add_match(game, place, others)
        self.save()

    def delete_rows(self) -> None:
        """Deletes all stored rows of the name, including its answers."""
        if self._journal.keeps:
            self._journal.put_row(player_subject(self.name), EVERYTHING, None)

    def unregister(self) -> None:
        """Ends the registration of the name: deletes its rows, and stores no more, even if a match of the player ends
        later."""
        self.delete_rows()
        self._journal = Journal()

    def restore(self, rows: Mapping[int, bytes]) -> None:
        """Restores the state from the stored rows. Raises msgspec.DecodeError if they are malformed, KeyError if they
        are missing."""
        row = msgspec.msgpack.decode(rows[0], type=PlayerRow)
        self.name, self.password = row.name, row.password
        self.codes = ReconnectCodes(row.code, row.before)
        self.key = hash_secret(row.key) if row.key else row.held
        self.bot, self.games, self.agreed = row.bot, row.games, row.agreed
        self.played, self.muted, self.renown = row.played, row.muted, row.renown
        self.language = row.language
        self.ignored = {lookalike_key(name): name for name in row.ignored}
        self.lobby_talk = row.lobby_talk
        self.substitutes = row.substitutes
        self._session, self._last, self.used = row.session, row.last, len(rows) > 1
        kept = [(msgspec.msgpack.decode(rows[slot], type=AnswerRow), slot) for slot in rows if slot]
        self._questions.clear()
        known: dict[int, tuple[bytes, Message | None]] = {}
        for answer, slot in sorted((one for one in kept if one[0].session == row.session), key=lambda one: one[0].id):
            self._slot = slot
            known.update((number, (digest, None)) for number, digest in answer.questions.items())
            known[answer.id] = (answer.digest, _REPLY.decode(answer.answer) if answer.answer else None)
        self._last = max(self._last, *known, 0)
        self._answers = dict(sorted(known.items())[-self._config.replies_kept :])

    def _keep_answer(self, request_id: int, request: Request) -> None:
        digest, answer = self._answers[request_id]
        if isinstance(request, SECRET_REQUESTS):
            return
        if answer is None or isinstance(answer, Resumed | Watching):
            self._questions[request_id] = digest
            if len(self._questions) > self._config.replies_kept:
                del self._questions[next(iter(self._questions))]
            return
        self._slot = self._slot % self._config.replies_kept + 1
        row = AnswerRow(self._session, request_id, digest, _encode(answer), self._questions)
        self._journal.put_row(player_subject(self.name), self._slot, _encode(row))
        self._questions = {}


def player_subject(name: str) -> str:
    """Returns the subject in the store for that name, which is the same for names that look alike."""
    return NAME + lookalike_key(name)


def _shorter(answer: Message) -> Message:
    """Returns an answer without those parts that are long or soon outdated. `Desk.repeat_answer` adds current ones."""
    if type(answer) is Error and answer.turn is not None:
        return msgspec.structs.replace(answer, turn=None)  # another turn will be current when the answer is repeated
    if type(answer) is CupReply:
        return CupReply(re=answer.re, info=msgspec.structs.replace(answer.info, entrants=(), playing=()))
    if type(answer) is Welcome:
        return msgspec.structs.replace(answer, seats=())
    return answer


def _digest(request: Request) -> bytes:
    """Returns a digest of a request, which has a limited length and is equal for equal requests.

    Leaves out the proof of an Operator request, because the proof differs on each connection.
    """
    if type(request) is Operator:
        request = Operator(id=request.id)
    data = _encode(request)
    if isinstance(request, SECRET_REQUESTS):
        return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()
    return data if len(data) <= DIGEST_BYTES else hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


NAME = "name:"
_LONG = (Error, CupReply, Welcome)
_encode = msgspec.msgpack.Encoder().encode
_REPLY: Any = msgspec.msgpack.Decoder(Union[(*REPLIES,)])
