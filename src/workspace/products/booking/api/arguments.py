"""Types of the booking tools' arguments.

An empty string or list clears the previous value.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.accounts.account_tools import TimeZone
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.money import ClearableAmount, Currency
from workspace.lib.phone_number import clean_phone
from workspace.lib.weekly_hours import Window
from workspace.products.booking import messages
from workspace.products.booking.rules.limits import MAX_ITEMS, MAX_SERVICES
from workspace.publishing.shared_item_arguments import Hosts, Publishing, clean_email
from workspace.tools.argument_types import Day, Id, Line, Lines, MomentText, build_validation_error, require_when_new
from workspace.tools.time_windows import Windows


def check_overlaps(windows: list[Window]) -> list[Window]:
    """Return the windows. Raise an error if two windows of the same day overlap.

    A window may start when another ends.
    """
    for number, window in enumerate(windows):
        for other in windows[:number]:
            shared = not window["days"] or not other["days"] or set(window["days"]) & set(other["days"])
            (a, b), (c, d) = _window_minutes(window), _window_minutes(other)
            if shared and a < d and c < b:
                first, second = (f"{hours['from']}–{hours['until']}" for hours in (other, window))
                text = str(messages.HOURS_OVERLAP(first=first, second=second))
                raise build_validation_error({number: text}, windows)
    return windows


def _window_minutes(window: Window) -> tuple[int, int]:
    begin, end = (int(text[:2]) * 60 + int(text[3:]) for text in (window["from"], window["until"]))
    return begin, end if end > begin else end + 24 * 60


PageId = Annotated[Id, Field(description="Booking page ID, from svc_booking_pages.")]
ServiceId = Annotated[Id, Field(description="Service ID, from svc_booking_pages.")]
BookingId = Annotated[Id, Field(description="Booking ID, from svc_booking_list.")]
PageName = Annotated[str, Line(120), Field(description="Name shown at the top of the page.")]
Hours = Annotated[Windows, AfterValidator(check_overlaps), Field(description="Weekly hours, in the page's time zone.")]
Minutes = Annotated[int, Field(ge=5, le=720)]
Buffer = Annotated[int, Field(ge=0, le=240)]
DeadlineHours = Annotated[int, Field(ge=-1, le=8760)]


@with_config(extra="forbid", strict=True)
class Question(TypedDict, total=False):
    """A question for guests. It asks for a short answer unless `type` says otherwise."""

    label: Annotated[str, Line(200), Field(description="Text of the question.")]
    type: Annotated[
        Literal["short", "long", "choice", "tick", "phone"],
        Field(description="Type of answer. tick shows a checkbox."),
    ]
    options: Annotated[
        list[Annotated[str, Line(100)]], Field(max_length=30, description="Choices of a question of type choice.")
    ]
    required: Annotated[bool, Field(description="Whether an answer is required.")]


def _clean_questions(questions: list[Any]) -> list[Any]:
    faults: dict[Any, str] = {}
    for number, question in enumerate(questions):
        if not question.get("label"):
            faults[number, "label"] = "Required"
        elif any(other.get("label") == question["label"] for other in questions[:number]):
            faults[number, "label"] = "Another question has this label"
        if question.get("type") == "choice" and len(question.get("options", [])) < 2:
            faults[number, "options"] = "A choice needs at least two options"
    if faults:
        raise build_validation_error(faults, questions)
    return [{"type": "short", "required": False, **question} for question in questions]


class ServiceFields(TypedDict, total=False):
    name: Annotated[str, Line(120), Field(description="Service name, such as Haircut.")]
    duration: Annotated[Minutes, Field(description="Duration in minutes, from 5 to 720.")]
    price: Annotated[ClearableAmount, Field(description="Price in the page's currency. An empty string removes it.")]
    payment: Annotated[Literal["none", "deposit", "full"], Field(description="Online payment required when booking.")]
    deposit: Annotated[ClearableAmount, Field(description="Deposit amount if payment is deposit.")]
    text: Annotated[str, Lines(1000), Field(description="Description of the service.")]
    buffer_before: Annotated[Buffer, Field(description="Minutes blocked before each booking.")]
    buffer_after: Annotated[Buffer, Field(description="Minutes blocked after each booking.")]
    notice: Annotated[int, Field(ge=0, le=43_200, description="Minimum notice in minutes. Defaults to 120.")]
    horizon: Annotated[
        int, Field(ge=0, le=730, description="Number of days in advance that clients can book. Defaults to 60.")
    ]
    interval: Annotated[
        int, Field(ge=0, le=720, description="Minutes between start times. 0 uses the duration, up to 30 minutes.")
    ]
    daily_cap: Annotated[int, Field(ge=0, le=1000, description="Maximum number of bookings a day. 0 means no limit.")]
    approval: Annotated[bool, Field(description="Whether each booking needs your approval within 12 hours.")]
    questions: Annotated[
        list[Question],
        Field(max_length=20, description="Questions that clients answer when booking."),
        AfterValidator(_clean_questions),
    ]
    cancel_until: Annotated[
        DeadlineHours, Field(description="Deadline for clients to cancel, in hours before the start. -1 means never.")
    ]
    move_until: Annotated[
        DeadlineHours,
        Field(description="Reschedule deadline for clients, in hours before the start. -1 means never."),
    ]
    hidden: Annotated[bool, Field(description="Whether the service is hidden from clients.")]


@with_config(extra="forbid")
class NewServiceInput(ServiceFields, total=False):
    """A new service, with the fields of svc_booking_save_services."""


@with_config(extra="forbid")
class ServiceInput(ServiceFields, total=False):
    id: Annotated[Id, Field(description="ID of an existing service. Omit it to add a new one.")]


NewServiceList = Annotated[
    list[Annotated[NewServiceInput, require_when_new("name", "duration")]], Field(max_length=MAX_SERVICES)
]
ServiceList = Annotated[
    list[Annotated[ServiceInput, require_when_new("name", "duration")]],
    Field(max_length=MAX_SERVICES, description="Entries to add (without id) or update (with id)."),
]


def _check_date_windows(windows: list[Window]) -> list[Window]:
    if any(window["days"] for window in windows):
        raise ValueError(messages.DAYS_NOT_ALLOWED)
    return check_overlaps(windows)


DayWindows = Annotated[Windows, AfterValidator(_check_date_windows)]


@with_config(extra="forbid")
class OverrideFields(TypedDict, total=False):
    """Dates with other hours. If there are no windows, the dates are closed."""

    first: Annotated[Day, Field(alias="from", description="First date.")]
    to: Annotated[Day, Field(description="Last date. Defaults to the first date.")]
    windows: Annotated[DayWindows, Field(description="Hours on these dates. An empty list means closed.")]


@with_config(extra="forbid")
class BlockFields(TypedDict, total=False):
    """A time that is blocked for something else."""

    id: Annotated[Id, Field(description="ID of an existing block. Omit it to add a new one.")]
    start: Annotated[
        MomentText, Field(description="Start time (ISO 8601). Without an offset, the page's time zone applies.")
    ]
    end: Annotated[
        MomentText, Field(description="End time (ISO 8601). Without an offset, the page's time zone applies.")
    ]
    reason: Annotated[str, Line(200, least=0), Field(description="Internal reason.")]


class PageFields(Publishing, total=False):
    description: Annotated[str, Lines(2000), Field(description="Description below the name.")]
    place: Annotated[str, Lines(500), Field(description="Location of appointments, or a meeting link.")]
    time_zone: TimeZone
    currency: Currency
    image_id: Annotated[
        str,
        StringConstraints(max_length=64),
        Field(description="upload_id of an image, from svc_upload_file. An empty string removes it."),
    ]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Page language. An empty string uses the visitor's language."),
    ]
    hours: Hours
    hosts: Hosts


class PageChanges(PageFields, total=False):
    name: PageName


Overrides = Annotated[
    list[Annotated[OverrideFields, require_when_new("from")]],
    Field(max_length=100, description="Dates with different hours. A date without windows is closed."),
]
Blocks = Annotated[
    list[Annotated[BlockFields, require_when_new("start", "end")]],
    Field(max_length=100, description="Times that clients can't book, such as time off."),
]
RemovedKeys = Annotated[
    list[Annotated[str, Line(60)]], Field(max_length=200, description="Blocks (IDs) and overrides (dates) to remove.")
]


Reason = Annotated[str, Line(300, least=0), Field(description="Reason shown to the client.")]


@with_config(extra="forbid")
class BookingInput(TypedDict, total=False):
    """A booking to create or, with an id, to change."""

    id: Annotated[BookingId, Field(description="ID of an existing booking. Omit it to create a new one.")]
    service_id: ServiceId
    start: Annotated[
        MomentText, Field(description="Start time, in the page's time zone. With id, reschedules the booking.")
    ]
    name: Annotated[str, Line(120), Field(description="Client's name.")]
    email: Annotated[str, Line(254, least=0), AfterValidator(clean_email), Field(description="Client's email address.")]
    phone: Annotated[str, Line(40, least=0), AfterValidator(clean_phone), Field(description="Client's phone number.")]
    answers: Annotated[
        dict[Annotated[str, Line(200)], Annotated[str, Lines(2000)]],
        Field(max_length=20, description="Answers by question label."),
    ]
    request: Annotated[
        Literal["approve", "decline", "cancel"],
        Field(description="Answer to a pending request. cancel cancels any booking."),
    ]
    outcome: Annotated[Literal["", "attended", "no_show"], Field(description="Whether the client attended.")]
    note: Annotated[str, Lines(2000), Field(description="Internal note.")]
    reason: Reason
    notify: Annotated[
        bool, Field(description="Whether to email the client. Requires an email address. Defaults to true.")
    ]
    ignore_rules: Annotated[bool, Field(description="Whether to ignore hours, blocks and calendars.")]


BookingList = Annotated[
    list[Annotated[BookingInput, require_when_new("service_id", "start", "name")]],
    Field(min_length=1, max_length=MAX_ITEMS),
]
StatusFilter = Annotated[
    Literal["confirmed", "pending_payment", "cancelled", "expired"],
    Field(description="Only bookings with this status. If upcoming is true, defaults to confirmed."),
]
