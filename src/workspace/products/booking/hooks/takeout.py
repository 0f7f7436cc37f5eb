"""Bookings in exports and imports of an account.

Imported bookings get new guest links, and no reminder is sent twice."""

from __future__ import annotations

from typing import Annotated, Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable
from workspace.lib import clock
from workspace.products.booking.api.arguments import DayWindows, PageChanges, ServiceFields
from workspace.products.booking.domain import guest_links
from workspace.products.booking.models import Booking, BookingPage, DateOverride, Resource, Service
from workspace.tools.argument_types import Line, Lines


def _import_row(arrival: ImportContext, row: Any, data: dict[str, Any]) -> None:
    guest_links.set_new_link(row)
    row.expiry_notice_pending = False
    if row.remind_at is not None and row.remind_at <= clock.now():
        row.remind_at = None


AnswerShape = column_types.object_of(label=Annotated[str, Line(200)], text=Annotated[str, Lines(2000)])
TAKEOUT_TABLES = (
    TakeoutTable(model=Resource, replaces=True),
    TakeoutTable(
        model=BookingPage,
        column_types=column_types.from_arguments(PageChanges, "description", "place", "hours", "hosts"),
    ),
    TakeoutTable(model=DateOverride, column_types={"windows": DayWindows}),
    TakeoutTable(
        model=Service,
        column_types={
            **column_types.from_arguments(ServiceFields, "text", "duration", "buffer_before", "buffer_after"),
            **column_types.from_arguments(
                ServiceFields, "questions", min_notice_minutes="notice", max_days_ahead="horizon"
            ),
            "interval": column_types.integer_up_to(720, 1),
            "daily_cap": column_types.integer_up_to(1000, 1),
            **dict.fromkeys(("cancel_until", "move_until"), column_types.integer_up_to(8760)),
        },
    ),
    TakeoutTable(
        model=Booking,
        excluded_columns=("link_token_encrypted", "link_hash"),
        import_row=_import_row,
        column_types={
            "service_name": column_types.OneLine,
            "local_start": column_types.LocalTime,
            "answers": column_types.list_of(AnswerShape, 20),
            "dedupe_key": column_types.Identifier,
            "owner_note": column_types.PlainText,
        },
    ),
)
