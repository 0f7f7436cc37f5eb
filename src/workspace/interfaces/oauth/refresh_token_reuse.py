"""Reuse of a spent refresh token: a copy in a parallel process, a lost response, or a theft."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.utils.crypto import salted_hmac

from workspace.accounts.models import OAuthRefreshToken
from workspace.accounts.models.oauth import REUSE_GRACE
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction


def compute_sender_digest(request: Any) -> str:
    """Return a keyed digest of the sender's network and user agent. `request` is the protocol library's object."""
    headers = request.headers
    address = headers.get("workspace.client_address") or headers.get("REMOTE_ADDR", "")
    sender_text = f"{_client_network(address)} {headers.get('HTTP_USER_AGENT', '')}"
    return salted_hmac("oauth.sender", sender_text, algorithm="sha256").hexdigest()


def _client_network(address: str) -> str:
    """Return the /24 or /48 network of an address, the typical size for a home or an office."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return str(ip_network((found, 48 if isinstance(found, IPv6Address) else 24), strict=False))


def accept_reuse_or_revoke(spent_token: OAuthRefreshToken, request: Any) -> bool:
    """Return whether a spent token of a public client may be used again. If not, revoke the affected tokens.

    After the first seconds, use by another sender revokes the family. So does a second use after the grace period. The
    first use after the grace period is rejected, but nothing else is revoked. Within it, a use beyond the limit is only
    rejected.
    """
    assert spent_token.revoked is not None
    is_new = spent_token.revoked > clock.now() - REUSE_GRACE
    if not is_new and spent_token.spent_by and spent_token.spent_by != compute_sender_digest(request):
        OAuthRefreshToken.revoke_family(spent_token.token_family)
        return False
    if spent_token.revoked > clock.now() - spent_token.grace:
        return spent_token.find_sibling() is not None
    with write_transaction():
        is_first = OAuthRefreshToken.objects.filter(pk=spent_token.pk, refused=False).update(refused=True)
    if not is_first:
        OAuthRefreshToken.revoke_family(spent_token.token_family)
    return False
