"""What the bots of the arena share: chances, and what bets and casts are worth. It is no bot itself."""
