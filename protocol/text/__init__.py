"""Text for people: what may be printed, the telnet bytes, the typed language and its sentences."""
