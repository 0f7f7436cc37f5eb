"""Searching signatures while typing, by the beginnings of names, emails and phone numbers, newest first.

Each search uses an index, so the most frequent name among a hundred thousand signatures is as fast as a rare one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import and_, or_

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock, name_key
from workspace.lib.text import search_key
from workspace.products.waiver.models import NameWord, Signature, Waiver
from workspace.products.waiver.rules import person_query
from workspace.products.waiver.rules.validity import latest_birth_date
from workspace.storage.database.prefix_lookup import starts_with

EXPIRY_WARNING = timedelta(days=30)
MIN_DIGITS, MIN_LETTERS = 3, 3  # minimum length of a number or an email in a search
MAX_COUNTED = 1_000  # in one search, because no one reads so many pages
MAX_INDEXED_WORDS = 12_000  # words of names with the same beginning
_NUMBER = re.compile(r"\+?[0-9()/.\-]+")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of results. In a search, `total` is counted up to MAX_COUNTED."""

    page: list[Signature]
    total: int


def search_signatures(
    account: Account, text: str, *, waiver: Waiver | None = None, state: str | None = None, limit: int, offset: int
) -> SearchResult:
    terms = _split_terms(text)
    mine = account.signatures.all()
    if waiver is not None:
        mine = mine.filter(waiver=waiver)
    if state is not None:
        mine = filter_by_state(account, mine, state)
    if not terms:
        return SearchResult(_load_rows(_newest_ids(mine, limit, offset)), mine.count())
    narrowed = mine if waiver is not None or state is not None else None
    if _are_many(account, terms):
        walked = mine.filter(Exists(_find_name_words(account, terms[0]).filter(signature=OuterRef("pk"))))
        return SearchResult(_load_rows(_newest_ids(walked, limit, offset)), walked[:MAX_COUNTED].count())
    ids = _find_ids(account, terms, narrowed, max(MAX_COUNTED, offset + limit + 1))
    if not ids and not text.isascii():
        # names in scripts without spaces are not split into words
        inside = reduce(and_, (Q(search__contains=term) for term in terms))
        ids = _newest_ids(mine.filter(inside), MAX_COUNTED, 0)
    return SearchResult(_load_rows(ids[offset : offset + limit]), len(ids))


def _split_terms(text: str) -> list[str]:
    """Return the terms that must all match. A number is one term, however it is grouped."""
    terms = search_key(text).split()[: person_query.MAX_WORDS]
    whole = "".join(terms)
    return [whole] if _is_number(whole) else terms


def _load_rows(ids: Sequence[str]) -> list[Signature]:
    rows = Signature.objects.filter(pk__in=ids).select_related("waiver", "signing").order_by("-pk")
    return list(rows) if ids else []


def _newest_ids(rows: QuerySet[Signature], limit: int, offset: int) -> list[str]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[offset : offset + limit])


def _are_many(account: Account, terms: Sequence[str]) -> bool:
    """Return whether so many names match that scanning from the newest is faster than sorting all of them."""
    [only, *others] = terms
    return (
        not others
        and not _is_number(only)
        and _find_name_words(account, only)[:MAX_INDEXED_WORDS].count() == MAX_INDEXED_WORDS
    )


def _find_ids(account: Account, terms: Sequence[str], candidates: QuerySet[Signature] | None, limit: int) -> list[str]:
    """Return the ids of signatures that match all terms, newest first."""
    numbers = [term for term in terms if _is_number(term) or "@" in term]
    words = [
        _find_name_words(account, term).values_list("signature", flat=True) for term in terms if term not in numbers
    ]
    among = candidates if candidates is not None else account.signatures.all()
    rows = [among.filter(column_filter) for column_filter in (_column_filters(numbers[0]) if numbers else [])]
    rows = [reduce(lambda signatures, ids: signatures.filter(pk__in=ids), words, row) for row in rows]
    rows = [row.filter(reduce(or_, _column_filters(term))) for row in rows for term in numbers[1:]] or rows
    if not numbers and len(terms) == 1 and len(terms[0]) >= MIN_LETTERS:
        rows.append(among.filter(starts_with("email", terms[0])))
    ids = [_newest_ids(row, limit, 0) for row in rows]
    if not numbers and candidates is None:
        first, *others = words
        name_words = first.intersection(*others) if others else first.distinct()
        ids.append(list(name_words.order_by("-signature")[:limit]))
    elif not numbers:
        ids.append(_newest_ids(reduce(lambda signatures, ids: signatures.filter(pk__in=ids), words, among), limit, 0))
    return sorted({id for some in ids for id in some}, reverse=True)[:limit]


def _find_name_words(account: Account, term: str) -> QuerySet[NameWord]:
    rows = NameWord.objects.filter(account=account)
    words = name_key.split_words(term)
    if not words:
        return rows.none()
    first, *others = sorted(words, key=len, reverse=True)
    for word in others:  # the other parts of a hyphenated name
        rows = rows.filter(Exists(NameWord.objects.filter(starts_with("word", word), signature=OuterRef("signature"))))
    return rows.filter(starts_with("word", first))


def _is_number(term: str) -> bool:
    return bool(_NUMBER.fullmatch(term)) and sum(char.isdigit() for char in term) >= MIN_DIGITS


def _column_filters(term: str) -> list[Q]:
    """Return filters for emails or phone numbers with this beginning."""
    if not _is_number(term):
        return [starts_with("email", term)]
    digits = re.sub("[^0-9]", "", term)
    at_home = digits.lstrip("0") or digits
    return [starts_with("phone", f"+{digits}"), starts_with("phone", digits), starts_with("phone_national", at_home)]


def filter_by_state(account: Account, signatures: QuerySet[Signature], state: str) -> QuerySet[Signature]:
    """Filter signatures by state, with the same order of checks as `validity.find_reason`.

    Signatures in the states `expiring` and `minor` are valid.
    """
    now = clock.now()
    if state == "voided":
        return signatures.filter(voided_at__isnull=False)
    signatures = signatures.filter(voided_at=None)
    if state == "expired":
        return signatures.filter(expires_at__lte=now)
    signatures = signatures.filter(Q(expires_at=None) | Q(expires_at__gt=now))
    outdated = Q(version__lt=F("waiver__required_version"))
    if state == "outdated":
        return signatures.filter(outdated)
    signatures = signatures.exclude(outdated)
    if state == "of_age":
        return signatures.filter(of_age_at__lte=now)
    signatures = signatures.filter(Q(of_age_at=None) | Q(of_age_at__gt=now))
    if state == "expiring":
        return signatures.filter(Q(expires_at__lte=now + EXPIRY_WARNING) | Q(of_age_at__lte=now + EXPIRY_WARNING))
    if state == "minor":
        return signatures.filter(_minors_filter(account))
    return signatures


def _minors_filter(account: Account) -> Q:
    """Return a filter for minors, using each waiver's age of majority."""
    today = clock.today(account.time_zone)
    ages = set(account.waivers.values_list("age_of_majority", flat=True))
    return reduce(
        or_, (Q(waiver__age_of_majority=age, birth_date__gt=latest_birth_date(today, age)) for age in ages), Q(pk=None)
    )
