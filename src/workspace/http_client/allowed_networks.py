"""The networks that webhooks, calendars and address books may reach.

These are the public internet and the networks that the administrator has allowed.
"""

from __future__ import annotations

from functools import cache
from ipaddress import ip_network

from django.conf import settings

from workspace.http_client.client import PUBLIC_GUARD
from workspace.http_client.ssrf_guard import Guard


def webhook_guard() -> Guard:
    """Return the guard for webhooks."""
    return _build_guard(tuple(settings.WEBHOOK_NETWORKS))


def calendar_guard() -> Guard:
    """Return the guard for calendars and address books."""
    return _build_guard(tuple(settings.CALENDAR_NETWORKS))


@cache
def _build_guard(networks: tuple[str, ...]) -> Guard:
    return Guard(allowed_networks=tuple(ip_network(one) for one in networks)) if networks else PUBLIC_GUARD
