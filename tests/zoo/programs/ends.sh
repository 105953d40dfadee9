#!/bin/sh
# Ends before it is asked.
exit 4
