"""The translations of this package's sentences."""

from __future__ import annotations

from languages import Catalogue, mark

_catalogue = Catalogue(__file__)
_, N_, again = _catalogue.say, mark, _catalogue.again
