"""Translations of this package's sentences into the current language."""

from __future__ import annotations

from languages import Catalogue, mark_for_translation

_catalogue = Catalogue(__file__)
_, ngettext, N_ = _catalogue.translate, _catalogue.translate_plural, mark_for_translation
