"""Converting an HTML email to plain text. The HTML itself is never shown.

Regular expressions without backtracking, and forward searches, take only linear time in the size of the input.
"""

from __future__ import annotations

import html
import re

MAX_CHARACTERS = 400_000  # maximum length of the HTML
_INVISIBLE = re.compile(r"<(style|script|head|title)\b", re.IGNORECASE)
_QUOTE, _UNQUOTE = "\x01", "\x02"
_BREAKS = re.compile(r"<(?:br|/p|/div|/li|/tr|/h[1-6]|/table|hr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[a-z/!?][^<>]*>", re.IGNORECASE)
# Numbers that are not code points, which Python refuses to convert.
_INVALID_REFERENCE = re.compile(r"&#x?[0-9a-f]{8,};?", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_EMPTY = re.compile(r"\n{3,}")


def convert_html(page: str) -> str:
    """Return the text. Lines of quoted parts (`blockquote`) start with >, as in plain text emails."""
    page = _remove_invisible(page[:MAX_CHARACTERS].replace(_QUOTE, "").replace(_UNQUOTE, ""))
    page = _SPACES.sub(" ", page)
    page = re.sub(r"<blockquote\b[^<>]*>", f"\n{_QUOTE}\n", page, flags=re.IGNORECASE)
    page = re.sub(r"</blockquote\b[^<>]*>", f"\n{_UNQUOTE}\n", page, flags=re.IGNORECASE)
    page = html.unescape(_INVALID_REFERENCE.sub("", _TAG.sub("", _BREAKS.sub("\n", page))))
    lines, depth = [], 0
    for line in page.split("\n"):
        line = line.strip()
        if line == _QUOTE:
            depth += 1
        elif line == _UNQUOTE:
            depth = max(0, depth - 1)
        else:
            lines.append(f"{'>' * min(depth, 5)} {line}" if depth else line)
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip()


def _remove_invisible(page: str) -> str:
    """Remove comments and elements without visible text."""
    kept, at = [], 0
    while (start := page.find("<!--", at)) >= 0:
        kept.append(page[at:start])
        at = page.find("-->", start + 4) + 3
        if at < 3:  # it has no end
            at = len(page)
    page = "".join([*kept, page[at:]])
    lower, kept, at = page.lower(), [], 0
    while found := _INVISIBLE.search(page, at):
        kept.append(page[at : found.start()])
        end = lower.find(f"</{found[1].lower()}", found.end())
        at = len(page) if end < 0 else end
    return "".join([*kept, page[at:]])
