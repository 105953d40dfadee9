"""The check that all five packages come from one place: their names are common, and others may carry them too."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("games", "protocol", "server", "bots", "client")


def found_at(package: str) -> Path | None:
    """The folder that holds the package's folder; None if there is no such package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))).resolve().parent


def split_packages() -> str:
    """What is wrong, in one sentence, or ""."""
    places = {package: found_at(package) for package in PACKAGES}
    missing = [package for package, place in places.items() if place is None]
    if missing:
        return f"magehall is not whole: there is no package {', '.join(missing)}. Install it into an environment anew."
    home = places["client"]
    strangers = [f"{package} ({place})" for package, place in places.items() if place != home]
    if strangers:
        return (
            f"magehall's packages are mixed with others of the same name: client is in {home}, but "
            f"{', '.join(strangers)}. Use a virtual environment of its own, away from that folder."
        )
    return ""
