"""Dates in the format of certificates and emails."""

from __future__ import annotations

from datetime import date


def format_long_date(value: date, language: str) -> str:
    """Format a date in any language."""
    from babel import Locale  # imported late: its tables are rarely needed
    from babel.core import UnknownLocaleError
    from babel.dates import format_date

    try:
        result = Locale.parse("en_GB" if language == "en" else language or "en_GB", sep="-" if "-" in language else "_")
    except (UnknownLocaleError, ValueError):
        result = Locale.parse("en_GB")
    return str(format_date(value, format="long", locale=result))
