"""Entity tags as HTTP compares them (RFC 9110, 13.1.2)."""

from __future__ import annotations

import re

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def is_known(tag: str, if_none_match: str | None) -> bool:
    """Whether the caller of `If-None-Match` has what `tag` names already, so that 304 is the answer. The comparison is
    weak, as the header's is: a proxy that compresses an answer weakens its tag."""
    if not if_none_match:
        return False
    if if_none_match.strip() == "*":
        return True
    return tag.removeprefix("W/") in _TAG.findall(if_none_match)
