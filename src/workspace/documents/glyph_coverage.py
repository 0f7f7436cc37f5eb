"""The characters that can be printed.

A character without a font would be an empty box, so it is rejected by name before anything is rendered. `bin/fonts`
reads the fonts' character tables once, into `fonts/coverage.json`."""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.text import has_control_characters

FONT_FOLDER = Path(__file__).with_name("fonts")
HAN_PACKAGE = "noto_cjk_sans_otc"  # a separate package of 19 MB
# fmt: off
_SCRIPTS = (
    "Arabic", "Hebrew", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam",
    "Sinhala", "Thai", "Lao", "Myanmar", "Khmer", "Ethiopic", "Georgian", "Armenian",
)
# fmt: on
_HAN_FORMS = {"ja": "JP", "ko": "KR", "zh": "SC", "zh-hk": "HK", "zh-tw": "TC", "zh-hant": "TC", "zh-mo": "HK"}
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
# joiners, direction marks and variation selectors, which are invisible
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
MAX_ISSUES = 20


class _CharacterSet:
    """A set of characters, as sorted ranges."""

    def __init__(self, ranges: list[list[int]]) -> None:
        self.first = [first for first, _ in ranges]
        self.last = [last for _, last in ranges]

    def __contains__(self, char: str) -> bool:
        at = bisect_right(self.first, ord(char)) - 1
        return at >= 0 and ord(char) <= self.last[at]


@lru_cache(maxsize=1)
def _load_coverage() -> tuple[_CharacterSet, _CharacterSet]:
    """Return the characters of our own fonts, and of the fonts for Han, kana and Hangul."""
    coverage = json.loads((FONT_FOLDER / "coverage.json").read_text())
    return _CharacterSet(coverage["own"]), _CharacterSet(coverage["han"])


@lru_cache(maxsize=1)
def _load_typefaces() -> dict[str, _CharacterSet]:
    typefaces = json.loads((FONT_FOLDER / "coverage.json").read_text())["faces"]
    return {name: _CharacterSet(ranges) for name, ranges in typefaces.items()}


def has_glyphs(font: str, text: str) -> bool:
    """Return whether a display font has every letter of the text or their components, so that no word mixes fonts."""
    known = _load_typefaces().get(font)
    letters = [char for char in set(_INVISIBLE.sub("", text)) if unicodedata.category(char)[0] in "LM"]
    return known is not None and all(
        char in known or all(part in known for part in unicodedata.normalize("NFD", char)) for char in letters
    )


def find_unprintable(text: str) -> list[str]:
    """Return the unprintable characters of the text in order, without duplicates."""
    return [char for char in dict.fromkeys(_INVISIBLE.sub("", text)) if not _is_printable(char)]


def _is_printable(char: str) -> bool:
    if char in "\n\t":
        return True
    own, han = _load_coverage()
    return not has_control_characters(char) and (char in own or char in han or _is_composable(char))


def check_printable(value: Any, path: str = "") -> None:
    """Raise InvalidInputError, with one issue per text, if there are unprintable characters.

    All texts inside the value are checked. `path` is the argument's path.
    """
    issues = []
    for at, text in iterate_texts(value, path):
        if chars := find_unprintable(text):
            issues.append(Issue(at, unprintable_message(chars)))
            if len(issues) == MAX_ISSUES:
                break
    if issues:
        raise InvalidInputError(issues)


def unprintable_message(chars: list[str]) -> str:
    named = ", ".join(map(describe_character, chars[:5])) + (f" and {len(chars) - 5} more" if len(chars) > 5 else "")
    return f"These characters can’t be printed: {named}. Remove or replace them"


def describe_character(char: str) -> str:
    name = unicodedata.name(char, "").lower()
    shown = f"“{char}” " if char.isprintable() else ""
    return f"{shown}({', '.join(filter(None, (f'U+{ord(char):04X}', name)))})"


def iterate_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string inside a value, with its dotted path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from iterate_texts(one, f"{path}.{name}" if path else str(name))
    elif isinstance(value, (list, tuple)):
        for number, one in enumerate(value):
            yield from iterate_texts(one, f"{path}.{number}" if path else str(number))


def replace_unprintable(value: Any, cluster: str = "") -> Any:
    """Replace unprintable characters and clusters with their code points (`U+A000`)."""
    if isinstance(value, str):
        for part in [cluster] if cluster else find_unprintable(value):
            value = value.replace(part, " ".join(f"U+{ord(char):04X}" for char in part))
        return value
    if isinstance(value, dict):
        return {name: replace_unprintable(one, cluster) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_unprintable(one, cluster) for one in value]
    return value


def choose_fonts(language: str, all_text: str) -> tuple[list[str], list[Path]]:
    """Return the fonts for a document in order of preference, and the folders that contain them."""
    own, _ = _load_coverage()
    names = ["Noto Sans", *(f"Noto Sans {script}" for script in _SCRIPTS)]
    signs = ["Noto Sans Symbols 2", "Noto Emoji"]
    if all(char in own for char in set(_INVISIBLE.sub("", all_text)) - set("\n\t")):
        return [*names, *signs], [FONT_FOLDER]
    return [*names, f"Noto Sans CJK {_choose_han_form(language.lower(), all_text)}", *signs], [
        FONT_FOLDER,
        _find_han_folder(),
    ]


def _choose_han_form(language: str, text: str) -> str:
    """Return the regional form of Han characters for the language, or for the script of the text."""
    if found := _HAN_FORMS.get(language) or _HAN_FORMS.get(language.partition("-")[0]):
        return found
    return "JP" if _KANA.search(text) else "KR" if _HANGUL.search(text) else "SC"


@lru_cache(maxsize=1)
def _find_han_folder() -> Path:
    found = find_spec(HAN_PACKAGE)
    assert found is not None
    return Path(str(found.origin)).parent


def _is_composable(char: str) -> bool:
    """Return whether the parts of a character are printable, because fonts can combine a letter with its marks."""
    own, han = _load_coverage()
    parts = unicodedata.normalize("NFD", char)
    return parts != char and (all(part in own for part in parts) or all(part in han for part in parts))
