"""What one round of load on a server gave."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Run:
    """What one round gave: done things, seconds, each one's latency, server CPU seconds, bytes received and kept."""

    done: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    cpu: float = 0.0
    received: int = 0
    commits: int = 0  # to the disk
    written: int = 0  # bytes of rows in these

    @property
    def rate(self) -> float:
        """Things done a second."""
        return self.done / self.seconds

    @property
    def cpu_each(self) -> float:
        """Server CPU seconds for each thing done."""
        return self.cpu / self.done

    def quantile(self, part: float) -> float:
        """Latency in seconds that this part of all stays below."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
