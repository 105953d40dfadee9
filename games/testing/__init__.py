"""A test kit for games, as trio.testing is one for trio: the exam that every game takes, and transcripts of matches."""
