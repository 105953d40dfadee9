"""What outlives the process: rows of bytes, kept on disk or nowhere. Knows no game and no player."""
