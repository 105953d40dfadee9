"""The browser's face of a server: pages over HTTP, and a WebSocket for each player's page."""
