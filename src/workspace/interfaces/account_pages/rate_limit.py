"""How often somebody may try: counted like the sign-in pages' own limits, by address or by person."""

from __future__ import annotations

from allauth.core.internal import ratelimit
from django.http import HttpRequest


def consume_attempt(request: HttpRequest, action: str, rates: str) -> bool:
    """Take one try. `rates` is a list such as `10/m/ip,100/d/ip` or `5/h/user`; all of them must have one left."""
    taken = ratelimit.consume(request, app="workspace", action=action, config={action: rates}, limit_get=True)
    return taken is not None
