"""Guests of charts in the account's search: by name, party, email or phone."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.products.seat.models import Chart, Guest
from workspace.publishing.checkin import MIN_PHONE_DIGITS, extract_digits
from workspace.publishing.submissions import PeopleSource, Submission
from workspace.storage.database.compiled_function import compile_once

MAX_RESULTS = 100  # results of one search


def search_guests(account: Account, words: Sequence[str]) -> list[Submission]:
    """Return matching guests. Guests of the most recently changed chart come first."""
    charts = {item.pk: item for item in _newest_charts.fetch(account)}
    if not charts:
        return []
    number = extract_digits("".join(words)).lstrip("0")
    if len(number) >= MIN_PHONE_DIGITS and not any(char.isalpha() for word in words for char in word):
        rows = Guest.objects.filter(chart__in=list(charts), placeholder=False)
        rows = rows.filter(phone__regex="[^0-9]*".join(number[:20]))  # in any grouping of the digits
        found = list(rows.order_by()[:MAX_RESULTS])
    else:
        found = _matching_guests.fetch_some(MAX_RESULTS, list(charts), *words)
    order = list(charts)
    known = sorted(found, key=lambda guest: (order.index(guest.chart_id), guest.sort_key, guest.pk))
    return [_guest_submission(guest, charts[guest.chart_id]) for guest in known]


@compile_once
def _newest_charts(account: Account) -> QuerySet[Chart]:
    return Chart.objects.filter(account=account, binned_at=None).order_by("-updated_at", "pk")


@compile_once
def _matching_guests(chart_ids: list[str], *words: str) -> QuerySet[Guest]:
    rows = Guest.objects.filter(chart__in=chart_ids, placeholder=False)
    for word in words:
        rows = rows.filter(Q(search__contains=word) | Q(email__icontains=word))
    return rows.order_by()


def _guest_submission(guest: Guest, chart: Chart) -> Submission:
    return {
        "id": guest.pk,
        "name": guest.name,
        "email": guest.email,
        "phone": guest.phone,
        "note": chart.title,
        "at": "",
        "thing_id": chart.pk,
        "page": f"/app/seat/{chart.pk}/guest/{guest.pk}",
    }


PEOPLE_SOURCE = PeopleSource(kind="guest", noun="guest of a seating chart", search=search_guests)
