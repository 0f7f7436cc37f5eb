"""Leave secrets and addresses out of what is logged of a mail server's answers."""

from __future__ import annotations

from django.conf import settings

from workspace.lib.redaction import mask_addresses


def masked(text: str) -> str:
    """Return the text as a log may have it: without people's addresses, and without a password that a server echoes."""
    for secret in (settings.SMTP_PASSWORD, settings.SMTP_USER):
        if secret:
            text = text.replace(secret, "…")
    return mask_addresses(text)[:300]
