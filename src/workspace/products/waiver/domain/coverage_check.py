"""The coverage check: whether a person has a valid waiver, by full name, exact email or phone, over all waivers.

If several people match, all of them are listed in place of a simple yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Annotated

from django.db.models import QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.products.waiver.models import NameWord, Signature
from workspace.products.waiver.rules import person_query
from workspace.products.waiver.rules.flagged_answers import FlaggedAnswer, find_flagged
from workspace.products.waiver.rules.person_query import PersonQuery
from workspace.products.waiver.rules.validity import Reason
from workspace.storage.database.compiled_function import compile_once

MAX_SIGNATURES = 100  # newest signatures examined


class WaiverCoverage(TypedDict):
    """One waiver of one person, with the valid signature or else the newest."""

    waiver_id: str
    title: str
    valid: bool
    reason: str
    signed_at: str
    expires_at: str | None
    signature_id: str
    flagged: list[FlaggedAnswer]


class PersonCoverage(TypedDict):
    """The coverage of a person. `covered_by` is who signed for them. It is empty if they signed themselves."""

    name: str
    birth_year: int | None
    covered_by: str
    valid: bool
    waivers: list[WaiverCoverage]


class CoverageAnswer(TypedDict):
    """The answer about a person.

    `waiver_id` is the waiver that covers them. It is null if none does, or if several people match.
    """

    who: str
    verdict: Annotated[str, Field(description="valid, invalid, several or none.")]
    waiver_id: str | None
    people: list[PersonCoverage]


def build_answer(query: str, coverages: list[PersonCoverage]) -> CoverageAnswer:
    if len(coverages) != 1:
        return {"who": query, "verdict": "several" if coverages else "none", "waiver_id": None, "people": coverages}
    valid = [waiver["waiver_id"] for waiver in coverages[0]["waivers"] if waiver["valid"]]
    verdict = "valid" if valid else "invalid"
    return {"who": query, "verdict": verdict, "waiver_id": valid[0] if valid else None, "people": coverages}


def check_person(account: Account, text: str) -> list[PersonCoverage]:
    """Return the people who match the text, or an empty list if it does not identify anyone."""
    query = person_query.parse_query(text, Brand.for_account(account).country)
    if not query:
        return []
    return group_by_person(find_signatures(account, query))


def check_people(account: Account, names: Iterable[str]) -> list[tuple[str, list[PersonCoverage]]]:
    """Return the names without duplicates, and the people who match each name."""
    country = Brand.for_account(account).country
    queries = {name: person_query.parse_query(name, country) for name in names}
    return [
        (name, group_by_person(find_signatures(account, query)) if query else []) for name, query in queries.items()
    ]


def find_signatures(account: Account, query: PersonQuery) -> list[Signature]:
    """Return the matching signatures, newest first."""
    if query.email:
        ids = _ids_by_email.fetch(account, query.email)
    elif query.numbers:
        numbers = list(query.numbers)
        # two queries, so that each uses its index
        ids = [*_ids_by_phone.fetch(account, numbers), *_ids_by_national_phone.fetch(account, numbers)]
    else:
        ids = _find_by_name(account, query.words)
    return _signatures_in_use.fetch(account, ids) if ids else []


@compile_once
def _signatures_in_use(account: Account, ids: list[str]) -> QuerySet[Signature]:
    mine = account.signatures.filter(waiver__binned_at=None, waiver__archived_at=None, pk__in=ids)
    return mine.select_related("waiver", "signing").order_by("-id")[:MAX_SIGNATURES]


@compile_once
def _ids_by_email(account: Account, email: str) -> QuerySet[Signature, str]:
    return _newest_ids(account.signatures.filter(email=email))


@compile_once
def _ids_by_phone(account: Account, numbers: list[str]) -> QuerySet[Signature, str]:
    return _newest_ids(account.signatures.filter(phone__in=numbers))


@compile_once
def _ids_by_national_phone(account: Account, numbers: list[str]) -> QuerySet[Signature, str]:
    return _newest_ids(account.signatures.filter(phone_national__in=numbers))


def _newest_ids(signatures: QuerySet[Signature]) -> QuerySet[Signature, str]:
    return signatures.order_by("-id").values_list("pk", flat=True)[:MAX_SIGNATURES]


def _find_by_name(account: Account, words: frozenset[str]) -> list[str]:
    """Return the ids of signatures of participants whose name contains every word.

    If there are none, return those of signatures that a signer with that name made for others.
    """
    for of_signer in (False, True):
        if ids := _ids_by_words.fetch(account, of_signer, *words):
            return ids
    return []


@compile_once
def _ids_by_words(account: Account, of_signer: bool, *words: str) -> QuerySet[NameWord, str]:
    mine = NameWord.objects.filter(account=account, of_signer=of_signer).values_list("signature", flat=True)
    first, *others = [mine.filter(word=word) for word in words]
    name_words = first.intersection(*others) if others else first
    return name_words.order_by("-signature")[:MAX_SIGNATURES]


def group_by_person(signatures: Iterable[Signature]) -> list[PersonCoverage]:
    """Group signatures by folded name and birth date, ordered by each person's latest signature."""
    each: dict[tuple[str, date | None], list[Signature]] = {}
    for signature in signatures:
        each.setdefault((signature.person, signature.birth_date), []).append(signature)
    return [_person_coverage(group) for group in each.values()]


def _person_coverage(signatures: Sequence[Signature]) -> PersonCoverage:
    of_waivers: dict[str, list[Signature]] = {}
    for signature in signatures:
        of_waivers.setdefault(signature.waiver_id, []).append(signature)
    waivers = [waiver_coverage(copies) for copies in of_waivers.values()]
    newest = signatures[0]
    return {
        "name": newest.name,
        "birth_year": newest.birth_date.year if newest.birth_date else None,
        "covered_by": "" if newest.is_signer else newest.signing.name,
        "valid": any(waiver["valid"] for waiver in waivers),
        "waivers": sorted(waivers, key=lambda coverage: not coverage["valid"]),
    }


def waiver_coverage(copies: Sequence[Signature]) -> WaiverCoverage:
    """Return the newest valid signature of a waiver or, if none is valid, the newest one."""
    pairs = [(copy, copy.find_reason(copy.waiver.required_version)) for copy in copies]
    best, reason = next(((signature, reason) for signature, reason in pairs if reason is Reason.VALID), pairs[0])
    return {
        "waiver_id": best.waiver_id,
        "title": best.waiver.title,
        "valid": reason is Reason.VALID,
        "reason": reason.value,
        "signed_at": clock.to_iso(best.created_at) or "",
        "expires_at": clock.to_iso(best.expires_at),
        "signature_id": best.pk,
        "flagged": find_flagged(best.waiver.questions, best.signing.answers),
    }
