"""What touches a peer's bytes; knows no game."""
