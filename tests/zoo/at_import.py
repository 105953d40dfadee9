"""A bot's file that ends its process."""

import os

os._exit(3)
