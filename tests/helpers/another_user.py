"""Commands that run as a user who is not root."""

from __future__ import annotations

import subprocess
import sys

import pytest


def as_another_user() -> list[str]:
    """Returns the prefix of such a command. Skips the test where that user cannot run this Python."""
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*command, sys.executable, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("needs a Python that other users can run")
    return command
