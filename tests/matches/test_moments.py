"""A match decision by decision."""

from __future__ import annotations

from dataclasses import replace

from matches.fold import Did, Went
from matches.moments import moments
from tests.helpers.toy import TOY
from tests.matches.played import played


def test_whatever_happened_passed_before_one_decision_or_the_end() -> None:
    record = played(TOY, 3)
    record = replace(record, entries=(Went(0.0, 2, "away"), Went(0.0, 2, "back"), *record.entries))
    shown = list(moments(record))
    assert [moment.number for moment in shown] == list(range(1, len(shown) + 1))
    assert [entry for moment in shown for entry in moment.passed] == [*record.entries]
    assert all(isinstance(moment.decision, Did) for moment in shown[:-1])
    assert shown[-1].decision is None
    assert [moment.number for moment in moments(record, first=4)] == list(range(4, len(shown) + 1))
