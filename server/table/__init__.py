"""One table of a server, with its seats, its spectators and its match."""
