"""What browsers let our pages do."""

from __future__ import annotations


def build_policy(frame_ancestors: str = "'none'") -> str:
    """The Content-Security-Policy of a page that these sources may frame.

    No form-action: Chromium applies it to the redirect after the consent form, whose target is the client's own
    address."""
    return (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
        f"object-src 'none'; base-uri 'none'; frame-ancestors {frame_ancestors}"
    )
