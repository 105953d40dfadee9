"""Adapters that make the games environments of PettingZoo, Gymnasium and OpenSpiel. Each of these libraries is an
optional extra of the package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def requires_extra(extra: str) -> Iterator[None]:
    """A context manager for imports that need an extra of the package. It says how to install a missing one.

    Args:
        extra: The name of the extra, as in `magehall[NAME]`.

    Raises:
        ImportError: A module of the extra is not installed. The exception's text says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        raise ImportError(f"{name} is not installed; type: pip install 'magehall[{extra}]'") from None
