"""Limits of programs."""

from __future__ import annotations

MOST_SESSIONS = 1000
MOST_SPEAKERS = 500
MOST_BLOCKS = 200
MOST_DAYS = 31
MOST_ROOMS = 60
MOST_TRACKS = 30
MOST_AT_ONCE = 500
MOST_SPEAKING = 20  # at one session
