"""What a person reads and types: messages become lines, typed lines become requests. No terminal, no connection."""
