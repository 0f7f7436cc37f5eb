"""Limits of booking pages."""

from __future__ import annotations

MOST_SERVICES = 100
MOST_ITEMS = 100
LONGEST_SPAN = 400  # days that one override covers
