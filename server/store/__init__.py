"""Storage that outlives the process: rows of bytes on disk. Independent of games and players."""
