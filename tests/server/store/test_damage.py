"""Files that are damaged: what can be read is read, once, and what is lost is said."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

from server.store.reading import FILE, read_rows, subjects
from server.store.rows import Damaged
from server.store.sqlite import open_store, open_to_read

PAGE = 4096


def test_f06_a_damaged_file_is_gone_through_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([(f"t{number}", part, b"x" * 100) for number in range(1, 29) for part in range(20)])
    store.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[16 * PAGE + 3974] ^= 128
    data[16 * PAGE + 1323] ^= 2
    (tmp_path / FILE).write_bytes(data)
    found = []
    with open_to_read(tmp_path / FILE) as file:
        for subject in islice(subjects(file), 1000):
            found.append(subject)
            with suppress(Damaged):
                read_rows(file, subject)
    assert len(found) < 100
    assert {f"t{number}" for number in range(1, 29)} <= {*found}
