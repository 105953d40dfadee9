"""Translates the sentences of this package into the current language."""

from __future__ import annotations

from languages import Catalogue, mark

_catalogue = Catalogue(__file__)
_, ngettext, N_, again = _catalogue.say, _catalogue.count, mark, _catalogue.again
