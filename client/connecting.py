"""Opens a session at a server from the options of a command: the name, the token, the screen."""

from __future__ import annotations

import getpass
import os
import random
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from filelock import FileLock, Timeout

from bots.sdk.link import Dial, Identity, Refused, open_link, tcp
from bots.sdk.tls import BY_AUTHORITY, Tls
from bots.sdk.tokens import Tokens, state_folder
from client.left_seats import LeftSeat, remove_left_seat, store_left_seat
from client.replay_store import store_replay
from client.screen.screen import PlainScreen, Screen, is_interactive
from client.screen.width import output_columns
from client.session import ClientSession
from client.stand_in import LocalStandIns
from games.registry import all_games
from people.frame import clock_rows, turn_page
from people.hosting import Host
from people.leaving import prepare_leave_warning
from people.lessons import Course, Tutor
from people.person import Person
from people.settings import PAUSE, PersonSettings
from people.text.typing_context import RequestDraft
from people.vocabulary import completions
from protocol import PORT
from protocol import messages as m
from protocol.names import is_name, similar_allowed_name

NAMES_TRIED = 9
R = TypeVar("R", bound=m.Reply)


class CannotPlay(Exception):
    """The options cannot be used. The text says why."""


@dataclass(frozen=True)
class ConnectOptions:
    """The options of a command that plays or watches."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)  # options of the game, for a new table
    any_game: bool = False  # no game was chosen: a seat at any open table will do
    host: str = ""  # the server's host; "" runs a server within this process
    port: int = PORT
    tls: Tls | None = None  # how the server must prove its identity; None: plain text
    moved_from: str = ""  # an earlier address of the same server (`HOST:PORT`), under which its token is stored
    # the key under which names at that server are stored, if its address may change; "": its address
    known_as: str = ""
    name: str = ""
    code: str = ""
    table: str = ""
    seats: int = 0
    bots: tuple[str, ...] = ()
    delay: int = 0  # seconds until spectators see all hands; 0: never
    clock: m.ClockRule | None = None  # the clock of a new table; None: the server's default
    seed: int | None = None
    pace: float = 0.0  # seconds before each decision of a house bot, in a match without a server
    plain: bool = False
    colour: bool = True
    confirm: bool = False  # ask for confirmation of decisions
    quiet: bool = False  # whether to leave out the bell and the window title


class ConnectedSession(ClientSession):
    """A person's session at a server, with an open link."""

    name = ""
    welcome: m.Welcome

    async def ask(self, request: m.Request, answer: type[R]) -> R:
        """Sends a request and shows the answer on the screen. The caller must report Refused. Raises Refused,
        LinkFailed."""
        ask = RequestDraft.from_request(request)
        reply = await self.request(ask.kind, ask.fields, says_errors=False)
        if isinstance(reply, m.Error):
            raise Refused(reply)
        assert isinstance(reply, answer), reply
        return reply

    def resume_seat(self, info: m.TableInfo) -> None:
        """Gives the person their seat at an open table, which the server's welcome listed."""
        assert self._link is not None
        seat = next((one.seat for one in info.seats if one.name == self.name), 0)
        self._link.resume_seat(info, seat)


@asynccontextmanager
async def open_session(
    options: ConnectOptions, *, only_looks: bool = False, host: Host | None = None
) -> AsyncIterator[ConnectedSession]:
    """Opens a session with the server that the options name, which is `host` if it runs in this process. With
    `only_looks` the name is not stored for the next session. Raises LinkFailed, Refused."""
    address = f"{options.host}:{options.port}"
    server = options.known_as or address
    folder, tokens = _own_folder(), load_user_tokens()
    names = [options.name] if options.name else _names(_last_name(folder, server))
    tls, new_to_us = options.tls, list[str]()
    if tls is not None:
        tls.known.report = new_to_us.append  # warnings about an unknown certificate, shown once there is a screen
        pin = tls.known.get(options.moved_from) if options.moved_from else ""
        if pin and not tls.fingerprint and not pin.startswith(BY_AUTHORITY):
            tls = replace(tls, fingerprint=pin)
    async with AsyncExitStack() as stack:
        while True:
            name = names.pop(0)
            if not _hold(stack, folder, f"{server}:{name}") and not options.name and names:
                continue
            for earlier in (address, options.moved_from):
                if not tokens.get(server, name) and (token := tokens.get(earlier, name)):
                    tokens.put(server, name, token)
            try:
                settings = partial(PersonSettings, nonce=secrets.token_hex(8), host=host)
                dial = tcp(options.host, options.port, tls)
                visit = await stack.enter_async_context(open_session_as(options, name, dial, tokens, server, settings))
                break
            except Refused as error:
                if error.error.code not in ("name_taken", "bad_proof") or not names:
                    raise
        for line in new_to_us:
            visit.show_text(line, "title")
        if options.moved_from:
            earlier_host, _colon, earlier_port = options.moved_from.rpartition(":")
            remove_left_seat(earlier_host, int(earlier_port))
        # stored whenever a match begins or ends, because a killed process cannot store the seat at its end
        visit.on_match = partial(_remember_seat, options, visit)
        if folder is not None and not only_looks:
            _remember_name(folder, server, visit.name)
        try:
            yield visit
        finally:
            _remember_seat(options, visit)


def _own_seed(options: ConnectOptions) -> int:
    """Returns the seed of the bot that plays on for an absent person. It is secret, because others could predict the
    bot."""
    return secrets.randbits(48) if options.seed is None else options.seed


