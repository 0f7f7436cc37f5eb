"""The sender of an email."""

from __future__ import annotations

from email.utils import parseaddr, quote

from django.conf import settings


def sender_address(business: str) -> str:
    """Return our address with a name that guests recognize, such as `Salon Lena via Workspace Tools`.

    A name that looks like an address is not used. If our name equals the business's name, it is omitted.
    """
    ours, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    if not business or "@" in business or business == ours:
        return str(settings.DEFAULT_FROM_EMAIL)
    return f'"{quote(f"{business} via {ours}" if ours else business)}" <{address}>'
