"""What msgspec says of a value that it refuses, in the language of whoever gave it."""

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


def refused(error: object) -> str:
    """A ValidationError, or its text; one that is not known here stays as it is."""
    text = str(error)
    what, at, where = text.partition(" - at ")
    return _("{what} - at {where}", what=again(what, SENTENCES), where=where) if at else again(text, SENTENCES)
