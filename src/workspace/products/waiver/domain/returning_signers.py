"""Returning signers: the link in an email prefills the form and shows the changes since then.

Only the signer has the link, just as only they have the copy in their mailbox. Answers, initials and the signature must
be given again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.core import signing as seals
from django.http import QueryDict

from workspace.lib.data_subject import ERASED_MARKER
from workspace.products.waiver.domain.version_diff import SectionChange, diff_versions
from workspace.products.waiver.models import Signing, Waiver, WaiverVersion
from workspace.products.waiver.rules.signing_input import SigningTerms
from workspace.products.waiver.rules.validity import is_of_age

LINK_LIFETIME = timedelta(days=800)  # so that the reminder of a two-year waiver still works
_SALT = "waiver.again"


def build_token(signing: Signing) -> str:
    return seals.dumps(signing.pk, salt=_SALT)


def renewal_url(signing: Signing, signature_id: str = "") -> str:
    """Return the link for signing again. If `signature_id` is given, only that signature is renewed."""
    address = f"{signing.waiver.public_url}/sign?again={build_token(signing)}"
    return f"{address}&only={signature_id}" if signature_id else address


def find_signing(waiver: Waiver, text: str) -> Signing | None:
    """Return the signing that a link refers to, or None if the link is invalid or the person was erased."""
    if not text:
        return None
    try:
        id = seals.loads(text[:300], salt=_SALT, max_age=LINK_LIFETIME)
    except (seals.BadSignature, ValueError):
        return None
    signing: Signing | None = waiver.signings.filter(pk=str(id)).exclude(name=ERASED_MARKER).first()
    if signing is not None:
        signing.waiver = waiver
    return signing


def list_changes(signing: Signing) -> Sequence[SectionChange]:
    """Return the differences between the text that was signed and the current one."""
    waiver = signing.waiver
    if signing.version == waiver.version:
        return []
    rows = WaiverVersion.objects.filter(waiver=waiver, number__in=[signing.version, waiver.version])
    bodies = dict(rows.values_list("number", "body"))
    before, after = bodies.get(signing.version), bodies.get(waiver.version)
    return diff_versions(before, after) if before and after else []


def prefill_form(signing: Signing, terms: SigningTerms, today: date, signature_id: str = "") -> QueryDict:
    """Return form data with the signer and those participants who are still minors.

    Voided signatures are skipped, unless `signature_id` refers to one or there are no others.
    """
    data = QueryDict(mutable=True)
    data["name"], data["email"], data["phone"] = signing.name, signing.email, signing.phone
    _set_day(data, "born", signing.birth_date)
    every = list(signing.signatures.order_by("id"))
    named, left = (
        [signature for signature in every if signature.pk == signature_id],
        [signature for signature in every if signature.voided_at is None],
    )
    signatures = named or left or every
    others = [signature for signature in signatures if not signature.is_signer and signature.birth_date]
    minors = [
        signature
        for signature in others
        if signature.birth_date and not is_of_age(signature.birth_date, terms.age, today)
    ]
    for number, minor in enumerate(minors[: terms.max_minors]):
        data[f"child-{number}-name"], data[f"child-{number}-relationship"] = minor.name, minor.relationship
        _set_day(data, f"child-{number}-born", minor.birth_date)
    data["children"] = str(min(len(minors), terms.max_minors))
    data["part"] = "yes" if any(signature.is_signer for signature in signatures) else ""
    return data


def _set_day(data: QueryDict, name: str, value: date | None) -> None:
    if value is not None:
        data[f"{name}-day"], data[f"{name}-month"], data[f"{name}-year"] = map(
            str, (value.day, value.month, value.year)
        )
