"""Who comes back by the link in a mail: what they signed before comes filled in, and what has changed since is shown.
The link is theirs, as the copy in their mailbox is; answers, initials and the signature are given anew."""

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

LINK_LIFETIME = timedelta(days=800)  # a mail before the end of a waiver of two years still leads here
_SALT = "waiver.again"


def build_token(signing: Signing) -> str:
    return seals.dumps(signing.pk, salt=_SALT)


def renewal_url(signing: Signing, only: str = "") -> str:
    """`only` is the id of the one signature that is to be given again, where the others stay as they are."""
    address = f"{signing.waiver.public_url}/sign?again={build_token(signing)}"
    return f"{address}&only={only}" if only else address


def find_signing(waiver: Waiver, given: str) -> Signing | None:
    """What a link speaks of; None for one that is no good, or of somebody who was erased."""
    if not given:
        return None
    try:
        id = seals.loads(given[:300], salt=_SALT, max_age=LINK_LIFETIME)
    except (seals.BadSignature, ValueError):
        return None
    found: Signing | None = waiver.signings.filter(pk=str(id)).exclude(name=ERASED_MARKER).first()
    if found is not None:
        found.waiver = waiver
    return found


def list_changes(signing: Signing) -> Sequence[SectionChange]:
    """In what a signer reads."""
    waiver = signing.waiver
    if signing.version == waiver.version:
        return []
    rows = WaiverVersion.objects.filter(waiver=waiver, number__in=[signing.version, waiver.version])
    bodies = dict(rows.values_list("number", "body"))
    before, after = bodies.get(signing.version), bodies.get(waiver.version)
    return diff_versions(before, after) if before and after else []


def prefill_form(signing: Signing, terms: SigningTerms, today: date, only: str = "") -> QueryDict:
    """As if the form had been begun: who signs, and the minors of then who still are. Who was voided stays out, unless
    it is about them, or nobody else is left."""
    data = QueryDict(mutable=True)
    data["name"], data["email"], data["phone"] = signing.name, signing.email, signing.phone
    _set_day(data, "born", signing.birth_date)
    every = list(signing.signatures.order_by("id"))
    named, left = [one for one in every if one.pk == only], [one for one in every if one.voided_at is None]
    signatures = named or left or every
    others = [one for one in signatures if not one.is_signer and one.birth_date]
    minors = [one for one in others if one.birth_date and not is_of_age(one.birth_date, terms.age, today)]
    for number, one in enumerate(minors[: terms.max_minors]):
        data[f"child-{number}-name"], data[f"child-{number}-relationship"] = one.name, one.relationship
        _set_day(data, f"child-{number}-born", one.birth_date)
    data["children"] = str(min(len(minors), terms.max_minors))
    data["part"] = "yes" if any(one.is_signer for one in signatures) else ""
    return data


def _set_day(data: QueryDict, name: str, value: date | None) -> None:
    if value is not None:
        data[f"{name}-day"], data[f"{name}-month"], data[f"{name}-year"] = map(
            str, (value.day, value.month, value.year)
        )
