"""Builds the pages as a site with mkdocs: `make docs` writes it to build/site.

The pages keep their places in the tree, so that the same links work on GitHub and in the site.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "bots", "games", "tests")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
CONFIG = """\
site_name: magehall
docs_dir: {source}
site_dir: {site}
use_directory_urls: false
theme: readthedocs
nav:
  - Start: README.md
  - Playing: docs/playing.md
  - Tournaments: docs/tournaments.md
  - Hosting: docs/hosting.md
  - Research: docs/researchers.md
  - Writing a bot: bots/README.md
  - Measurements: docs/lab.md
  - Adding a game: games/README.md
  - Protocol: PROTOCOL.md
  - Protocol reference: PROTOCOL-REFERENCE.md
  - "Protocol: two whole bots": docs/protocol-bots.md
  - "Protocol: talk, spectators, moderation": docs/protocol-lobby.md
  - "Protocol: cups": docs/protocol-cups.md
  - "Protocol: replays": docs/protocol-replays.md
  - "Protocol: verification of a deal": docs/protocol-verification.md
  - Contributing: CONTRIBUTING.md
  - Glossary: docs/glossary.md
  - Map of the code: HOUSE.md
  - Rules of Ikasamage!: games/cheaty_mages/README.md
  - Rules of Cheaty Mages!: games/cheaty_mages/cheaty_mages.md
  - Rules of Magecraft: games/magecraft/README.md
  - Rules of 110 Mètres Mages: games/mages_110m/README.md
  - Changes: CHANGELOG.md
"""


def pages() -> list[Path]:
    """Returns all pages of the project, sorted."""
    found = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))]
    return sorted(found)


def linked(page: Path) -> list[Path]:
    """Returns the files that a page links to."""
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    return [(page.parent / target).resolve() for target in targets if "://" not in target and target.strip()]


def stage(source: Path) -> None:
    """Copies all pages, and the files that they link to, below that folder."""
    shutil.rmtree(source, ignore_errors=True)
    for path in {file for page in pages() for file in (page, *linked(page)) if file.is_file()}:
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def main() -> int:
    """Builds the site. Returns the exit code of mkdocs, which fails on a link that leads nowhere."""
    build = ROOT / "build"
    stage(build / "pages")
    config = build / "mkdocs.yml"
    config.write_text(CONFIG.format(source=build / "pages", site=build / "site"), encoding="utf-8")
    made = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)]
    return subprocess.run(made, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
