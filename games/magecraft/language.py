"""The sentences of this game in the language of whoever reads them."""

from __future__ import annotations

from languages import Catalogue, mark

_catalogue = Catalogue(__file__)
_, ngettext, N_ = _catalogue.say, _catalogue.count, mark
