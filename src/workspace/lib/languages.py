"""The three lists of languages, and the codes (BCP 47, in lower case) and names of all languages.

Owners may write their content in a content language. Guest pages are translated into the guest languages, and the
dashboard into the owner languages.
"""

from __future__ import annotations

import re
from functools import lru_cache

from workspace.lib import error_messages

CONTENT_LANGUAGES = {  # offered to owners for their own texts, with each language's own name
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "pt": "Português",
    "nl": "Nederlands",
    "pl": "Polski",
    "tr": "Türkçe",
    "ar": "العربية",
    "he": "עברית",
    "uk": "Українська",
}
GUEST_LANGUAGES = ("en", "de", "es", "fr", "it", "pt")  # of guest pages and emails to guests; the first is the default
OWNER_LANGUAGES = ("en",)  # of the dashboard and emails to owners; the first is the default
_CLDR_LOCALES = {"pt": "pt_PT"}  # Portuguese is European, as in Django, but `pt` of CLDR is Brazilian
_CODE_PATTERN = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}")


def parse_language(text: str) -> str:
    """Return the normalized code of a language. Raise ValueError if it is malformed."""
    text = text.strip().lower().replace("_", "-")
    if not _CODE_PATTERN.fullmatch(text):
        raise ValueError(error_messages.INVALID_LANGUAGE)
    return text


def remove_duplicates(codes: list[str]) -> list[str]:
    return list(dict.fromkeys(codes))


def cldr_locale(code: str) -> str:
    """Return the name of Babel's locale for numbers, money and dates in a language."""
    return _CLDR_LOCALES.get(code, code)


@lru_cache(256)
def language_name(code: str) -> str:
    """Return a language's own name, or its code if the name is unknown."""
    if code in CONTENT_LANGUAGES:
        return CONTENT_LANGUAGES[code]
    from babel import Locale  # imported late: its tables are needed only for rare languages

    try:
        name = Locale.parse(code, sep="-").get_display_name()
    except Exception:  # whatever Babel raises, there is no name
        name = None
    return name[:1].upper() + name[1:] if name else code
