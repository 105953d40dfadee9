#!/bin/sh
# Always does the first legal thing, and leaves something running.
sleep 603 &
while IFS= read -r line; do
    case $line in
        *'"type":"turn"'*) echo 1 ;;
    esac
done
