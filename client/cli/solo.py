"""Matches against house bots without a running server. They are saved in the user's own folders, so that they can be
continued.

Each folder is a store that one process at a time uses. The process continues one of the unfinished matches in its
folder; the other matches there stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from bots.sdk.tokens import state_folder
from client.house import BotHouse
from client.language import _
from games.registry import all_games
from protocol import messages as m
from server.common import SharedObjects
from server.config import Config
from server.desk.recovery import TABLE_ID, unfinished_tables
from server.store.file import CannotOpen
from server.store.rows import EVERYTHING, Store, StoreFailed, Write
from server.store.sqlite import SqliteStore, open_store
from server.table.records import TABLE

MOST_AT_ONCE = 5  # most processes that play saved matches at the same time, each with a folder of its own
MOST_UNFINISHED = 9  # most unfinished matches in one folder; the oldest is deleted first
Ask = Callable[[str], str]
Say = Callable[[str], None]


@dataclass(frozen=True)
class SavedMatch:
    """An unfinished match: its folder, its table in that folder's store, and the person's name and seat."""

    folder: Path
    info: m.TableInfo

    @property
    def player_name(self) -> str:
        """The person's name."""
        return next((seat.name for seat in self.info.seats if seat.kind == "person"), "")


class SingleMatchStore:
    """A store that shows only one of its matches to the server: the unfinished one to continue, or none."""

    def __init__(self, store: SqliteStore, table: str) -> None:
        self._store, self._hidden = store, frozenset(_tables(store)) - {table}
        self.lost = store.lost

    def current_subjects(self) -> Sequence[str]:
        """See Store, as for all methods of this class."""
        return [subject for subject in self._store.current_subjects() if subject not in self._hidden]

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        await self._store.commit(writes, done)

    def read(self, subject: str) -> Mapping[int, bytes]:
        return self._store.read(subject)

    async def read_in_thread(self, subject: str) -> Mapping[int, bytes]:
        return await self._store.read_in_thread(subject)

    def all_subjects(self) -> Sequence[str]:
        return self._store.all_subjects()

    async def used_bytes(self) -> int:
        return await self._store.used_bytes()

    async def oldest_matches(self, most: int) -> Sequence[str]:
        return await self._store.oldest_matches(most)

    def close(self) -> None:
        self._store.close()


@dataclass(frozen=True)
class SoloFolder:
    """The place where a match is saved: the store, and the key under which the person's names are stored. Without a
    store the match is lost when the process ends."""

    store: Store | None = None
    known_as: str = "here"


@contextmanager
def open_solo_folder(saved: SavedMatch | None) -> Iterator[SoloFolder]:
    """Yields the place where that match is saved, or one for a new match. Raises CannotOpen if the match cannot be
    continued."""
    with ExitStack() as stack:
        for folder in [saved.folder] if saved is not None else saved_match_folders():
            try:
                store = stack.enter_context(closing(open_store(folder, durable=False)))
                _tidy(store, MOST_UNFINISHED - (saved is None))
            except (CannotOpen, StoreFailed):
                if saved is not None:
                    raise CannotOpen(_("That match is being played in another terminal, or cannot be read.")) from None
                continue
            yield SoloFolder(
                SingleMatchStore(store, saved.info.table if saved is not None else ""), f"alone-{folder.name}"
            )
            return
        yield SoloFolder()


def unfinished_matches() -> list[SavedMatch]:
    """Returns the unfinished matches that no process is playing. Those of one folder come latest first."""
    found = []
    for folder in saved_match_folders():
        if not folder.is_dir():
            continue
        try:
            with closing(open_store(folder, durable=False)) as store:
                found += [SavedMatch(folder, info) for info in reversed(_playable(store))]
        except (CannotOpen, StoreFailed):
            continue
    return found


def may_have_unfinished() -> bool:
    """Returns whether there may be unfinished matches, without opening any store."""
    return (state_folder() / "alone").is_dir()


def ask_which_match(ask: Ask, say: Say) -> SavedMatch | None:
    """Asks the person which unfinished match to continue. Returns it, or None for a new match. Raises EOFError at the
    end of the input."""
    found = unfinished_matches() if may_have_unfinished() else []
    while found:
        for number, one in enumerate(found, 1):
            others = ", ".join(seat.name for seat in one.info.seats if seat.name != one.player_name)
            text = _("Your match of {game} against {others} is not finished.", game=one.info.game, others=others)
            say(f"{number} {text}" if len(found) > 1 else text)
        word, _gap, which = ask(_prompt(len(found))).strip().lower().partition(" ")
        numbers = [str(number) for number in range(1, len(found) + 1)]
        which = which.strip() or "1" * (len(found) == 1)
        if not word:
            return found[0]
        if word in numbers:
            return found[numbers.index(word)]
        if word == "n":
            break
        if word == "x" and which in numbers:
            _give_up(found.pop(numbers.index(which)))
    return None


def _prompt(count: int) -> str:
    if count == 1:
        return _("Go on with it? Enter; n: not now; x: give it up: ")
    return _("Enter: go on with 1; or another number; n: not now; x 2: give 2 up: ")


def saved_match_folders() -> list[Path]:
    """Returns the folders that may have saved matches. A folder need not exist."""
    return [state_folder() / "alone" / str(number) for number in range(1, MOST_AT_ONCE + 1)]


def _give_up(saved: SavedMatch) -> None:
    with closing(open_store(saved.folder, durable=False)) as store:
        store.commit_now([(saved.info.table, EVERYTHING, None)])


def _tidy(store: SqliteStore, most: int) -> None:
    """Removes the tables of finished and unplayable matches, and deletes the oldest unfinished matches if there are
    more than `most`. Raises StoreFailed."""
    unfinished = [info.table for info in _playable(store)]
    writes: list[Write] = [(table, TABLE, None) for table in _tables(store) if table not in unfinished]
    writes += [(table, EVERYTHING, None) for table in unfinished[:-most]]
    if writes:
        store.commit_now(writes)


def _playable(store: SqliteStore) -> list[m.TableInfo]:
    """Returns the tables with a running match, oldest first. Raises StoreFailed."""

    async def look() -> list[m.TableInfo]:
        return unfinished_tables(store, SharedObjects(Config(), all_games(), BotHouse()))

    return [info for info in trio.run(look) if info.state == "playing"]


def _tables(store: SqliteStore) -> list[str]:
    return [subject for subject in store.current_subjects() if TABLE_ID.fullmatch(subject)]
