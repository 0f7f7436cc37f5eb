"""A text that people read, with its kind and location."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
PLACEHOLDER = re.compile(r"\{[^}]*\}|%\(\w+\)[sd]|%[sd]")
# names and formats that are the same in all languages
_UNTRANSLATED = re.compile(
    r"(?:PNG|SVG|PDF|CSV|Excel|HTML|JSON|ZIP|ID|URL|VAT|px|cm|kB|MB|GB|min|WhatsApp|LinkedIn|Stripe|Mollie|Ctrl K|MCP"
    r"|REST API|OpenAPI|Workspace Tools|Workspace|Wi-Fi|iCloud|Fastmail|Nextcloud|[\w.-]+@[\w.-]+|https?://\S+"
    r"|[A-Z]{4}-[A-Z]{4}|[\w-]+(?:\.[\w-]+)+(?:/\S*)?|/[\w/-]+|[a-z]+_[a-z_]+)"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text as people read it, with placeholders in braces.

    `kind` is its kind, such as "button" or "error". `path` is relative to the repository. `is_wrapped` is true if it is
    marked for translation. `context` is the element, tool or call that contains it.
    """

    kind: str
    text: str
    path: str
    line: int = 0
    is_wrapped: bool = False
    context: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


def clean(text: str) -> str:
    """Return the text on one line, without white space around it."""
    return re.sub(r"\s+", " ", text).strip()


def has_words(text: str) -> bool:
    """Return whether a text contains a word besides placeholders."""
    return bool(re.search(r"[A-Za-z]{2}", PLACEHOLDER.sub("", text)))


def needs_translation(text: str) -> bool:
    """Return whether a text contains a word besides placeholders, names and formats."""
    words = PLACEHOLDER.sub(" ", text).strip(" .,:;·()“”\"'&#")
    return has_words(words) and not _UNTRANSLATED.fullmatch(words)


def word_set(words: str) -> frozenset[str]:
    """Return the words that a text lists."""
    return frozenset(words.split())


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
