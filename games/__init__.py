"""The rules of the games, without sockets, clocks or global randomness. Each folder holds one game."""
