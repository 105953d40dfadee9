"""Cups without their tables: the log's fold, formats and schedules, ratings, standings, bundles and their audit."""
