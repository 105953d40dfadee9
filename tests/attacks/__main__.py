"""`python -m tests.attacks [NAME ...]`: runs these attacks, or all, and prints the table; `list` tells what they do."""

from __future__ import annotations

import sys

from tests.attacks.attacker import ATTACKS
from tests.attacks.campaign import measure
from tests.attacks.report import HEAD, line, wrong


def main(names: list[str]) -> int:
    """The exit code: 1 if an attack found something wrong."""
    if names == ["list"]:
        for attack in ATTACKS.values():
            print(f"{attack.name:<28} {attack.about}")
        return 0
    if unknown := [name for name in names if name not in ATTACKS]:
        print(f"There is no attack {', '.join(unknown)}; `list` lists them.", file=sys.stderr)
        return 2
    print(HEAD, flush=True)
    failed = 0
    for name in names or ATTACKS:
        row = measure(ATTACKS[name])
        print(line(row), flush=True)
        failed += bool(wrong(row))
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
