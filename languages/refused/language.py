"""The translations of this package's sentences."""

from __future__ import annotations

from languages import Catalogue, mark_for_translation

_catalogue = Catalogue(__file__)
_, N_, again = _catalogue.translate, mark_for_translation, _catalogue.translate_text
