"""The games as environments of other libraries, each an extra: PettingZoo, Gymnasium, OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of what an extra installs. Raises ImportError with a sentence where it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        raise ImportError(f"{name} is not installed; type: pip install 'magehall[{extra}]'") from None
