"""A certificate as an Open Badge 3.0 (https://www.imsglobal.org/spec/ob/v3p0/), and whether one that comes back is what
was given out."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from workspace.products.certs.domain.badges import proofs, status_list
from workspace.products.certs.domain.badges.issuers import Signing, issuer_of, key_of
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.models.certificate import read_code
from workspace.storage.files import store

PREFIX = "certbadge"
_SECONDS = "%Y-%m-%dT%H:%M:%SZ"


def made(one: Certificate, template: Template, by: Signing) -> bytes:
    """Signed, in JSON, about 3 kB. `one` has its place in a status list."""
    return json.dumps(proofs.signed(document(one, template, by), by.key, by.method, one.created_at), indent=1).encode()


def document(one: Certificate, template: Template, by: Signing) -> dict[str, Any]:
    zone = one.account.zone
    awarded = datetime.combine(one.day, time(12), zone) if one.day else one.created_at
    found: dict[str, Any] = {
        "@context": [proofs.CREDENTIALS, proofs.BADGES],
        "id": f"{one.verify_url}/credential",
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": one.course or one.title,
        "issuer": {
            "id": by.did,
            "type": ["Profile"],
            "name": one.organization or one.account.name,
            "url": settings.BASE_URL,
        },
        "validFrom": one.created_at.strftime(_SECONDS),
        "awardedDate": awarded.astimezone(UTC).strftime(_SECONDS),
        "credentialSubject": {
            "id": f"urn:uuid:{uuid.uuid4()}",
            "type": ["AchievementSubject"],
            "identifier": _identifiers(one),
            "achievement": achievement(template, one),
        },
        "credentialStatus": status_list.entry(one),
    }
    if one.expires_on is not None:
        # the whole of its last day, where it was issued
        end = datetime.combine(one.expires_on + timedelta(days=1), time.min, zone) - timedelta(seconds=1)
        found["validUntil"] = end.astimezone(UTC).strftime(_SECONDS)
    return found


def achievement(template: Template, one: Certificate | None = None) -> dict[str, Any]:
    name = (one.course or one.title) if one else template.title
    found: dict[str, Any] = {
        "id": f"{settings.BASE_URL}/a/{template.pk}",
        "type": ["Achievement"],
        "achievementType": "Certificate",
        "name": name,
        "description": template.description or name,
        "criteria": {"narrative": template.criteria or template.description or name},
    }
    if template.skills:
        found["tag"] = template.skills
    return found


def _identifiers(one: Certificate) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"type": "IdentityObject", "identityType": "name", "hashed": False, "identityHash": one.name}
    ]
    if one.email:
        salt = secrets.token_hex(16)
        digest = hashlib.sha256(f"{one.email}{salt}".encode()).hexdigest()
        found.append(
            {
                "type": "IdentityObject",
                "identityType": "emailAddress",
                "hashed": True,
                "salt": salt,
                "identityHash": f"sha256${digest}",
            }
        )
    return found


def kept(one: Certificate) -> bytes:
    """Raises FileNotFoundError while there is none, or when it was erased."""
    if not one.badge_key:
        raise FileNotFoundError(one.pk)
    return store.get(one.badge_key)


def code_of(badge: dict[str, Any]) -> str:
    """The code of the certificate that a badge says it stands beside; empty for a foreign one."""
    head, tail = f"{settings.BASE_URL}/v/", "/credential"
    id = badge.get("id")
    is_ours = isinstance(id, str) and id.startswith(head) and id.endswith(tail) and len(id) < 300
    return read_code(str(id)[len(head) : -len(tail)]) if is_ours else ""


def problem(one: Certificate, badge: dict[str, Any]) -> str:
    """What is wrong with a badge that says it is this certificate's; empty where it is what was given out. Only what
    equals the kept one is read any further, so what a stranger sends costs nothing."""
    try:
        own = json.loads(kept(one))
    except FileNotFoundError:
        return gettext("Its badge is not kept here any more.")
    if own != badge:
        return gettext("It is not what was signed here.")
    issuer = issuer_of(one.account)
    try:
        proofs.check(badge, lambda method: key_of(issuer, method))
    except proofs.NotGenuine:
        return gettext("Its signature does not hold.")
    return ""
