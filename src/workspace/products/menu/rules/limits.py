"""Limits of menus."""

from __future__ import annotations

MAX_ITEMS = 500  # dishes in one call
MAX_SECTIONS = 60
