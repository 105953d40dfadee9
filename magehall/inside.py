"""The first program in a sandbox: sets the limits within it, then runs our command.

The kernel counts the processes and pending signals of a user namespace twice: within the namespace, and among all of
the user's, against the limits at the time when the namespace was created. If those were low, a refusal would tell a
process how many the user has in other sandboxes. So the limits are lowered within the sandbox.
"""

from __future__ import annotations

import runpy
import sys

from client.processes.limits import limit_tasks

if __name__ == "__main__":
    limit_tasks(int(sys.argv.pop(1)))
    runpy.run_module("magehall", run_name="__main__", alter_sys=True)
