"""Translates msgspec's validation errors for the person whose value was refused."""

from __future__ import annotations

from languages.refused.language import N_, _, again

SENTENCES = (
    N_("Expected `{wanted}`, got `{given}`"),
    N_("Expected `{wanted}` of length >= {least}"),
    N_("Expected `{wanted}` of length <= {most}"),
    N_("Expected `{wanted}` >= {least}"),
    N_("Expected `{wanted}` <= {most}"),
    N_("Invalid enum value {given}"),
)


def translate_error(error: object) -> str:
    """Returns the text of a ValidationError in the current language. A text that fits none of SENTENCES stays
    English."""
    text = str(error)
    what, at, where = text.partition(" - at ")
    return _("{what} - at {where}", what=again(what, SENTENCES), where=where) if at else again(text, SENTENCES)
