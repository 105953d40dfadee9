#!/usr/bin/perl
# Floods stdout and never stops.
$| = 1;
print "1" x 100_000, "\n" while 1;
