"""The first code that runs in a sandbox: lowers this sandbox's limits, then runs the `magehall` command.

The kernel counts the processes and pending signals of a user namespace twice: within the namespace, and among all those
of the user, against the limits that were set when the namespace was created. If those limits were low, a process could
learn from a refusal how many processes the user has in other sandboxes. So the limits are lowered only within the
sandbox.
"""

from __future__ import annotations

import runpy
import sys

from client.processes.limits import limit_tasks

if __name__ == "__main__":
    limit_tasks(int(sys.argv.pop(1)))
    runpy.run_module("magehall", run_name="__main__", alter_sys=True)
