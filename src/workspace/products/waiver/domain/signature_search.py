"""Looking for somebody as one types: by the beginnings of names, addresses and numbers, newest first. Each is found by
its index, so that the commonest name of a hundred thousand signatures costs as little as a rare one."""

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
from workspace.lib.text import fold
from workspace.products.waiver.models import NameWord, Signature, Waiver
from workspace.products.waiver.rules import person_query
from workspace.products.waiver.rules.validity import born_by
from workspace.storage.database.prefix_lookup import begins

SOON = timedelta(days=30)
FEWEST_DIGITS, FEWEST_LETTERS = 3, 3  # from which a number, or an address, is looked for
MOST_COUNTED = 1_000  # of one search; nobody turns so many pages
MANY = 12_000  # words of names that begin alike
_NUMBER = re.compile(r"\+?[0-9()/.\-]+")


@dataclass(frozen=True, slots=True)
class Found:
    """`total` is told up to MOST_COUNTED where something is looked for."""

    page: list[Signature]
    total: int


def search(
    account: Account, text: str, *, waiver: Waiver | None = None, state: str | None = None, limit: int, offset: int
) -> Found:
    terms = _terms(text)
    mine = account.signatures.all()
    if waiver is not None:
        mine = mine.filter(waiver=waiver)
    if state is not None:
        mine = in_state(account, mine, state)
    if not terms:
        return Found(_rows(_newest(mine, limit, offset)), mine.count())
    narrowed = mine if waiver is not None or state is not None else None
    if _are_many(account, terms):
        walked = mine.filter(Exists(_names(account, terms[0]).filter(signature=OuterRef("pk"))))
        return Found(_rows(_newest(walked, limit, offset)), walked[:MOST_COUNTED].count())
    ids = _found(account, terms, narrowed, max(MOST_COUNTED, offset + limit + 1))
    if not ids and not text.isascii():
        # names that are written without spaces have no words to begin with
        inside = reduce(and_, (Q(search__contains=term) for term in terms))
        ids = _newest(mine.filter(inside), MOST_COUNTED, 0)
    return Found(_rows(ids[offset : offset + limit]), len(ids))


def _terms(text: str) -> list[str]:
    """What must all be found; a number is one, however it is grouped."""
    terms = fold(text).split()[: person_query.MOST_WORDS]
    whole = "".join(terms)
    return [whole] if _is_number(whole) else terms


def _rows(ids: Sequence[str]) -> list[Signature]:
    rows = Signature.objects.filter(pk__in=ids).select_related("waiver", "signing").order_by("-pk")
    return list(rows) if ids else []


def _newest(rows: QuerySet[Signature], limit: int, offset: int) -> list[str]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[offset : offset + limit])


def _are_many(account: Account, terms: Sequence[str]) -> bool:
    """Where so many begin so, a walk from the newest meets them sooner than all of them are put in order."""
    [only, *others] = terms
    return not others and not _is_number(only) and _names(account, only)[:MANY].count() == MANY


def _found(account: Account, terms: Sequence[str], narrowed: QuerySet[Signature] | None, most: int) -> list[str]:
    """Ids of signatures that have every one of the words, the newest first."""
    numbers = [term for term in terms if _is_number(term) or "@" in term]
    words = [_names(account, term).values_list("signature", flat=True) for term in terms if term not in numbers]
    among = narrowed if narrowed is not None else account.signatures.all()
    rows = [among.filter(one) for one in (_columns(numbers[0]) if numbers else [])]
    rows = [reduce(lambda found, ids: found.filter(pk__in=ids), words, found) for found in rows]
    rows = [found.filter(reduce(or_, _columns(term))) for found in rows for term in numbers[1:]] or rows
    if not numbers and len(terms) == 1 and len(terms[0]) >= FEWEST_LETTERS:
        rows.append(among.filter(begins("email", terms[0])))
    ids = [_newest(found, most, 0) for found in rows]
    if not numbers and narrowed is None:
        first, *others = words
        found = first.intersection(*others) if others else first.distinct()
        ids.append(list(found.order_by("-signature")[:most]))
    elif not numbers:
        ids.append(_newest(reduce(lambda found, ids: found.filter(pk__in=ids), words, among), most, 0))
    return sorted({id for some in ids for id in some}, reverse=True)[:most]


def _names(account: Account, term: str) -> QuerySet[NameWord]:
    rows = NameWord.objects.filter(account=account)
    words = name_key.words(term)
    if not words:
        return rows.none()
    first, *others = sorted(words, key=len, reverse=True)
    for word in others:  # of one with a hyphen
        rows = rows.filter(Exists(NameWord.objects.filter(begins("word", word), signature=OuterRef("signature"))))
    return rows.filter(begins("word", first))


def _is_number(term: str) -> bool:
    return bool(_NUMBER.fullmatch(term)) and sum(char.isdigit() for char in term) >= FEWEST_DIGITS


def _columns(term: str) -> list[Q]:
    """Addresses, or numbers, that begin so."""
    if not _is_number(term):
        return [begins("email", term)]
    digits = re.sub("[^0-9]", "", term)
    at_home = digits.lstrip("0") or digits
    return [begins("phone", f"+{digits}"), begins("phone", digits), begins("national", at_home)]


def in_state(account: Account, found: QuerySet[Signature], state: str) -> QuerySet[Signature]:
    """In the order of `validity.reason`; `expiring` and `minor` are those among the valid ones."""
    now = clock.now()
    if state == "voided":
        return found.filter(voided_at__isnull=False)
    found = found.filter(voided_at=None)
    if state == "expired":
        return found.filter(expires_at__lte=now)
    found = found.filter(Q(expires_at=None) | Q(expires_at__gt=now))
    outdated = Q(version__lt=F("waiver__required_version"))
    if state == "outdated":
        return found.filter(outdated)
    found = found.exclude(outdated)
    if state == "of_age":
        return found.filter(of_age_at__lte=now)
    found = found.filter(Q(of_age_at=None) | Q(of_age_at__gt=now))
    if state == "expiring":
        return found.filter(Q(expires_at__lte=now + SOON) | Q(of_age_at__lte=now + SOON))
    if state == "minor":
        return found.filter(_minors(account))
    return found


def _minors(account: Account) -> Q:
    """By the age that each waiver says."""
    today = clock.today(account.time_zone)
    ages = set(account.waivers.values_list("age_of_majority", flat=True))
    return reduce(or_, (Q(waiver__age_of_majority=age, birth_date__gt=born_by(today, age)) for age in ages), Q(pk=None))
