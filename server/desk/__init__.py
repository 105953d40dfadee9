"""Handles the requests of clients. This package knows no sockets."""
