"""Storage that outlives the server's process: rows of bytes on disk. It knows neither games nor players."""
