"""Slugs: lower-case ASCII, so that URLs in upper case on printed codes and typed URLs find the same page."""

from __future__ import annotations

import re

from workspace.lib.errors import InvalidInputError
from workspace.publishing import messages

SLUG_PATTERN = re.compile(r"^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])$")


def clean_slug(text: str) -> str:
    """Return the slug in lower case. Raise InvalidInputError at `slug` if it is malformed."""
    slug = text.strip().lower()
    if not SLUG_PATTERN.match(slug) or "--" in slug:
        raise InvalidInputError.at_path("slug", messages.SLUG_INVALID)
    return slug
