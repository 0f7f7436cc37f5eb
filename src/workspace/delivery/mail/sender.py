"""Whom a mail comes from, as its reader is told."""

from __future__ import annotations

from email.utils import parseaddr, quote

from django.conf import settings


def sender_address(business: str) -> str:
    """Our address, by a name that a guest knows: `Salon Lena via Workspace Tools`. What reads like an address is no
    name, and ours is left out where the service is the business's own."""
    ours, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    if not business or "@" in business or business == ours:
        return str(settings.DEFAULT_FROM_EMAIL)
    return f'"{quote(f"{business} via {ours}" if ours else business)}" <{address}>'
