"""A player: a name, and what belongs to it across connections."""

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
from protocol.messages.asking import EXCHANGES
from protocol.messages.parts import ALL_WITH_TURN, LIVE, TURNS, WANTS, Hears, Wants
from protocol.names import fold
from protocol.proof import key_of, proves
from server.config import DEFAULTS, Config
from server.fair_share import Share
from server.meter import Meter
from server.reconnect_codes import ReconnectCodes
from server.renown import Renown
from server.store.journal import Journal
from server.store.rows import EVERYTHING

LobbyTalk: TypeAlias = Literal["on", "off", "auto"]

DIGEST_BYTES = 64
SECRET_REQUESTS = (Hello, Password, Operator)
"""Requests that contain a secret. No digest of them is kept, because a short secret could be guessed from it."""


class PlayerRow(msgspec.Struct, omit_defaults=True):
    """The stored row of a name. `held` is the key that proofs have to fit, b"" for a name without one; older rows have
    the secret itself in `key`. `before` is the code before `code`, while it still works. `password` is the stored form
    of the password."""

    name: str
    key: bytes
    code: str
    session: str = ""
    last: int = 0  # the highest request id that is used up
    bot: bool = False
    games: tuple[str, ...] = ()
    agreed: int = 0
    played: bool = False
    muted: bool = False
    held: bytes = b""
    renown: Renown = msgspec.field(default_factory=Renown)
    language: str = ENGLISH
    ignored: tuple[str, ...] = ()
    lobby_talk: LobbyTalk = "auto"
    substitutes: bool = False
    before: str = ""
    password: bytes = b""


class AnswerRow(msgspec.Struct, omit_defaults=True):
    """A request that was answered, with the digests of the questions before it, which are answered anew."""

    session: str
    id: int
    digest: bytes
    answer: bytes = b""
    questions: dict[int, bytes] = {}


class Listener(Protocol):
    """What tells a player something: a session. `address` is where it comes from; None: nobody knows."""

    address: Hashable

    def push(self, messages: Sequence[Message], *, live: bool = True, kept: bool = False) -> None:
        """Never waits. What is not `live` may come later, with the next that is. What is `kept` is on disk: it is
        heard though the answer behind which it comes should be lost."""
        ...

    def wait_for(self, position: int) -> None:
        """Whatever it is told from now on waits for that batch of the journal."""
        ...

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        """Says goodbye, with what the operator gives as the reason, and closes."""
        ...


