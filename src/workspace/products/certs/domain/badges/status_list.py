"""Revocation for programs: W3C Bitstring Status List (https://www.w3.org/TR/vc-bitstring-status-list/).

Each certificate has a bit at a random position, so that the list cannot be used to count or track people.
"""

from __future__ import annotations

import base64
import gzip
import json
import secrets
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.lru_cache import BoundedCache
from workspace.products.certs.domain.badges.issuers import get_or_create_issuer, get_signing_identity
from workspace.products.certs.domain.badges.proofs import CREDENTIALS_CONTEXT, sign_document
from workspace.products.certs.models import Certificate, StatusList

LIST_BITS = 131_072
MAX_CERTIFICATES = 100_000  # per list, so that random free positions can still be found quickly
_credential_cache = BoundedCache[bytes](1024 * 1024)


def status_list_url(number: int) -> str:
    return f"{settings.BASE_URL}/status/{number}"


def assign_status_bits(account: Account, certificates: Sequence[Certificate]) -> None:
    """Assign a bit to each new certificate.

    Call it in the transaction that saves the certificates, with the account locked.
    """
    issuer = get_or_create_issuer(account)
    newest = StatusList.objects.filter(issuer=issuer).order_by("-pk").first()
    if newest is None or newest.certificates.count() + len(certificates) > MAX_CERTIFICATES:
        newest = StatusList.objects.create(issuer=issuer)
    requested: list[int] = []
    while len(requested) < len(certificates):
        drawn = {secrets.randbelow(LIST_BITS) for _ in range(len(certificates) - len(requested))} - set(requested)
        taken = newest.certificates.filter(status_index__in=drawn).values_list("status_index", flat=True)
        requested += drawn - set(taken)
    secrets.SystemRandom().shuffle(requested)
    for certificate, index in zip(certificates, requested, strict=True):
        certificate.status_list, certificate.status_index = newest, index


def sign_status_list(status_list: StatusList) -> bytes:
    """Return the list as a signed credential in JSON. It is cached until a bit changes."""
    ended = Q(revoked_at__isnull=False) | Q(replaced_by__isnull=False)
    indices = status_list.certificates.filter(ended, status_index__isnull=False).values_list("status_index", flat=True)
    places = sorted(index for index in indices if index is not None)
    by = get_signing_identity(get_or_create_issuer(status_list.issuer.account))
    known = (status_list.pk, by.verification_method, tuple(places))
    if stored := _credential_cache.get(known):
        return stored
    url = status_list_url(status_list.pk)
    document = {
        "@context": [CREDENTIALS_CONTEXT],
        "id": url,
        "type": ["VerifiableCredential", "BitstringStatusListCredential"],
        "issuer": by.did,
        "validFrom": status_list.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "credentialSubject": {
            "id": f"{url}#list",
            "type": "BitstringStatusList",
            "statusPurpose": "revocation",
            "encodedList": encode_bits(places),
        },
    }
    made = json.dumps(sign_document(document, by.key, by.verification_method, clock.now())).encode()
    _credential_cache.put(known, made, len(made) + 40 * len(places))
    return made


def encode_bits(places: Sequence[int]) -> str:
    """Encode a list with the bits at `places` set, compressed, as multibase base64url."""
    bits = bytearray(LIST_BITS // 8)
    for index in places:
        bits[index // 8] |= 0x80 >> index % 8
    return "u" + base64.urlsafe_b64encode(gzip.compress(bytes(bits), mtime=0)).decode().rstrip("=")


def build_status_entry(certificate: Certificate) -> dict[str, Any]:
    assert certificate.status_list_id is not None
    url = status_list_url(certificate.status_list_id)
    return {
        "id": f"{url}#{certificate.status_index}",
        "type": "BitstringStatusListEntry",
        "statusPurpose": "revocation",
        "statusListIndex": str(certificate.status_index),
        "statusListCredential": url,
    }
