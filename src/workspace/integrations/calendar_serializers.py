"""Serialization of connected calendars for tools and pages, without passwords and private URLs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from django.conf import settings
from django.db.models import Count
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery.calendars import event_push, sync_state
from workspace.delivery.models import BusyTime, Calendar
from workspace.lib import clock
from workspace.lib.text import escape_markdown, format_count


class CalendarPart(TypedDict):
    name: str
    url: Annotated[str, Field(description="URL of the calendar. Empty if private.")]
    reads: Annotated[bool, Field(description="Whether it blocks time.")]
    writes: Annotated[bool, Field(description="Whether it can receive bookings.")]


class CalendarData(TypedDict):
    calendar_id: str
    kind: str
    name: str
    host: Annotated[str, Field(description="Host name. The private URL is not shown again.")]
    username: str
    calendars: list[CalendarPart]
    my_addresses: Annotated[
        list[str],
        Field(description="Email addresses whose declined events are ignored. Empty means the owner's address."),
    ]
    page_ids: Annotated[
        list[str],
        Field(description="IDs of the booking pages that the calendar blocks time on. An empty list means all pages."),
    ]
    block_tentative: bool
    push_to: Annotated[str, Field(description="URL of the calendar that receives new bookings.")]
    state: Annotated[str, Field(description="new (not synced yet), good or broken.")]
    problem: str
    failing_since: str | None
    remarks: Annotated[list[str], Field(description="Problems found in the calendar.")]
    read_at: str | None
    busy_times: int
    to_write: Annotated[int, Field(description="Number of bookings waiting to be added.")]
    not_written: Annotated[int, Field(description="Number of bookings that could not be added.")]
    why_not_written: str
    page: str


def list_calendar_data(account: Account, calendars: Sequence[Calendar]) -> list[CalendarData]:
    counts = BusyTime.objects.filter(calendar__in=[one.pk for one in calendars]).order_by().values("calendar")
    busy = dict(counts.annotate(many=Count("pk")).values_list("calendar", "many")) if calendars else {}
    writing = event_push.push_problems(calendars) if calendars else {}
    return [_calendar_data(one, busy.get(one.pk, 0), *writing.get(one.pk, (0, 0, ""))) for one in calendars]


def _calendar_data(calendar: Calendar, busy: int, waiting: int, failed: int, problem: str) -> CalendarData:
    return {
        "calendar_id": calendar.pk,
        "kind": calendar.kind,
        "name": calendar.name,
        "host": calendar.host,
        "username": calendar.username,
        "calendars": [
            {"name": part["name"], "url": part["url"], "reads": part["reads"], "writes": part["writes"]}
            for part in calendar.parts
        ],
        "my_addresses": calendar.my_addresses,
        "page_ids": calendar.page_ids,
        "block_tentative": calendar.block_tentative,
        "push_to": calendar.write_to,
        "state": calendar.health,
        "problem": calendar.problem,
        "failing_since": clock.to_iso(calendar.failing_since),
        "remarks": calendar.remarks,
        "read_at": clock.to_iso(calendar.read_at),
        "busy_times": busy,
        "to_write": waiting,
        "not_written": failed,
        "why_not_written": problem,
        "page": f"{settings.BASE_URL}{sync_state.PAGE}/{calendar.pk}",
    }


def format_calendar(row: CalendarData) -> str:
    parts = ", ".join(_format_part(part) for part in row["calendars"])
    texts = [
        f"**{escape_markdown(row['name'])}** ({row['kind']} at {row['host']}, `{row['calendar_id']}`): {row['state']}",
        escape_markdown(row["problem"]),
        f"failing since {row['failing_since']}" if row["failing_since"] else "",
        f"last synced at {row['read_at']}" if row["read_at"] else "not synced yet",
        format_count(row["busy_times"], "busy time"),
        f"user {escape_markdown(row['username'])}" if row["username"] else "",
        f"calendars: {parts}",
        f"blocks only {', '.join(f'`{id}`' for id in row['page_ids'])}" if row["page_ids"] else "blocks all pages",
        "tentative events block times" if row["block_tentative"] else "tentative events don't block times",
        f"your email addresses: {', '.join(row['my_addresses'])}" if row["my_addresses"] else "",
        f"new bookings are added to {row['push_to']}" if row["push_to"] else "",
        f"{row['to_write']} to add" if row["to_write"] else "",
        f"{row['not_written']} not added" if row["not_written"] else "",
        escape_markdown(row["why_not_written"]),
        *(escape_markdown(remark) for remark in row["remarks"]),
        f"see {row['page']}",
    ]
    return "; ".join(part for part in texts if part)


def _format_part(part: CalendarPart) -> str:
    said = "blocks times" if part["reads"] else "ignored"
    where = f" {part['url']}" if part["url"] else ""
    return f"{escape_markdown(part['name'])} ({said}{', writable' if part['writes'] else ''}{where})"
