"""Reads replays: who did what how often, and how many choices they had. Without files, it plays a match and reads that.

python examples/replays.py ~/.local/state/magehall/matches/*.jsonl
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from magehall import BadReplay, load_replay, moments, play


def main(files: Sequence[str | Path]) -> None:
    for file in map(Path, files):
        try:
            record = load_replay(file)  # checks everything: the deal, each decision, the result
        except (OSError, BadReplay) as error:
            raise SystemExit(f"{file} cannot be read: {error}") from None
        names = [f"{seat.seat} {seat.name}" for seat in record.header.seats]
        done: Counter[tuple[str, str]] = Counter()
        choices: Counter[str] = Counter()
        for moment in moments(record):
            if moment.decision is None:
                continue
            seat, action = moment.decision.seat, moment.decision.action
            state = moment.match.state  # just before the decision; a learner would encode state.view(seat) here
            done[names[seat - 1], type(action).__name__] += 1
            choices[names[seat - 1]] += len(state.legal_actions(seat))
        print(f"{file.name}: {record.game.title}, {sum(done.values())} decisions")
        for name in names:
            kinds = ", ".join(f"{kind} {count}" for (who, kind), count in done.most_common() if who == name)
            mean = choices[name] / max(1, sum(count for (who, _), count in done.items() if who == name))
            print(f"  {name}: {kinds}; {mean:.1f} choices at a time")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1:])
    else:
        with tempfile.TemporaryDirectory() as folder:
            play("ikasamage", ["greedy", "random", "greedy"], seed=1, save=Path(folder) / "match.jsonl")
            main([Path(folder) / "match.jsonl"])
