#!/bin/bash
# A bot in the text face: opens a table against house bots and always does the first legal thing.
# Usage: minimal.sh HOST PORT NAME GAME SEATS
host=$1 port=$2 name=$3 game=$4 seats=$5
exec 3<>"/dev/tcp/$host/$port" || exit 1
say() { printf '%s\n' "$1" >&3; }

say "hello $name"
say "open $game $seats"
for ((seat = 2; seat <= seats; seat++)); do say "add random"; done
say "brief on" # no board at each turn: this bot reads none
say "start"
while IFS= read -r line <&3; do
    line=${line%$'\r'}
    case $line in
        "> "*) say legal; say 1 ;; # a decision: ask for the numbered list, then type a number of it
        "! "*) printf 'refused: %s\n' "${line#! }" >&2 ;;
        "The match is over."*) printf '%s\n' "$line"; say quit ;;
        "Goodbye."*) exit 0 ;;
    esac
done
exit 1 # the connection ended before the goodbye
