"""Days as papers and mails write them."""

from __future__ import annotations

from datetime import date


def format_long_date(value: date, language: str) -> str:
    """A day as it is written in a language, of all that there are."""
    from babel import Locale  # late: only what is rare pays for its tables
    from babel.core import UnknownLocaleError
    from babel.dates import format_date

    try:
        found = Locale.parse("en_GB" if language == "en" else language or "en_GB", sep="-" if "-" in language else "_")
    except (UnknownLocaleError, ValueError):
        found = Locale.parse("en_GB")
    return str(format_date(value, format="long", locale=found))
