"""Redaction of secrets and addresses in logged responses of a mail server."""

from __future__ import annotations

from django.conf import settings

from workspace.lib.redaction import mask_addresses


def mask_server_reply(text: str) -> str:
    """Mask personal addresses, and passwords echoed by a server, in a message for a log."""
    for secret in (settings.SMTP_PASSWORD, settings.SMTP_USER):
        if secret:
            text = text.replace(secret, "…")
    return mask_addresses(text)[:300]
