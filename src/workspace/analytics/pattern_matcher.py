"""Many patterns looked for at once, in a time that grows with the text's length and with nothing else: what strangers
send is matched against lists of hundreds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ua_parser_rs import UserAgentExtractor

_ESCAPE_OR_TEXT = re.compile(r"\\.|[^\\]+", re.DOTALL)

_CHUNK_SIZE = 100


class Patterns:
    """`matches_any` says whether any of them is in a text, whatever its case.

    Regular expressions without look-around and back references; anything else is a ValueError. The engine behind
    ua-parser looks for the literals of all in one pass and runs the few whose literals are there, in Rust's `regex`,
    which never goes back. Folding the case ahead keeps its tables a third as large as its own flag for that.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        # a regular expression has a fixed price of some kilobytes: 1,400 crawlers in fifteen take half the memory
        each = [f"(?:{_lowercase_pattern(pattern)})" for pattern in patterns]
        joined = ["|".join(each[start : start + _CHUNK_SIZE]) for start in range(0, len(each), _CHUNK_SIZE)]
        self._any = UserAgentExtractor([(pattern, "found", None, None, None, None) for pattern in joined])

    def matches_any(self, text: str) -> bool:
        """`text`: without lone surrogates."""
        return self._any.extract(text.lower()) is not None


def _lowercase_pattern(pattern: str) -> str:
    r"""An escape such as \S keeps its meaning."""
    return _ESCAPE_OR_TEXT.sub(lambda part: part[0] if part[0].startswith("\\") else part[0].lower(), pattern)
