"""The identifier and the keys that an account uses to sign badges.

It is a `did:web` if the public can fetch the keys from this instance, and otherwise a `did:key`, for example on a local
machine.
"""

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
from workspace.products.certs.domain.badges.proofs import encode_multikey
from workspace.products.certs.models import Issuer, IssuerKey
from workspace.storage.database.transactions import write_transaction
from workspace.storage.encryption import DecryptionError, decrypt_secret, encrypt_secret

logger = logging.getLogger(__name__)
KEY_PURPOSE = "certs.badges"
_DID_CONTEXT = "https://www.w3.org/ns/did/v1"
_MULTIKEY_CONTEXT = "https://w3id.org/security/multikey/v1"


@dataclass(frozen=True, slots=True)
class SigningIdentity:
    """An identity for signing.

    `did` is the issuer's identifier, and `verification_method` the URL of the signing key.
    """

    issuer: Issuer
    did: str
    verification_method: str
    key: Ed25519PrivateKey


def get_or_create_issuer(account: Account) -> Issuer:
    issuer = Issuer.objects.filter(account=account).first()
    if issuer is None:
        with write_transaction():
            issuer, _ = Issuer.objects.get_or_create(account=account)
    issuer.account = account
    return issuer


def get_signing_identity(issuer: Issuer) -> SigningIdentity:
    """Return the identity with the newest key that can be decrypted.

    If there is no key, create one. Raise KeyFileError if keys are missing.
    """
    for _ in range(3):
        highest = 0
        for row in issuer.keys.order_by("-number"):
            highest = max(highest, row.number)
            try:
                raw = base64.b64decode(decrypt_secret(row.private, issuer.account_id, KEY_PURPOSE))
            except DecryptionError:
                logger.warning("The %s cannot be decrypted with the encryption keys of this instance", row)
                continue
            key = Ed25519PrivateKey.from_private_bytes(raw)
            return SigningIdentity(
                issuer, issuer_did(issuer, row.public), build_verification_method(issuer, row.public), key
            )
        _create_key(issuer, highest + 1)
    raise DecryptionError


def rotate_key(issuer: Issuer) -> None:
    """Create a new signing key. Signatures with earlier keys remain valid."""
    _create_key(issuer, max(issuer.keys.values_list("number", flat=True), default=0) + 1)


def is_publicly_reachable() -> bool:
    """Return whether others can fetch `did:web` URLs, that is, the instance uses HTTPS and is not local."""
    address = urlsplit(settings.BASE_URL)
    host = address.hostname or ""
    try:
        is_own = ip_address(host).is_loopback or ip_address(host).is_private
    except ValueError:
        is_own = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
    return address.scheme == "https" and not is_own


def issuer_did(issuer: Issuer, public: str) -> str:
    """Return the issuer's `did:web`, or the `did:key` of its public key."""
    if not is_publicly_reachable():
        return f"did:key:{public}"
    address = urlsplit(settings.BASE_URL)
    parts = [quote(address.netloc, safe=""), *filter(None, address.path.split("/")), "issuers", issuer.pk]
    return ":".join(["did:web", *parts])


def build_verification_method(issuer: Issuer, public: str) -> str:
    return f"{issuer_did(issuer, public)}#{public}"


def find_public_key(issuer: Issuer, method: str) -> str | None:
    """Return the public key of a verification method if it belongs to this issuer, or None.

    Both identifiers of the issuer are accepted.
    """
    publics = list(issuer.keys.values_list("public", flat=True))
    mark = method.rpartition("#")[2]
    return mark if mark in publics else None


def build_did_document(issuer: Issuer) -> dict[str, Any]:
    """Build the document for `did:web`, with all current and former keys."""
    publics = list(issuer.keys.order_by("-number").values_list("public", flat=True))
    did = issuer_did(issuer, publics[0] if publics else "")
    methods = [
        {"id": f"{did}#{public}", "type": "Multikey", "controller": did, "publicKeyMultibase": public}
        for public in publics
    ]
    return {
        "@context": [_DID_CONTEXT, _MULTIKEY_CONTEXT],
        "id": did,
        "verificationMethod": methods,
        "assertionMethod": [method["id"] for method in methods],
    }


def _create_key(issuer: Issuer, number: int) -> None:
    key = Ed25519PrivateKey.generate()
    sealed = encrypt_secret(base64.b64encode(key.private_bytes_raw()).decode(), issuer.account_id, KEY_PURPOSE)
    try:
        with write_transaction():
            IssuerKey.objects.create(
                issuer=issuer, number=number, public=encode_multikey(key.public_key()), private=sealed
            )
    except IntegrityError:  # another process has created the key first: use that one
        return
