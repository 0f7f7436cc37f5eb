"""The statistics of a booking page: views, bookings, and attendance."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.text import escape_markdown
from workspace.products.booking.api.arguments import PageId
from workspace.products.booking.api.tools import box
from workspace.products.booking.domain.queries import get_page
from workspace.products.booking.models import AttendanceStatus, Booking, BookingPage, Status
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.tools.answer import Answer, format_bullets, format_fact_list

MAX_HISTORY_DAYS = 400
_MINUTE = timedelta(minutes=1)
_COUNTED_COLUMNS = ("status", "outcome", "service_name", "starts_at", "ends_at")
_VisitKey = tuple[str, str, str]
MAX_SERVICES = 20


class BookingDayStats(DayStats):
    booked: int


class ServiceStats(TypedDict):
    """The statistics of a service.

    `minutes` is the length of its confirmed appointments within the window.
    """

    service: str
    bookings: int
    minutes: int


class VisitCount(NamedTuple):
    """The number of appointments of a service with the same status and attendance."""

    status: str
    outcome: str
    service: str
    visits: int
    minutes: int


class BookingPageStats(VisitStats):
    """The statistics of a booking page.

    They count appointments within the window. `confirmed` includes `attended` and `no_show`, if these were recorded.
    """

    id: str
    name: str
    booked_in_days: int
    confirmed: int
    cancelled: int
    attended: int
    no_show: int
    services: list[ServiceStats]
    by_day: list[BookingDayStats]


@box.tool(
    "svc_booking_stats",
    title="Get booking page analytics",
    about="Get views and new bookings of a booking page, in total and by day. Also get the number of appointments "
    "that were confirmed, canceled, attended or missed, by service. Bots are not counted. Days are in the "
    "account's time zone.",
    short="Get views, bookings, cancellations and no-shows of a page.",
    synonyms="analytics, statistics, no-show rate, conversion, most popular service, how many bookings, how many "
    "appointments, statistik, ausfallquote, wie viele termine, estadísticas, cuántas citas, tasa de ausencias",
    reads=True,
)
def stats(account: Account, page_id: PageId, days: Days | None = None) -> Answer[BookingPageStats]:
    page = get_page(account, page_id)
    days = limit_days(days, MAX_HISTORY_DAYS)
    views = compute_statistics(page.publication_id, VIEW_EVENT, days=days, zone=account.zone)
    counts = _count_bookings_by_day(account, page, 2 * days)
    booked = sum(counts[day["date"]] for day in list_day_stats(views))
    visit_counts = _count_visits(account, page, days)
    confirmed = [count for count in visit_counts if count.status == Status.CONFIRMED]
    data: BookingPageStats = {
        **add_previous_counts(
            visit_stats(views, account), MAX_HISTORY_DAYS, views=views.before, booked=counts.total() - booked
        ),
        "id": page.pk,
        "name": page.name,
        "booked_in_days": booked,
        "confirmed": sum(count.visits for count in confirmed),
        "cancelled": sum(count.visits for count in visit_counts if count.status == Status.CANCELLED),
        "attended": sum(count.visits for count in confirmed if count.outcome == AttendanceStatus.ATTENDED),
        "no_show": sum(count.visits for count in confirmed if count.outcome == AttendanceStatus.NO_SHOW),
        "services": _service_stats(confirmed),
        "by_day": [{**day, "booked": counts[day["date"]]} for day in list_day_stats(views)],
    }
    pairs = {
        **format_stats(data),
        f"bookings in the last {days} days": data["booked_in_days"],
        **{
            f"appointments {name.replace('_', ' ')}": data[name]
            for name in ("confirmed", "cancelled", "attended", "no_show")
        },
    }
    text = format_fact_list(f"Analytics of {escape_markdown(page.name)}", pairs)
    services = format_bullets(
        data["services"],
        lambda row: f"{escape_markdown(row['service'])}: bookings {row['bookings']}, minutes {row['minutes']}",
    )
    return Answer(data, "\n".join([text, "", "By service:", *services, "", "By day:", *format_days(data["by_day"])]))


def _period_start(account: Account, days: int) -> datetime:
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    return datetime.combine(first, time.min, account.zone).astimezone(UTC)


def _count_bookings_by_day(account: Account, page: BookingPage, days: int) -> Counter[str]:
    """Count the bookings made on each day of the account, regardless of their status. Keys are ISO dates."""
    rows = Booking.objects.filter(page=page, created_at__gte=_period_start(account, days)).order_by()
    moments = rows.values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())


def _count_visits(account: Account, page: BookingPage, days: int) -> list[VisitCount]:
    """Count the appointments of the last `days` days, up to now.

    Rows are streamed as plain values, because a grouping query would make the database sort all of them.
    """
    rows = Booking.objects.filter(page=page, starts_at__gte=_period_start(account, days), starts_at__lte=clock.now())
    counts, lengths = Counter[_VisitKey](), defaultdict[_VisitKey, timedelta](timedelta)
    for status, outcome, service, begin, end in rows.order_by().values_list(*_COUNTED_COLUMNS).iterator(2000):
        counts[status, outcome, service] += 1
        lengths[status, outcome, service] += end - begin
    return [VisitCount(*kind, count, int(lengths[kind] / _MINUTE)) for kind, count in counts.items()]


def _service_stats(confirmed: list[VisitCount]) -> list[ServiceStats]:
    counts, minutes = Counter[str](), Counter[str]()
    for visit_count in confirmed:
        counts[visit_count.service] += visit_count.visits
        minutes[visit_count.service] += visit_count.minutes
    return [
        {"service": name, "bookings": count, "minutes": minutes[name]}
        for name, count in counts.most_common(MAX_SERVICES)
    ]
