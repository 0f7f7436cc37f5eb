"""Comparison of entity tags (RFC 9110, section 13.1.2)."""

from __future__ import annotations

import re

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def is_not_modified(tag: str, if_none_match: str | None) -> bool:
    """Return whether `If-None-Match` matches the tag in any encoding, that is, the response is a 304."""
    return find_matching_etag(tag, if_none_match) is not None


def find_matching_etag(tag: str, if_none_match: str | None) -> str | None:
    """Return the variant of `tag` that the client has, or None.

    The comparison is weak, as the header requires, because a proxy that compresses a response weakens its tag.
    """
    if not if_none_match:
        return None
    forms = (tag, to_gzip_etag(tag))
    if if_none_match in forms:  # the form that browsers send
        return if_none_match
    if if_none_match.strip() == "*":
        return tag
    had = _TAG.findall(if_none_match)
    return next((form for form in forms if form.removeprefix("W/") in had), None)


def to_gzip_etag(tag: str) -> str:
    """Return the tag of the gzip-encoded response, because each encoding needs its own tag."""
    return f'{tag[:-1]}-gzip"'
