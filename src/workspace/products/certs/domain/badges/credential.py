"""A certificate as an Open Badge 3.0 (https://www.imsglobal.org/spec/ob/v3p0/), and the check of a submitted badge."""

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
from workspace.products.certs.domain.badges.issuers import SigningIdentity, find_public_key, get_or_create_issuer
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.models.certificate import parse_code
from workspace.storage.files import store

FILE_KEY_PREFIX = "certbadge"
_TIMESTAMP_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def sign_badge(certificate: Certificate, template: Template, identity: SigningIdentity) -> bytes:
    """Return a signed badge as JSON, about 3 kB. The certificate must already have a bit in a status list."""
    return json.dumps(
        proofs.sign_document(
            build_unsigned_badge(certificate, template, identity),
            identity.key,
            identity.verification_method,
            certificate.created_at,
        ),
        indent=1,
    ).encode()


def build_unsigned_badge(certificate: Certificate, template: Template, identity: SigningIdentity) -> dict[str, Any]:
    """Build the unsigned credential of a certificate."""
    zone = certificate.account.zone
    awarded = datetime.combine(certificate.day, time(12), zone) if certificate.day else certificate.created_at
    result: dict[str, Any] = {
        "@context": [proofs.CREDENTIALS_CONTEXT, proofs.BADGES_CONTEXT],
        "id": f"{certificate.verify_url}/credential",
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": certificate.course or certificate.title,
        "issuer": {
            "id": identity.did,
            "type": ["Profile"],
            "name": certificate.organization or certificate.account.name,
            "url": settings.BASE_URL,
        },
        "validFrom": certificate.created_at.strftime(_TIMESTAMP_FORMAT),
        "awardedDate": awarded.astimezone(UTC).strftime(_TIMESTAMP_FORMAT),
        "credentialSubject": {
            "id": f"urn:uuid:{uuid.uuid4()}",
            "type": ["AchievementSubject"],
            "identifier": _build_identifiers(certificate),
            "achievement": build_achievement(template, certificate),
        },
        "credentialStatus": status_list.build_status_entry(certificate),
    }
    if certificate.expires_on is not None:
        # until the end of its last day in the account's time zone
        end = datetime.combine(certificate.expires_on + timedelta(days=1), time.min, zone) - timedelta(seconds=1)
        result["validUntil"] = end.astimezone(UTC).strftime(_TIMESTAMP_FORMAT)
    return result


def build_achievement(template: Template, certificate: Certificate | None = None) -> dict[str, Any]:
    """Build the achievement of a template. For a certificate with a course, the course is its name."""
    name = (certificate.course or certificate.title) if certificate else template.title
    result: dict[str, Any] = {
        "id": f"{settings.BASE_URL}/a/{template.pk}",
        "type": ["Achievement"],
        "achievementType": "Certificate",
        "name": name,
        "description": template.description or name,
        "criteria": {"narrative": template.criteria or template.description or name},
    }
    if template.skills:
        result["tag"] = template.skills
    return result


def _build_identifiers(certificate: Certificate) -> list[dict[str, Any]]:
    identifiers: list[dict[str, Any]] = [
        {"type": "IdentityObject", "identityType": "name", "hashed": False, "identityHash": certificate.name}
    ]
    if certificate.email:
        salt = secrets.token_hex(16)
        digest = hashlib.sha256(f"{certificate.email}{salt}".encode()).hexdigest()
        identifiers.append(
            {
                "type": "IdentityObject",
                "identityType": "emailAddress",
                "hashed": True,
                "salt": salt,
                "identityHash": f"sha256${digest}",
            }
        )
    return identifiers


def load_badge(certificate: Certificate) -> bytes:
    """Return the stored badge. Raise FileNotFoundError if it does not exist yet or was erased."""
    if not certificate.badge_key:
        raise FileNotFoundError(certificate.pk)
    return store.get(certificate.badge_key)


def certificate_code(badge: dict[str, Any]) -> str:
    """Return the code of the certificate that a badge belongs to.

    Return an empty string if the badge has another issuer.
    """
    head, tail = f"{settings.BASE_URL}/v/", "/credential"
    id = badge.get("id")
    is_ours = isinstance(id, str) and id.startswith(head) and id.endswith(tail) and len(id) < 300
    return parse_code(str(id)[len(head) : -len(tail)]) if is_ours else ""


def describe_problem(certificate: Certificate, badge: dict[str, Any]) -> str:
    """Describe the problem with a badge of this certificate, or return an empty string if it is authentic.

    Only a badge that equals the stored one is checked further, so rejecting forged input is cheap.
    """
    try:
        own = json.loads(load_badge(certificate))
    except FileNotFoundError:
        return gettext("Its badge is no longer stored here.")
    if own != badge:
        return gettext("It doesn’t match what was signed here.")
    issuer = get_or_create_issuer(certificate.account)
    try:
        proofs.verify_proof(badge, lambda method: find_public_key(issuer, method))
    except proofs.ProofError:
        return gettext("Its signature is invalid.")
    return ""
