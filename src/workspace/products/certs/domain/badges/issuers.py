"""Under which name an account signs, and with which key: `did:web` where the world can look its keys up, `did:key`
where it cannot, as on a machine of one's own."""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import IntegrityError

from workspace.accounts.models import Account
from workspace.products.certs.domain.badges.proofs import multikey
from workspace.products.certs.models import Issuer, IssuerKey
from workspace.storage.database.transactions import writing
from workspace.storage.encryption import CannotUnseal, seal, unseal

logger = logging.getLogger(__name__)
PURPOSE = "certs.badges"
_DID = "https://www.w3.org/ns/did/v1"
_MULTIKEY = "https://w3id.org/security/multikey/v1"


@dataclass(frozen=True, slots=True)
class Signing:
    """`did` is the issuer's name, `method` the address of the key that signs."""

    issuer: Issuer
    did: str
    method: str
    key: Ed25519PrivateKey


def issuer_of(account: Account) -> Issuer:
    found = Issuer.objects.filter(account=account).first()
    if found is None:
        with writing():
            found, _ = Issuer.objects.get_or_create(account=account)
    found.account = account
    return found


def signing(issuer: Issuer) -> Signing:
    """With the newest key that can be opened here; made where there is none. Raises KeysUnreadable."""
    for _ in range(3):
        highest = 0
        for row in issuer.keys.order_by("-number"):
            highest = max(highest, row.number)
            try:
                raw = base64.b64decode(unseal(row.private, issuer.account_id, PURPOSE))
            except CannotUnseal:
                logger.warning("The %s cannot be opened with the sealing keys that are here", row)
                continue
            key = Ed25519PrivateKey.from_private_bytes(raw)
            return Signing(issuer, did_of(issuer, row.public), method_of(issuer, row.public), key)
        _make(issuer, highest + 1)
    raise CannotUnseal


def rotate(issuer: Issuer) -> None:
    """From now on another key signs; what the former ones signed holds."""
    _make(issuer, max(issuer.keys.values_list("number", flat=True), default=0) + 1)


def is_found() -> bool:
    """Whether others can fetch from here what `did:web` asks for: by https, and not from this machine alone."""
    address = urlsplit(settings.BASE_URL)
    host = address.hostname or ""
    try:
        is_own = ip_address(host).is_loopback or ip_address(host).is_private
    except ValueError:
        is_own = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
    return address.scheme == "https" and not is_own


def did_of(issuer: Issuer, public: str) -> str:
    if not is_found():
        return f"did:key:{public}"
    address = urlsplit(settings.BASE_URL)
    parts = [quote(address.netloc, safe=""), *filter(None, address.path.split("/")), "issuers", issuer.pk]
    return ":".join(["did:web", *parts])


def method_of(issuer: Issuer, public: str) -> str:
    return f"{did_of(issuer, public)}#{public}"


def key_of(issuer: Issuer, method: str) -> str | None:
    """The public key at an address, if it is one of this issuer's under either of its names."""
    publics = list(issuer.keys.values_list("public", flat=True))
    mark = method.rpartition("#")[2]
    return mark if mark in publics else None


def did_document(issuer: Issuer) -> dict[str, Any]:
    """What `did:web` finds: all keys that ever signed."""
    publics = list(issuer.keys.order_by("-number").values_list("public", flat=True))
    did = did_of(issuer, publics[0] if publics else "")
    methods = [
        {"id": f"{did}#{public}", "type": "Multikey", "controller": did, "publicKeyMultibase": public}
        for public in publics
    ]
    return {
        "@context": [_DID, _MULTIKEY],
        "id": did,
        "verificationMethod": methods,
        "assertionMethod": [one["id"] for one in methods],
    }


def _make(issuer: Issuer, number: int) -> None:
    key = Ed25519PrivateKey.generate()
    sealed = seal(base64.b64encode(key.private_bytes_raw()).decode(), issuer.account_id, PURPOSE)
    try:
        with writing():
            IssuerKey.objects.create(issuer=issuer, number=number, public=multikey(key.public_key()), private=sealed)
    except IntegrityError:  # another process was first, and its key is taken
        return
