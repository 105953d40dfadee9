#!/bin/sh
# Reads, and never answers.
while read -r line; do :; done
