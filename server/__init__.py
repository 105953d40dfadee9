"""The server, which runs on trio: connections, sessions, lobby, tables and cups."""
