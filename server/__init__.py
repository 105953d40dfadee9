"""The trio shell around rules and protocol: sessions, tables, lobby, tournaments."""
