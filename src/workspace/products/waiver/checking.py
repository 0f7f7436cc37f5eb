"""Is this person covered? The door's question: whole names, exact addresses and numbers, over all waivers. Several
people are listed, never a bare yes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import Count, Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.products.waiver import people
from workspace.products.waiver.models import NameWord, Signature
from workspace.products.waiver.people import Query
from workspace.products.waiver.validity import Reason
from workspace.toolkit import clock

MOST = 300  # signatures that are looked at, the newest


class Covered(TypedDict):
    """One waiver of one person: the copy that counts, or else the newest."""

    waiver_id: str
    title: str
    valid: bool
    reason: str
    signed_at: str
    expires_at: str | None
    signature_id: str


class PersonRow(TypedDict):
    """`covered_by`: who signed for them; empty where they did so themselves."""

    name: str
    birth_year: int | None
    covered_by: str
    valid: bool
    waivers: list[Covered]


def check(account: Account, who: str) -> list[PersonRow]:
    """The people who are meant; nobody for what names none."""
    query = people.read(who, Brand.of(account).country)
    if not query:
        return []
    return people_of(matching(account, query))


def matching(account: Account, query: Query) -> list[Signature]:
    """Their signatures, newest first."""
    mine = account.signatures.filter(waiver__binned_at=None, waiver__archived_at=None)
    if query.email:
        found: QuerySet[Signature] = mine.filter(email=query.email)
    elif query.numbers:
        found = mine.filter(Q(phone__in=query.numbers) | Q(national__in=query.numbers))
    else:
        found = mine.filter(pk__in=_named(account, query.words))
    return list(found.select_related("waiver", "signing").order_by("-id")[:MOST])


def _named(account: Account, words: frozenset[str]) -> list[str]:
    """Those who are called so, by every word of one name; where nobody who takes part is, those for whom somebody of
    that name has signed."""
    of_a_name = NameWord.objects.filter(account=account, word__in=words).values("signature", "of_signer")
    whole = of_a_name.annotate(n=Count("word", distinct=True)).filter(n=len(words)).order_by("-signature")
    found = list(whole.values_list("signature", "of_signer")[: 2 * MOST])
    theirs = [id for id, of_signer in found if not of_signer]
    return theirs or [id for id, _ in found]


def people_of(signatures: Iterable[Signature]) -> list[PersonRow]:
    """By folded name and birth date, in the order in which they came last."""
    each: dict[tuple[str, date | None], list[Signature]] = {}
    for one in signatures:
        each.setdefault((one.person, one.birth_date), []).append(one)
    return [_person(theirs) for theirs in each.values()]


def _person(theirs: Sequence[Signature]) -> PersonRow:
    of_waivers: dict[str, list[Signature]] = {}
    for one in theirs:
        of_waivers.setdefault(one.waiver_id, []).append(one)
    waivers = [covered(copies) for copies in of_waivers.values()]
    newest = theirs[0]
    return {
        "name": newest.name,
        "birth_year": newest.birth_date.year if newest.birth_date else None,
        "covered_by": "" if newest.is_signer else newest.signing.name,
        "valid": any(one["valid"] for one in waivers),
        "waivers": sorted(waivers, key=lambda one: not one["valid"]),
    }


def covered(copies: Sequence[Signature]) -> Covered:
    """Of one waiver, the newest copy that counts, or else the newest."""
    told = [(one, one.reason(one.waiver.required_version)) for one in copies]
    best, why = next(((one, why) for one, why in told if why is Reason.VALID), told[0])
    return {
        "waiver_id": best.waiver_id,
        "title": best.waiver.title,
        "valid": why is Reason.VALID,
        "reason": why.value,
        "signed_at": clock.iso(best.signed_at) or "",
        "expires_at": clock.iso(best.expires_at),
        "signature_id": best.pk,
    }
