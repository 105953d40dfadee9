"""The model of one person at the tables, for every kind of screen: turns the server's messages into lines to show, and
typed lines into requests. Uses no terminal and no socket.
"""
