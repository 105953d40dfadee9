"""What a sandbox runs first: limits of what is in it, then our own command.

The kernel counts processes and waiting signals of a user namespace apart from all others of the user, and then as part
of them, within the limits that the user had when the namespace was made. Were these low, a process could tell from a
refusal how many the user has in other sandboxes. So they are lowered in here.
"""

from __future__ import annotations

import runpy
import sys

from client.processes.limits import limit_tasks

if __name__ == "__main__":
    limit_tasks(int(sys.argv.pop(1)))
    runpy.run_module("magehall", run_name="__main__", alter_sys=True)
