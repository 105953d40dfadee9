"""Text for people: the typed language, its sentences, and the telnet bytes."""
