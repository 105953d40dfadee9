"""What a command that runs bots from files needs where no sandbox can be made."""

from __future__ import annotations

from client.processes.sandbox import why_no_sandbox

UNCONFINED = ("--unconfined",) if why_no_sandbox() else ()
