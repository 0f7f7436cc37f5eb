"""Limits of programs."""

from __future__ import annotations

MAX_SESSIONS = 1000
MAX_SPEAKERS = 500
MAX_BLOCKS = 200
MAX_DAYS = 31
MAX_ROOMS = 60
MAX_TRACKS = 30
MAX_BATCH_SIZE = 500
MAX_SESSION_SPEAKERS = 20  # for a session
