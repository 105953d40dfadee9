"""The server, which runs on trio: sessions, tables, lobby, tournaments."""
