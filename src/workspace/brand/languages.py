"""The languages that owners write in: their codes (BCP 47, in lower case), their names, and those to choose from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

LANGUAGES = {
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
_CODE_PATTERN = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}")


def parse_language(text: str) -> str:
    """Raises ValueError."""
    text = text.strip().lower().replace("_", "-")
    if not _CODE_PATTERN.fullmatch(text):
        raise ValueError("Write a language as de or pt-br")
    return text


def remove_duplicates(codes: list[str]) -> list[str]:
    return list(dict.fromkeys(codes))


Language = Annotated[str, StringConstraints(max_length=35), AfterValidator(parse_language)]


@lru_cache(256)
def language_name(code: str) -> str:
    """A language's name in itself; its code where nobody knows one."""
    if code in LANGUAGES:
        return LANGUAGES[code]
    from babel import Locale  # late: only what is rare pays for its tables

    try:
        name = Locale.parse(code, sep="-").get_display_name()
    except Exception:  # whatever Babel says of a code, there is no name
        name = None
    return name[:1].upper() + name[1:] if name else code
