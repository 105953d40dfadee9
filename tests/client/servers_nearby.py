"""Prints the servers that are announced in this network, as JSON: their addresses and ports."""

import json

import trio

from client.nearby import find_servers

print(json.dumps([[one.host, one.port] for one in trio.run(find_servers)]))
