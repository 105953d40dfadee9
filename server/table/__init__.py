"""One table and its match."""
