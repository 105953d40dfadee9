"""The folder in which a tournament is stored, during and after it: its plan, and the data of its server."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import msgspec

from bots.sdk.tokens import state_folder
from client.language import _
from client.tournament.plan import TournamentPlan
from server.store.file import CannotOpen
from server.store.folder_permissions import check_folder_private

PLAN = "plan.json"
KEPT = 20  # most folders with default names; the oldest are deleted first


class TournamentFolderError(Exception):
    """The folder contains no tournament. The text says so."""


def tournaments_folder() -> Path:
    """Returns the folder that contains the tournaments for which no `--data` folder was given."""
    return state_folder() / "tournaments"


def create_folder() -> Path:
    """Creates a folder for a tournament, named by the next number. Deletes the oldest if there are more than KEPT.
    Raises OSError."""
    home = tournaments_folder()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    numbers = sorted(int(path.name) for path in home.iterdir() if path.name.isdigit())
    for number in numbers[: max(0, len(numbers) - KEPT + 1)]:
        shutil.rmtree(home / str(number), ignore_errors=True)
    folder = home / str(max(numbers, default=0) + 1)
    folder.mkdir(mode=0o700)
    return folder


def find_folder(text: str) -> Path:
    """Returns the folder that `text` names: a path, or the number of a folder with a default name; "" means the latest
    of these. Raises TournamentFolderError."""
    home = tournaments_folder()
    if not text:
        numbers = [int(path.name) for path in home.glob("*") if path.name.isdigit()]
        if not numbers:
            raise TournamentFolderError(_("There is no tournament in {home}.", home=home))
        text = str(max(numbers))
    return home / text if text.isdigit() else Path(text)


def save_plan(plan: TournamentPlan, *, overwrite: bool = False) -> None:
    """Saves the plan in its folder. Only its owner can read the file, because it contains the secret.

    Raises OSError; FileExistsError if the folder has a plan and `overwrite` is False; CannotOpen if other users could
    change the folder.
    """
    assert plan.folder is not None
    check_folder_private(plan.folder, [PLAN])
    if plan.folder.exists() and not plan.folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    plan.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not overwrite and (plan.folder / PLAN).exists():
        raise FileExistsError(plan.folder / PLAN)
    number, half = tempfile.mkstemp(dir=plan.folder)  # mkstemp creates the file with mode 0600
    with os.fdopen(number, "wb") as file:
        file.write(msgspec.json.encode(replace(plan, folder=None)))
    os.replace(half, plan.folder / PLAN)


def load_plan(folder: Path) -> TournamentPlan:
    """Returns the plan that the folder contains. Refuses a folder that other users can write to, because a plan names
    programs to start. Raises TournamentFolderError."""
    try:
        check_folder_private(folder, [PLAN])
        data = (folder / PLAN).read_bytes()
        plan = msgspec.json.decode(data, type=TournamentPlan, dec_hook=_no_path)
    except CannotOpen as error:
        raise TournamentFolderError(f"{error}") from None
    except OSError as error:
        raise TournamentFolderError(
            _("There is no tournament in {folder}: {strerror}.", folder=folder, strerror=error.strerror)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TournamentFolderError(
            _("The plan in {folder} cannot be read: {error}.", folder=folder, error=error)
        ) from None
    return replace(plan, folder=folder)


def _no_path(kind: type, value: object) -> object:
    return kind(value)
