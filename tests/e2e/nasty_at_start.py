"""A bot file that cannot even be loaded."""

raise ZeroDivisionError("planted")
