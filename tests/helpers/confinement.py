"""What a command that runs bots from files needs where no sandbox can be made."""

from __future__ import annotations

from client.processes.sandbox import sandbox_error

UNCONFINED = ("--unconfined",) if sandbox_error() else ()
