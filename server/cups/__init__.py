"""The cups of a server: tournaments that are being played, and their storage."""
