"""Matching of many patterns at once, in a time that depends only on the length of the text.

Untrusted text is matched against lists of hundreds of patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ua_parser_rs import UserAgentExtractor

_ESCAPE_OR_TEXT = re.compile(r"\\.|[^\\]+", re.DOTALL)

_CHUNK_SIZE = 100


class Patterns:
    """A set of patterns that are matched without case.

    These are regular expressions without lookaround and back references. Others raise ValueError. The engine of
    ua-parser searches for the literals of all patterns in one pass. It then runs only the patterns with matching
    literals, in Rust's `regex`, which does not backtrack. Lowercasing in advance keeps its tables at a third of the
    size that they have with its case flag."""

    def __init__(self, patterns: Iterable[str]) -> None:
        # each regular expression costs some kilobytes: 1,400 crawlers in fifteen take half the memory
        each = [f"(?:{_lowercase_pattern(pattern)})" for pattern in patterns]
        joined = ["|".join(each[start : start + _CHUNK_SIZE]) for start in range(0, len(each), _CHUNK_SIZE)]
        self._any = UserAgentExtractor([(pattern, "found", None, None, None, None) for pattern in joined])

    def matches_any(self, text: str) -> bool:
        """Return whether a pattern is in the text, which must not contain lone surrogates."""
        return self._any.extract(text.lower()) is not None


def _lowercase_pattern(pattern: str) -> str:
    r"""Return the pattern in lower case. An escape such as \S is unchanged."""
    return _ESCAPE_OR_TEXT.sub(lambda part: part[0] if part[0].startswith("\\") else part[0].lower(), pattern)
