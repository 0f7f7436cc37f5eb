"""Rate limits, counted like those of the sign-in pages, by address or by person."""

from __future__ import annotations

from allauth.core.internal import ratelimit
from django.http import HttpRequest


def consume_attempt(request: HttpRequest, action: str, rates: str) -> bool:
    """Count an attempt and return whether it is allowed.

    `rates` is a list such as `10/m/ip,100/d/ip` or `5/h/user`. All of them must have an attempt left.
    """
    taken = ratelimit.consume(request, app="workspace", action=action, config={action: rates}, limit_get=True)
    return taken is not None
