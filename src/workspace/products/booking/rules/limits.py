"""Limits of booking pages."""

from __future__ import annotations

MAX_SERVICES = 100
MAX_ITEMS = 100
MAX_OVERRIDE_DAYS = 400  # days that an override can cover
