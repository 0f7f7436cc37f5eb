"""Where the installation's webhooks may go, and where calendars and address books may be: on the public internet, and
on networks that its operator has allowed."""

from __future__ import annotations

from functools import cache
from ipaddress import ip_network

from django.conf import settings

from workspace.http_client.client import PUBLIC_GUARD
from workspace.http_client.ssrf_guard import Guard


def webhook_guard() -> Guard:
    """Of webhooks."""
    return _build_guard(tuple(settings.WEBHOOK_NETWORKS))


def calendar_guard() -> Guard:
    """Of calendars and address books."""
    return _build_guard(tuple(settings.CALENDAR_NETWORKS))


@cache
def _build_guard(networks: tuple[str, ...]) -> Guard:
    return Guard(allowed_networks=tuple(ip_network(one) for one in networks)) if networks else PUBLIC_GUARD
