"""The Content-Security-Policy of our pages."""

from __future__ import annotations


def build_policy(frame_ancestors: str = "'none'") -> str:
    """Return the Content-Security-Policy of a page that these sources may frame.

    It has no form-action, because Chromium applies that to the redirect after the consent form, whose target is the
    client's address.
    """
    return (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
        f"object-src 'none'; base-uri 'none'; frame-ancestors {frame_ancestors}"
    )
