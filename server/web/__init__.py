"""The browser's face: pages over HTTP, and one WebSocket for each person at a table."""
