"""The table of a campaign, and what is wrong with a row of it."""

from __future__ import annotations

import os

from tests.attacks.campaign import QUIET, Row
from tests.attacks.victim import quantile

DECISION = 5.5  # seconds that a decision of five may last
BACK = 10.0  # MiB that memory may have grown by for good, beyond what the attack's `keeps` says
DESCRIPTORS = 2

HEAD = (
    f"{'attack':<28} {'moves':>5} {'alone p99':>9} {'p50':>7} {'p99':>8} {'worst':>8} {'machine':>8} "
    f"{'seconds':>7} {'5 s':>6} {'newcomer':>16} {'CPU':>5} {'MiB before/during/after':>24} "
    f"{'descriptors':>15} {'back':>6} {'load':>5}  "
)


def line(row: Row) -> str:
    """One row; what the attacker got and what is wrong stand on lines of their own."""
    under, memory = row.under, [row.before.memory, row.during.memory, row.after.memory]
    descriptors = [row.before.descriptors, row.during.descriptors, row.after.descriptors]
    figures = (
        f"{row.attack.name:<28} {under.moves:>5} {row.alone.quantile(0.99):>9.1f} {under.quantile(0.5):>7.1f} "
        f"{under.quantile(0.99):>8.1f} {under.quantile(1):>8.1f} {quantile(row.machine, 0.99):>8.1f} "
        f"{under.seconds:>7.2f} {under.decision:>6.2f} {row.newcomer:>16} {row.cpu:>5.0%} "
        f"{'/'.join(f'{each:.0f}' for each in memory):>24} "
        f"{'/'.join(map(str, descriptors)):>15} {row.back:>5.1f}s {os.getloadavg()[0]:>5.1f}  "
    )
    faults = wrong(row)
    return f"{figures}{'FAIL' if faults else 'pass'}\n    got {got(row)}" + "".join(f"\n    {each}" for each in faults)


def got(row: Row) -> str:
    """What the attackers got: so much a second, and what they held in the end."""
    done = [f"{count / row.seconds:,.0f} {name}/s" for name, count in row.done.items() if name != "bytes"]
    if sent := row.done["bytes"]:
        done.append(f"{sent / row.seconds / 1e6:,.1f} MB/s sent")
    return ", ".join([*done, *(f"{count:,} {name}" for name, count in row.held.items())]) or "nothing"


def wrong(row: Row) -> list[str]:
    """What was promised and not kept."""
    faults = [why for why in (row.broken, row.under.failed) if why]
    under, alone = row.under.quantile(0.99), row.alone.quantile(0.99)
    if row.under.moves < row.moves:
        faults.append(f"the victim made {row.under.moves} moves of {row.moves}")
    if under > row.attack.p99:
        machine = quantile(row.machine, 0.99)
        noisy = f"; a noisy moment, {alone:.1f} ms alone" if alone > QUIET else ""
        late = f"; the machine itself was {machine:.1f} ms late" if machine > QUIET else ""
        faults.append(f"p99 is {under:.1f} ms, not {row.attack.p99:.0f}{noisy}{late}")
    if row.under.quantile(1) > row.attack.worst:
        faults.append(f"a move took {row.under.quantile(1):.1f} ms, not {row.attack.worst:.0f}")
    if row.under.decision > DECISION:
        faults.append(f"a decision of 5 seconds lasted {row.under.decision:.2f}")
    if not row.newcomer.endswith("ms"):
        faults.append(f"a newcomer heard {row.newcomer or 'nothing'}")
    grown, kept = row.during.memory - row.before.memory, row.after.memory - row.before.memory
    if grown > row.attack.ceiling:
        faults.append(f"memory grew by {grown:.0f} MiB, not {row.attack.ceiling:.0f}")
    if kept > BACK + row.attack.keeps:
        faults.append(f"memory is {kept:.0f} MiB above what it was, not {BACK + row.attack.keeps:.0f}")
    if row.after.descriptors > row.before.descriptors + DESCRIPTORS:
        faults.append("descriptors did not come back")
    return faults
