"""The rules of all games. No module here uses sockets, clocks or global randomness. Each sub-package with a list
`GAMES` holds one game or its editions."""
