"""Tournaments without a server: the cup's log, formats and schedules, ratings, standings, bundles and their audit."""
