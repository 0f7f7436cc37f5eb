"""Booking pages, services and bookings as data, the same in every answer. Times are local ones with their offset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from django.db.models import Count
from pydantic import Field
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.lib.money import number_of
from workspace.lib.weekly_hours import Window
from workspace.products.booking.models import Booking, BookingPage, Service, Status
from workspace.public_site.embeds import RefusedWebsite, Snippets, refused_lately, snippets
from workspace.publishing.serializers import Addresses, PublishedRow, addresses_of, published_row

FRAME_HEIGHT = 760  # of the frame without script, in CSS pixels: a month with its times


class ServiceShort(TypedDict):
    id: str
    name: str
    duration: int
    price: float | None


class PageRow(PublishedRow):
    name: str
    time_zone: str
    currency: str
    services: list[ServiceShort]
    upcoming: int


class QuestionRow(TypedDict, total=False):
    label: str
    type: str
    options: list[str]
    required: bool


class ServiceRow(ServiceShort):
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
    questions: list[QuestionRow]
    cancel_until: int
    move_until: int
    hidden: bool


class OverrideRow(TypedDict):
    date: str
    windows: list[Window]


class BlockRow(TypedDict):
    id: str
    start: str
    end: str
    reason: str


class PageWhole(PublishedRow, Addresses, Snippets):
    name: str
    description: str
    place: str
    time_zone: str
    currency: str
    picture_id: str
    language: str
    hours: list[Window]
    hosts: list[str]
    refused: list[RefusedWebsite]
    overrides: list[OverrideRow]
    blocks: list[BlockRow]
    services: list[ServiceRow]
    upcoming: int


class AnswerRow(TypedDict):
    label: str
    text: str


class BookingRow(TypedDict):
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
    answers: list[AnswerRow]
    price: float | None
    paid: Annotated[float, Field(description="Online, and not given back; svc_payments_list(subject=id) shows it")]
    note: str
    outcome: str
    reason: str
    by_owner: bool
    created_at: str | None


def page_rows(pages: Sequence[BookingPage]) -> list[PageRow]:
    """A fixed number of queries, however many pages."""
    services: dict[str, list[Service]] = defaultdict(list)
    for service in Service.objects.filter(page__in=pages):
        services[service.page_id].append(service)
    upcoming = _upcoming(pages)
    return [
        {
            **published_row(page),
            "name": page.name,
            "time_zone": page.time_zone,
            "currency": page.currency,
            "services": [_short(one, page.currency) for one in services[page.pk]],
            "upcoming": upcoming.get(page.pk, 0),
        }
        for page in pages
    ]


def _upcoming(pages: Sequence[BookingPage]) -> dict[str, int]:
    found = Booking.objects.filter(page__in=pages, status=Status.CONFIRMED, starts_at__gte=clock.now()).order_by()
    return dict(found.values_list("page").annotate(count=Count("pk")))


def _short(service: Service, currency: str) -> ServiceShort:
    price = number_of(service.price_minor, currency)
    return {"id": service.pk, "name": service.name, "duration": service.duration, "price": price}


def service_row(service: Service, currency: str) -> ServiceRow:
    return {
        **_short(service, currency),
        "payment": service.payment,
        "deposit": number_of(service.deposit_minor, currency),
        "text": service.text,
        "buffer_before": service.buffer_before,
        "buffer_after": service.buffer_after,
        "notice": service.notice,
        "horizon": service.horizon,
        "interval": service.step,
        "daily_cap": service.daily_cap,
        "approval": service.approval,
        "questions": service.questions,  # type: ignore[typeddict-item]  # as they were checked
        "cancel_until": -1 if service.cancel_until is None else service.cancel_until,
        "move_until": -1 if service.move_until is None else service.move_until,
        "hidden": service.hidden,
    }


def whole(page: BookingPage) -> PageWhole:
    today = clock.today(page.time_zone)
    blocks = page.resource.blocks.filter(ends_at__gte=clock.now())
    return {
        **published_row(page),
        **addresses_of(page),
        "name": page.name,
        "description": page.description,
        "place": page.place,
        "time_zone": page.time_zone,
        "currency": page.currency,
        "picture_id": page.picture_id or "",
        "language": page.language,
        "hours": page.hours,
        "hosts": page.hosts,
        "refused": refused_lately(page),
        **snippets(page, page.name, FRAME_HEIGHT),
        "overrides": [
            {"date": row.date.isoformat(), "windows": row.windows}
            for row in page.overrides.filter(date__gte=today)
        ],
        "blocks": [
            {"id": row.pk, "start": local(row.starts_at, page.zone), "end": local(row.ends_at, page.zone),
             "reason": row.reason}
            for row in blocks
        ],
        "services": [service_row(one, page.currency) for one in page.services.all()],
        "upcoming": _upcoming([page]).get(page.pk, 0),
    }  # fmt: skip


def booking_rows(bookings: Iterable[Booking]) -> list[BookingRow]:
    now = clock.now()
    return [_booking_row(one, now) for one in bookings]


def _booking_row(one: Booking, now: datetime) -> BookingRow:
    zone = one.page.zone
    status = one.state(now)
    return {
        "id": one.pk,
        "page_id": one.page_id,
        "page": one.page.name,
        "service_id": one.service_id,
        "service": one.service_name,
        "start": local(one.starts_at, zone),
        "end": local(one.ends_at, zone),
        "time_zone": one.page.time_zone,
        "status": status.value,
        "waiting_for": one.waiting_for if status is Status.PENDING else "",
        "hold_until": local(one.hold_until, zone) if one.hold_until and status is Status.PENDING else None,
        "name": one.name,
        "email": one.email,
        "phone": one.phone,
        "answers": [{"label": answer["label"], "text": answer["text"]} for answer in one.answers],
        "price": number_of(one.price_minor, one.page.currency),
        "paid": number_of(one.paid_minor - one.refunded_minor, one.page.currency) or 0,
        "note": one.note,
        "outcome": one.outcome,
        "reason": one.reason,
        "by_owner": one.by_owner,
        "created_at": clock.iso(one.created_at),
    }


def local(moment: datetime, zone: ZoneInfo) -> str:
    """`2026-11-22T09:30:00+01:00`"""
    return moment.astimezone(zone).isoformat(timespec="seconds")
