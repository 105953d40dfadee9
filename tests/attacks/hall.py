"""The server under attack: `magehall serve` in a process of its own, its log on disk; memory and descriptors are read
from /proc."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """Resident memory in MiB, and open descriptors."""

    memory: float
    descriptors: int


class Hall:
    """Made once it listens; `port` is any free one."""

    def __init__(self) -> None:
        self._log = tempfile.TemporaryFile("a+b")  # noqa: SIM115  # closed by close
        self._data = tempfile.TemporaryDirectory(prefix="magehall-attacked-")
        self.folder = self._data.name
        self.start()

    def start(self) -> None:
        """On the same data as before, and another port."""
        command = [sys.executable, "-m", "magehall", "serve", "--data", self.folder, "--port", "0"]
        self._log.truncate(0)
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=self._log)
        self.port = self._listening()

    def stop(self, number: int, patience: float) -> None:
        """Sends it that signal and waits for its end. Raises subprocess.TimeoutExpired."""
        self._child.send_signal(number)
        self._child.wait(patience)

    def usage(self) -> Usage:
        """What the server holds now. Raises RuntimeError if it is dead."""
        process = Path(f"/proc/{self._child.pid}")
        if self._child.poll() is not None:
            raise RuntimeError(f"the server died: {self.log()[-2_000:]}")
        pages = int((process / "statm").read_text().split()[1])
        return Usage(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, len(os.listdir(process / "fd")))

    def cpu(self) -> float:
        """Seconds of CPU that it has used so far."""
        fields = Path(f"/proc/{self._child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def noted(self, word: str) -> list[str]:
        """The last things in its log about that."""
        return [line for line in self.log().splitlines() if word in line][-4:]

    def log(self) -> str:
        """What it wrote to standard error."""
        return os.pread(self._log.fileno(), 2**24, 0).decode("utf-8", "replace")

    def close(self) -> None:
        """Ends it."""
        self._child.kill()
        self._child.wait()
        self._log.close()
        self._data.cleanup()

    def _listening(self) -> int:
        for _ in range(600):
            if found := re.search(r"port ([0-9]+)\.", self.log()):
                return int(found[1])
            if self._child.poll() is not None:
                break
            time.sleep(0.05)
        self.close()
        raise RuntimeError("the server did not start")