class Player:
    """A name, and what belongs to it across connections."""

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
        "bot",
        "codes",
        "games",
        "hears_events",
        "ignored",
        "is_patient",
        "is_very_patient",
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
        self.listener: Listener | None = None
        self.meter: Meter | None = None  # None until its first connection
        self.talk_meter: Meter | None = None  # None until it says something
        self.address: Hashable = None  # of its latest connection
        self.seen = 0.0  # when it was last here, by the server's clock
        self.played = False  # it had a seat in a match that began
        self.renown = Renown()  # by its finished matches here
        self.bot = False
        self.agreed = 0  # others may seat it while it plays at fewer tables
        self.muted = False  # by the operator: heard nowhere
        self.key = b""  # which proofs have to fit
        self.codes = ReconnectCodes()  # which prove the name as well
        self.password = b""  # what passwords.py made of one, which proves the name too; b"": there is none
        self.used = False  # something was asked under this name after its hello
        self.games: tuple[str, ...] = ()
        self.wants = WANTS  # with its turns, as its latest hello said; likewise these three
        self.is_patient = False  # what others do may come with its own turns
        self.is_very_patient = False  # and so may the answer to its decision
        self.hears_events = True  # it is told what happens at its tables
        self.language = ENGLISH  # in which a person reads, kept for the next connection
        self.substitutes = False  # owners of cups may have them play for others
        self.ignored: dict[str, str] = {}  # by folded name: the players who are not heard
        self.lobby_talk: LobbyTalk = "auto"  # whether it hears what is said to everybody; `auto`: while it has no match
        self.tables: dict[str, None] = {}  # where they have a seat, in order of sitting down
        self._session = ""
        self._last = 0
        self._answers: dict[int, tuple[bytes, Message | None]] = {}  # by id: the request's digest, and its answer
        self._questions: dict[int, bytes] = {}  # asked since an answer was kept last, and their digests
        self._slot = 0  # where the latest answer is kept

    @property
    def session(self) -> str:
        """The client's word for its latest session."""
        return self._session

    @property
    def share(self) -> Share:
        """The share of the work done for this name, independent of its address."""
        return Share(self, self.tables)

    @property
    def kind(self) -> str:
        """A value of SeatInfo's `kind`."""
        return "bot" if self.bot else "person"

    def takes(self, game: str) -> bool:
        """Whether a program agreed to be seated, and plays that game."""
        return self.bot and self.agreed > 0 and self.plays_game(game)

    def plays_game(self, game: str) -> bool:
        """As far as it said which games it plays."""
        return not self.games or game in self.games

    def says_what_it_hears(self, hears: Hears, wants: Wants) -> None:
        """In its hello."""
        self.wants = wants
        self.is_patient, self.is_very_patient = hears != LIVE, hears in (ALL_WITH_TURN, TURNS)
        self.hears_events = hears != TURNS

    def ignores(self, name: str) -> bool:
        """Whether this player ignores the player of that name."""
        return bool(self.ignored) and fold(name) in self.ignored

    def ignore(self, name: str, *, off: bool) -> None:
        """Ignores a player, or with `off` stops ignoring them. A full list forgets its oldest names. Call `keep`."""
        self.ignored.pop(fold(name), None)
        if not off:
            self.ignored[fold(name)] = name
        if len(self.ignored) > self._config.ignored_a_player:
            del self.ignored[next(iter(self.ignored))]

    def info(self) -> PlayerInfo:
        """The public facts about the player alone. `Lobby.whereabouts` adds the tables."""
        return PlayerInfo(self.name, self.kind)

    def proves(self, hello: Hello, challenge: str) -> bool:
        """Whether the hello's proof or code belongs to this name. Passwords are checked elsewhere, because that takes
        long."""
        if hello.proof:
            return proves(self.key, challenge, hello.name, hello.proof)
        return self.codes.fits(hello.code)

    def proved_by(self, hello: Hello) -> None:
        """Records that the hello proved the name or takes it. Earlier proofs work as long as they have to. Call
        `keep`."""
        if hello.proof:
            self.codes.clear()
        elif self.codes.fits(hello.code):
            self.codes.use(hello.code)
        if hello.key:
            self.key, self.codes.current = bytes.fromhex(hello.key), ""

    def saw_welcome(self) -> None:
        """Notes that the latest welcome has arrived, with its code."""
        was_good = self.codes.previous
        self.codes.arrived()
        if was_good:
            self.keep()

    def give_anew(self) -> str:
        """Invalidates all proofs of the name and returns a new code. Call `keep`."""
        self.key = self.password = b""
        return self.codes.replace()

    def begin(self, session: str, request_id: int) -> None:
        """A connection begins with that hello; request ids go on only within the same named session. Call `keep`."""
        if not session or session != self._session:
            self._session, self._last = session, request_id
            self._answers.clear()
            self._questions.clear()
            self.forget()  # answers of an earlier session of that word
        for number, (request, answer) in self._answers.items():
            if isinstance(answer, Resumed | Watching):  # tied to the connection they were given on
                self._answers[number] = (request, None)

    def earlier(self, request_id: int, request: Request) -> Message | None:
        """The answer already given to that id. None for a new id, which is then used up, and for what is to be done
        again: a question, or what a new connection needs anew.

        Raises Refusal: `id_reused` for another request under an old id, `bad_id` for an id that went back.
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

    def answered(self, request_id: int, request: Request, answer: Message) -> None:
        """Keeps an answer for as long as it may be asked for again, unless it is to a mere question and may be long, or
        says that nothing could be done now."""
        answers, kind = self._answers, type(answer)
        again = EXCHANGES[type(request)].question or (type(answer) is Error and answer.code == "storage")
        if kind in _LONG:
            answer = _shorter(answer)
        answers[request_id] = (_digest(request), None if again else answer)
        if len(answers) > self._config.replies_kept:
            del answers[next(iter(answers))]  # the oldest
        if self._journal.keeps and self._session and (again or not self._journal.failing):
            self._keep_answer(request_id, request)

    # -- what outlives the server --------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Has the name kept as it is now, apart from its answers, which are kept by themselves."""
        if self._journal.keeps:
            row = PlayerRow(
                name=self.name,
                key=b"",
                held=self.key,
                code=self.codes.current,
                before=self.codes.previous,
                password=self.password,
                session=self._session,
                last=min(self._questions, default=self._last + 1) - 1,  # questions may still be repeated
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
            self._journal.put(subject_of(self.name), 0, _encode(row))

    def plays(self) -> None:
        """A match with this player begins."""
        if not self.played:
            self.played = True
            self.keep()

    def came_in(self, game: str, place: int, others: Iterable[tuple[str, int]]) -> None:
        """A match of theirs is over."""
        self.renown.note(game, place, others)
        self.keep()

    def forget(self) -> None:
        """Nothing of the name is kept any more."""
        if self._journal.keeps:
            self._journal.put(subject_of(self.name), EVERYTHING, None)

    def end(self) -> None:
        """The name is not this player's any more: nothing of it is kept, whatever match of theirs ends later."""
        self.forget()
        self._journal = Journal()

    def recall(self, rows: Mapping[int, bytes]) -> None:
        """Makes the player what was kept. Raises msgspec.DecodeError for what is none, KeyError without a row."""
        row = msgspec.msgpack.decode(rows[0], type=PlayerRow)
        self.name, self.password = row.name, row.password
        self.codes = ReconnectCodes(row.code, row.before)
        self.key = key_of(row.key) if row.key else row.held
        self.bot, self.games, self.agreed = row.bot, row.games, row.agreed
        self.played, self.muted, self.renown = row.played, row.muted, row.renown
        self.language = row.language
        self.ignored = {fold(name): name for name in row.ignored}
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
        self._journal.put(subject_of(self.name), self._slot, _encode(row))
        self._questions = {}


def subject_of(name: str) -> str:
    """What the store calls that name, and all that look like it."""
    return NAME + fold(name)


def _shorter(answer: Message) -> Message:
    """Without what may be long. Desk.again adds what is current, of what is missing in it."""
    if type(answer) is Error and answer.turn is not None:
        return msgspec.structs.replace(answer, turn=None)  # another is current by then
    if type(answer) is CupReply:
        return CupReply(re=answer.re, info=msgspec.structs.replace(answer.info, entrants=(), playing=()))
    if type(answer) is Welcome:
        return msgspec.structs.replace(answer, seats=())
    return answer


def _digest(request: Request) -> bytes:
    """A digest of bounded length, equal for equal requests. A proof differs on each connection."""
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
