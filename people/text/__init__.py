"""Text for people: the typed language and its sentences."""
