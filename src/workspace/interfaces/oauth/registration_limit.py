"""Daily limits on client registrations.

Software registers itself before anyone has signed in, so only its address is known. Each client is one small row, and
unused ones are deleted after 30 days.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.utils.crypto import salted_hmac

from workspace.accounts.models import CallQuota
from workspace.accounts.models.call_quota import Allowance

DAILY_LIMIT_PER_ADDRESS = 100
DAILY_LIMIT = 5000


def consume_registration_quota(client_address: str) -> Allowance:
    """Count one registration for the address, then one for the instance.

    Return the quota that is exhausted, or that of the instance.
    """
    own = CallQuota.consume(f"register:{_quota_key(client_address)}", DAILY_LIMIT_PER_ADDRESS)
    return CallQuota.consume("register", DAILY_LIMIT) if own.is_granted else own


def _quota_key(client_address: str) -> str:
    try:
        address = ip_address(client_address)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        # a household has a whole /64
        client_address = str(ip_network((address, 64), strict=False))
    # keyed, because a plain hash of an address can be reversed by trying all addresses
    return salted_hmac("oauth.registration", client_address, algorithm="sha256").hexdigest()[:32]


class MetadataFetchPermission:
    """A permission check of the protocol library, called before it fetches a client's metadata document."""

    def has_permission(self, request: Any, client_id: str) -> bool:
        headers = request.headers
        return consume_registration_quota(
            headers.get("workspace.client_address") or headers.get("REMOTE_ADDR", "")
        ).is_granted
