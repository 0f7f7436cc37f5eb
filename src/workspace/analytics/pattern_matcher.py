"""Matching many patterns at once, in time that depends only on the length of the text.

Untrusted text is matched against lists of hundreds of patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ua_parser_rs import UserAgentExtractor

_ESCAPE_OR_TEXT = re.compile(r"\\.|[^\\]+", re.DOTALL)

_CHUNK_SIZE = 100


class Patterns:
    """A set of patterns that are matched without case.

    They are regular expressions without lookaround and back references. Others raise ValueError. The engine of
    ua-parser searches for the literals of all patterns in one pass. It then runs only the patterns with matching
    literals, in Rust's `regex`, which does not backtrack. Lowercasing in advance needs a third of the memory that its
    case flag needs.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        # each regular expression costs some kilobytes: 1,400 crawlers in fifteen take half the memory
        each = [f"(?:{_lowercase_pattern(pattern)})" for pattern in patterns]
        joined = ["|".join(each[start : start + _CHUNK_SIZE]) for start in range(0, len(each), _CHUNK_SIZE)]
        self._any = UserAgentExtractor([(pattern, "found", None, None, None, None) for pattern in joined])

    def matches_any(self, text: str) -> bool:
        """Return whether the text contains a match. It must not contain lone surrogates."""
        return self._any.extract(text.lower()) is not None


def _lowercase_pattern(pattern: str) -> str:
    r"""Convert a pattern to lower case, except escapes such as \S."""
    return _ESCAPE_OR_TEXT.sub(lambda part: part[0] if part[0].startswith("\\") else part[0].lower(), pattern)
