"""Writes the golden replays anew: `python -m tests.matches.golden`. A file of an older version has to stay readable."""

from pathlib import Path

from games.api import Game
from matches.record import Record
from tests.helpers.variants import OURS
from tests.matches.played import file_of, played

FOLDER = Path(__file__).parent / "golden"
SHORT = {"magecraft": 25, "mages-110m": 40}  # decisions, of those that take long


def golden_records() -> dict[Path, Record]:
    """The matches and where their files are."""
    return {FOLDER / f"{game.id}.jsonl": played(game, most=SHORT.get(game.id, 1000)) for game in OURS}


def replay(game: Game) -> bytes:
    """The golden one; a game from elsewhere has none, and plays one."""
    path = FOLDER / f"{game.id}.jsonl"
    assert path.is_file() or game not in OURS, f"write {path.name}: python -m tests.matches.golden"
    return path.read_bytes() if path.is_file() else file_of(played(game))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, record in golden_records().items():
        path.write_bytes(file_of(record))
