"""The command with a chance that is known: the same secret for every cup, the same nonce for every bot.

`python -m tests.e2e.known_chance serve`. In all else it is `magehall`.
"""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import patch

from client.cli.app import main

SECRET = bytes(range(32))
NONCE = "nonce"

if __name__ == "__main__":
    with (
        patch("server.desk.cup_requests.new_secret", lambda: SECRET),
        patch("client.cli.bot.secrets", SimpleNamespace(token_hex=lambda _bytes: NONCE)),
    ):
        main()
