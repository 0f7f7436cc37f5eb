"""Serializers of booking pages, services and bookings, which all answers use.

Times are local, with their offset from UTC.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from django.db.models import Count, QuerySet
from pydantic import Field
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.money import to_wire_number
from workspace.lib.weekly_hours import Window
from workspace.products.booking.domain.queries import services_for
from workspace.products.booking.models import Booking, BookingPage, Service, Status
from workspace.public_site.embeds import RefusedWebsite, Snippets, build_snippets, list_refused_websites
from workspace.publishing.serializers import ItemSummary, ItemUrls, item_summary, item_urls
from workspace.storage.database.compiled_function import compile_once

EMBED_HEIGHT = 760  # CSS pixels; without a script, the frame shows a month with its times


class ServiceSummary(TypedDict):
    id: str
    name: str
    duration: int
    price: float | None


class BookingPageSummary(ItemSummary):
    name: str
    time_zone: str
    currency: str
    services: list[ServiceSummary]
    upcoming: int


class QuestionData(TypedDict, total=False):
    label: str
    type: str
    options: list[str]
    required: bool


class ServiceDetail(ServiceSummary):
    payment: str
    deposit: float | None
    text: str
    buffer_before: int
    buffer_after: int
    notice: int
    horizon: int
    interval: int
    daily_cap: int | None
    approval: bool
    questions: list[QuestionData]
    cancel_until: int
    move_until: int
    hidden: bool


class OverrideData(TypedDict):
    date: str
    windows: list[Window]


class BlockData(TypedDict):
    id: str
    start: str
    end: str
    reason: str


class BookingPageDetail(ItemSummary, ItemUrls, Snippets):
    name: str
    description: str
    place: str
    time_zone: str
    currency: str
    image_id: str
    language: str
    hours: list[Window]
    hosts: list[str]
    refused: list[RefusedWebsite]
    overrides: list[OverrideData]
    blocks: list[BlockData]
    services: list[ServiceDetail]
    upcoming: int


class AnswerData(TypedDict):
    label: str
    text: str


class BookingData(TypedDict):
    id: str
    page_id: str
    page: str
    service_id: str | None
    service: str
    start: str
    end: str
    time_zone: str
    status: str
    waiting_for: str
    hold_until: str | None
    name: str
    email: str
    phone: str
    answers: list[AnswerData]
    price: float | None
    paid: Annotated[
        float, Field(description="Amount paid online and not refunded. See svc_payments_list with subject=id.")
    ]
    note: str
    outcome: str
    reason: str
    by_owner: bool
    created_at: str | None


def page_summaries(pages: Sequence[BookingPage]) -> list[BookingPageSummary]:
    """Return the summaries of pages. The number of queries is fixed."""
    services: dict[str, list[Service]] = defaultdict(list)
    for service in _services_of.fetch([page.pk for page in pages]) if pages else ():
        services[service.page_id].append(service)
    upcoming = _count_upcoming(pages)
    return [
        {
            **item_summary(page),
            "name": page.name,
            "time_zone": page.time_zone,
            "currency": page.currency,
            "services": [_service_summary(service, page.currency) for service in services[page.pk]],
            "upcoming": upcoming.get(page.pk, 0),
        }
        for page in pages
    ]


def _count_upcoming(pages: Sequence[BookingPage]) -> dict[str, int]:
    return dict(_upcoming_of.fetch([page.pk for page in pages], clock.now())) if pages else {}


@compile_once
def _services_of(page_ids: list[str]) -> QuerySet[Service]:
    return Service.objects.filter(page__in=page_ids)


@compile_once
def _upcoming_of(page_ids: list[str], now: datetime) -> QuerySet[Booking, tuple[str, int]]:
    bookings = Booking.objects.filter(page__in=page_ids, status=Status.CONFIRMED, starts_at__gte=now).order_by()
    return bookings.values_list("page").annotate(count=Count("pk"))


def _service_summary(service: Service, currency: str) -> ServiceSummary:
    price = to_wire_number(service.price_minor, currency)
    return {"id": service.pk, "name": service.name, "duration": service.duration, "price": price}


def service_detail(service: Service, currency: str) -> ServiceDetail:
    return {
        **_service_summary(service, currency),
        "payment": service.payment,
        "deposit": to_wire_number(service.deposit_minor, currency),
        "text": service.text,
        "buffer_before": service.buffer_before,
        "buffer_after": service.buffer_after,
        "notice": service.min_notice_minutes,
        "horizon": service.max_days_ahead,
        "interval": service.start_interval,
        "daily_cap": service.daily_cap,
        "approval": service.approval,
        "questions": service.questions,  # type: ignore[typeddict-item]  # as they were checked
        "cancel_until": -1 if service.cancel_until is None else service.cancel_until,
        "move_until": -1 if service.move_until is None else service.move_until,
        "hidden": service.hidden,
    }


def page_detail(page: BookingPage) -> BookingPageDetail:
    today = clock.today(page.time_zone)
    blocks = page.resource.blocks.filter(ends_at__gte=clock.now())
    return {
        **item_summary(page),
        **item_urls(page),
        "name": page.name,
        "description": page.description,
        "place": page.place,
        "time_zone": page.time_zone,
        "currency": page.currency,
        "image_id": page.image_id or "",
        "language": page.language,
        "hours": page.hours,
        "hosts": page.hosts,
        "refused": list_refused_websites(page),
        **build_snippets(page, page.name, EMBED_HEIGHT),
        "overrides": [
            {"date": row.date.isoformat(), "windows": row.windows}
            for row in page.date_overrides.filter(date__gte=today)
        ],
        "blocks": [
            {"id": row.pk, "start": format_local_time(row.starts_at, page.zone),
             "end": format_local_time(row.ends_at, page.zone),
             "reason": row.reason}
            for row in blocks
        ],
        "services": [service_detail(service, page.currency) for service in services_for.fetch(page)],
        "upcoming": _count_upcoming([page]).get(page.pk, 0),
    }  # fmt: skip


def list_booking_data(bookings: Iterable[Booking]) -> list[BookingData]:
    now = clock.now()
    return [_booking_data(booking, now) for booking in bookings]


def _booking_data(booking: Booking, now: datetime) -> BookingData:
    zone = booking.page.zone
    status = booking.current_status(now)
    return {
        "id": booking.pk,
        "page_id": booking.page_id,
        "page": booking.page.name,
        "service_id": booking.service_id,
        "service": booking.service_name,
        "start": format_local_time(booking.starts_at, zone),
        "end": format_local_time(booking.ends_at, zone),
        "time_zone": booking.page.time_zone,
        "status": status.value,
        "waiting_for": booking.pending_reason if status is Status.PENDING else "",
        "hold_until": format_local_time(booking.hold_until, zone)
        if booking.hold_until and status is Status.PENDING
        else None,
        "name": booking.name,
        "email": booking.email,
        "phone": booking.phone,
        "answers": [{"label": answer["label"], "text": answer["text"]} for answer in booking.answers],
        "price": to_wire_number(booking.price_minor, booking.page.currency),
        "paid": to_wire_number(booking.paid_minor - booking.refunded_minor, booking.page.currency) or 0,
        "note": booking.owner_note,
        "outcome": booking.outcome,
        "reason": booking.reason,
        "by_owner": booking.by_owner,
        "created_at": clock.to_iso(booking.created_at),
    }


def format_local_time(moment: datetime, zone: ZoneInfo) -> str:
    """Format a local time, such as `2026-11-22T09:30:00+01:00`."""
    return moment.astimezone(zone).isoformat(timespec="seconds")