@asynccontextmanager
async def open_session_as(
    options: ConnectOptions,
    name: str,
    dial: Dial,
    tokens: Tokens,
    server: str,
    settings: Callable[..., PersonSettings],
    course: Course | None = None,
) -> AsyncIterator[ConnectedSession]:
    """Opens a session under `name` over the connections of `dial`. `settings` creates the person's settings. Raises
    LinkFailed, Refused."""
    stand_ins, terminal = LocalStandIns(_own_seed(options)), uses_full_screen(options)
    person = Person(
        name,
        all_games(),
        settings(
            now=time.monotonic,
            width=output_columns,
            stand_ins=stand_ins,
            starts_when_full=True,
            confirms=options.confirm,
            pinned=terminal,
            in_columns=terminal,
            rings=terminal and not options.quiet,
            decides_alone=terminal or is_interactive(),
            pause=_short_pause if options.host else float,
            tutor=Tutor(course, stand_ins.suggest_action) if course is not None else None,
        ),
    )
    screen = make_screen(options, person) if terminal else PlainScreen()
    visit = ConnectedSession(person, screen)
    visit.keep = store_replay
    try:
        async with open_link(
            dial, Identity(name, server, client="magehall", code=options.code), tokens, hearer=visit
        ) as link:
            visit.name, visit.welcome = link.welcome.name, link.welcome
            visit.attach_link(link)
            yield visit
    finally:
        screen.close()


def is_at_terminal() -> bool:
    """Returns whether stdin and stdout are a terminal, so that a person may be there."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def load_user_tokens() -> Tokens:
    """Returns the tokens that prove this user's names. If they cannot be stored, they last as long as this process."""
    folder = _own_folder()
    return Tokens(folder / "tokens" if folder else None)


def uses_full_screen(options: ConnectOptions) -> bool:
    """Returns whether to use the full-screen terminal client, rather than plain lines in and out."""
    return not options.plain and is_at_terminal() and os.environ.get("TERM", "dumb") != "dumb"


def make_screen(options: ConnectOptions, person: Person) -> Screen:
    """Returns the screen of the full-screen terminal client."""
    from client.screen.terminal import TerminalScreen  # imported late, because it takes a tenth of a second

    return TerminalScreen(
        frame=person.build_frame,
        clocks=partial(clock_rows, person),
        turn_page=partial(turn_page, person),
        completions=partial(completions, person),
        warn_before=partial(prepare_leave_warning, person),
        colour=options.colour,
        calls=lambda: person.prompt.memory.rings,
    )


def _short_pause() -> float:
    """Returns a delay in seconds like that of a person who decides, so that others cannot notice a forced move."""
    return random.uniform(*PAUSE)


def default_name() -> str:
    """Returns the user's login name, adapted to the rules for player names."""
    try:
        return similar_allowed_name(getpass.getuser(), "mage")[:14]  # leaves room for a suffix such as -2
    except (KeyError, OSError):  # the user has no login name
        return "mage"


def last_used_name(server: str) -> str:
    """Returns the name that this user last had at that server, or the default name. `server` is `HOST:PORT`, or the key
    for its names."""
    return _last_name(_own_folder(), server) or default_name()


def has_name(server: str, name: str) -> bool:
    """Returns whether this user has a token for that name at that server."""
    return bool(load_user_tokens().get(server, name))


def has_visited(host: str, port: int) -> bool:
    """Returns whether this user has had a name at the server with that address."""
    return bool(_last_name(_own_folder(), f"{host}:{port}"))


def _names(last: str) -> list[str]:
    """Returns the names to try if the user gave none: `last`, the latest one at that server, then others."""
    name = default_name()
    return list(
        dict.fromkeys([*filter(None, [last]), name, *(f"{name}-{number}" for number in range(2, NAMES_TRIED + 1))])
    )


def _own_folder() -> Path | None:
    """Returns this user's state folder, which others cannot read; None if it cannot be created."""
    folder = state_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


def _last_name(folder: Path | None, server: str) -> str:
    """Returns the latest name of this user at that server; "" if there is none."""
    try:
        name = _file_of_name(folder, server).read_text(encoding="utf-8").strip() if folder is not None else ""
    except (OSError, UnicodeDecodeError):
        return ""
    return name if is_name(name) else ""


def _remember_name(folder: Path, server: str, name: str) -> None:
    with suppress(OSError):
        _file_of_name(folder, server).write_text(f"{name}\n", encoding="utf-8")


def _remember_seat(options: ConnectOptions, visit: ConnectedSession) -> None:
    """Stores the seat in a running match, which `magehall` offers to rejoin, or removes it. Leaves out servers in this
    process, which end with the match."""
    held = [table.id for table in visit.person.seats.tables.values() if table.seat and table.state == "playing"]
    if held and not options.known_as:
        store_left_seat(LeftSeat(options.host, options.port, held[-1], visit.name, options.tls is not None))
    else:
        remove_left_seat(options.host, options.port)


def _file_of_name(folder: Path, server: str) -> Path:
    return folder / "names" / f"{quote(server, safe='')}.last"


def is_played_elsewhere(seat: LeftSeat) -> bool:
    """Returns whether another process of this user plays at that server under the name that had the seat."""
    with ExitStack() as stack:
        return not _hold(stack, _own_folder(), f"{seat.host}:{seat.port}:{seat.name}")


def _hold(stack: AsyncExitStack | ExitStack, folder: Path | None, what: str) -> bool:
    """Locks a name for this process, by a file lock. Returns False if another process on this machine holds it.

    Without the lock, two terminals of one user could prove the same name and keep disconnecting each other.
    """
    if folder is None:
        return True
    try:
        (folder / "names").mkdir(mode=0o700, exist_ok=True)
        stack.enter_context(FileLock(folder / "names" / quote(what, safe=""), timeout=0))
    except Timeout:
        return False
    except (OSError, NotImplementedError):  # filelock raises the latter on systems without flock
        return True
    return True
