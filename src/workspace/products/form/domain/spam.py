"""Heuristics for spam. Suspicious responses go to a folder that the owner can see, because the rules may be wrong."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.lib import clock
from workspace.products.form.models import Response
from workspace.products.form.rules.definition_fields import answerable_fields, list_fields

MAX_LINKS = 3
DUPLICATE_WINDOW, MIN_DUPLICATE_LENGTH = (
    timedelta(minutes=10),
    60,
)  # characters in a text that two people are unlikely to write identically
# letters of other scripts, if they are also the majority; a single name or word is not suspicious
MIN_FOREIGN_LETTERS = 20
_LINK_PATTERN = re.compile(r"https?://|www\.|\[url", re.IGNORECASE)
# scripts by their Unicode names, with the languages written in them; Latin is never suspicious
_LANGUAGES_BY_SCRIPT = {
    "CYRILLIC": "ru uk be bg sr mk kk ky mn tg",
    "ARABIC": "ar fa ur ps ckb",
    "HEBREW": "he iw yi",
    "CJK": "zh yue ja ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "DEVANAGARI": "hi mr ne",
    "GREEK": "el",
    "THAI": "th",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
}


def find_suspicion(
    inbox: QuerySet[Response], definition: Mapping[str, Any], answers: Mapping[str, Any], accept_language: str
) -> str:
    """Return a key of SUSPICIONS, or an empty string. `accept_language` is the Accept-Language header."""
    texts = [
        value
        for field in answerable_fields(definition)
        if field["type"] in ("short_text", "long_text") and isinstance(value := answers.get(field["key"]), str)
    ]
    if sum(len(_LINK_PATTERN.findall(text)) for text in texts) > MAX_LINKS:
        return "links"
    if has_foreign_script(texts, [field["label"] for field in list_fields(definition)], accept_language):
        return "letters"
    long = {text for text in texts if len(text) > MIN_DUPLICATE_LENGTH}
    if long:
        recent = inbox.filter(created_at__gt=clock.now() - DUPLICATE_WINDOW)[:50]
        if any(long & {text for text in response.answers.values() if isinstance(text, str)} for response in recent):
            return "same"
    return ""


def has_foreign_script(texts: Iterable[str], form_texts: Iterable[str], accept_language: str) -> bool:
    """Return whether most of the text is in scripts used by neither the form nor the browser's languages."""
    languages = set(re.findall(r"[a-z]{2,3}", accept_language.lower()))
    results = {name for name, read in _LANGUAGES_BY_SCRIPT.items() if not languages.isdisjoint(read.split())}
    results.update(_count_scripts(" ".join(form_texts)))
    letters = _count_scripts(" ".join(texts))
    other = sum(count for name, count in letters.items() if name in _LANGUAGES_BY_SCRIPT and name not in results)
    return other >= MIN_FOREIGN_LETTERS and 2 * other > letters.total()


def _count_scripts(text: str) -> Counter[str]:
    """Count the letters of each script."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if char.isalpha():
            counts[re.split("[ -]", unicodedata.name(char, ""))[0]] += count
    return counts
