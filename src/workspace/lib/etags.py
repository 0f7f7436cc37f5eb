"""Entity tags as HTTP compares them (RFC 9110, 13.1.2)."""

from __future__ import annotations

import re

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def is_not_modified(tag: str, if_none_match: str | None) -> bool:
    """Whether the caller of `If-None-Match` has what `tag` names, in any encoding, so that 304 is the answer."""
    return find_matching_etag(tag, if_none_match) is not None


def find_matching_etag(tag: str, if_none_match: str | None) -> str | None:
    """The form of `tag` that the caller has, None when it has none.

    The comparison is weak, as the header's is: a proxy that compresses an answer weakens its tag."""
    if not if_none_match:
        return None
    forms = (tag, to_gzip_etag(tag))
    if if_none_match in forms:  # as browsers send it
        return if_none_match
    if if_none_match.strip() == "*":
        return tag
    had = _TAG.findall(if_none_match)
    return next((form for form in forms if form.removeprefix("W/") in had), None)


def to_gzip_etag(tag: str) -> str:
    """The tag of the same in gzip: each encoding has its own."""
    return f'{tag[:-1]}-gzip"'
