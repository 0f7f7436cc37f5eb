"""Limits of seating charts."""

from __future__ import annotations

MAX_ITEMS = 500  # tables or guests in one call
MAX_TABLES = 500  # in one chart
MAX_COURSES = 8
MAX_SEATS_PER_TABLE = 60
MAX_ROOM_LENGTH_CM = 20_000.0  # 200 meters
