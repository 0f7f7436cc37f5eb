"""Limits of seating charts."""

from __future__ import annotations

MOST = 500  # tables or guests in one call
MOST_TABLES = 500  # in one chart
MOST_COURSES = 8
LARGEST_TABLE = 60
LONGEST_ROOM = 20_000.0  # centimetres: two hundred metres
