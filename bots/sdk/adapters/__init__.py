"""The games as environments of PettingZoo, Gymnasium and OpenSpiel. Each of these is an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """A context manager for the imports of an extra.

    Args:
        extra: The name of the extra.

    Raises:
        ImportError: The extra is not installed. The text says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        raise ImportError(f"{name} is not installed; type: pip install 'magehall[{extra}]'") from None
