"""A test kit for games: the exam that every game must pass, and transcripts of matches."""
