"""A match as its header and its log, and everything that is computed from them. Pure. Independent of servers and
clients."""
