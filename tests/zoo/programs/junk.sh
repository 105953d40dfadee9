#!/bin/sh
# Answers with what is no JSON.
while read -r line; do echo "what?"; done
