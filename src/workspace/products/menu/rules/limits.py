"""Limits of menus."""

from __future__ import annotations

MOST = 500  # dishes in one call
MOST_SECTIONS = 60
