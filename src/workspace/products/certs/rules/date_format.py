"""Dates in the format used by certificates and emails."""

from __future__ import annotations

from datetime import date

from workspace.lib.languages import cldr_locale


def format_long_date(value: date, language: str) -> str:
    """Format a date in long form in the given language."""
    from babel import Locale  # imported late: its tables are rarely needed
    from babel.core import UnknownLocaleError
    from babel.dates import format_date

    try:
        name = "en_GB" if language in ("", "en") else cldr_locale(language)
        result = Locale.parse(name, sep="-" if "-" in name else "_")
    except (UnknownLocaleError, ValueError):
        result = Locale.parse("en_GB")
    return str(format_date(value, format="long", locale=result))
