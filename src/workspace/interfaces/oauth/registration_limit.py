"""Daily limits on client registrations.

Software registers itself before anyone has signed in, so only its address is known. Each client is one small row, and
unused clients are deleted after 30 days.
"""

from __future__ import annotations

from typing import Any

from workspace.rate_limits.allowance import Allowance
from workspace.rate_limits.counter import consume


def consume_registration(client_address: str) -> Allowance:
    """Count one registration against the limits of the address and then of the instance.

    Return the exhausted allowance, or else the allowance of the instance.
    """
    own = consume("oauth-registration", client_address)
    return consume("oauth-registration-total") if own else own


class MetadataFetchPermission:
    """Permits fetching a client's metadata document. The protocol library calls it before each fetch."""

    def has_permission(self, request: Any, client_id: str) -> bool:
        headers = request.headers
        address = headers.get("workspace.client_address") or headers.get("REMOTE_ADDR", "")
        return consume_registration(address).is_granted
