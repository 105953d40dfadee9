"""The screen of the client's user: a terminal, or plain lines in and out."""
