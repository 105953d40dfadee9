"""The scripts of pages that other packages use as well."""

from __future__ import annotations

from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"


@cache
def stepper_script() -> str:
    """Returns the script that steps through a finished match. It defines the class Stepper."""
    return (STATIC / "stepper.js").read_text(encoding="utf-8")
