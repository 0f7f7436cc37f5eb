"""Types of the booking tools' arguments.

An empty text or list clears the previous value."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.accounts.account_tools import TimeZone
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.money import ClearableAmount, Currency
from workspace.lib.phone_number import clean_phone
from workspace.lib.weekly_hours import Window
from workspace.products.booking.rules.limits import MAX_ITEMS, MAX_SERVICES
from workspace.publishing.arguments import Hosts, Publishing, clean_email
from workspace.tools.argument_types import Day, Id, Line, Lines, MomentText, build_validation_error, require_when_new
from workspace.tools.time_windows import Windows


def check_overlaps(windows: list[Window]) -> list[Window]:
    """Return the windows. Raise an error if two windows of the same day overlap.

    Windows may touch."""
    for number, window in enumerate(windows):
        for other in windows[:number]:
            shared = not window["days"] or not other["days"] or set(window["days"]) & set(other["days"])
            (a, b), (c, d) = _window_minutes(window), _window_minutes(other)
            if shared and a < d and c < b:
                both = f"{other['from']}–{other['until']} and {window['from']}–{window['until']}"
                raise build_validation_error({number: f"{both} of one day overlap: make them one"}, windows)
    return windows


def _window_minutes(window: Window) -> tuple[int, int]:
    begin, end = (int(text[:2]) * 60 + int(text[3:]) for text in (window["from"], window["until"]))
    return begin, end if end > begin else end + 24 * 60


PageId = Annotated[Id, Field(description="From svc_booking_pages")]
ServiceId = Annotated[Id, Field(description="From svc_booking_pages")]
BookingId = Annotated[Id, Field(description="From svc_booking_list")]
PageName = Annotated[str, Line(120), Field(description="What guests read at the top")]
Hours = Annotated[Windows, AfterValidator(check_overlaps), Field(description="The week's windows; in the page's zone")]
Minutes = Annotated[int, Field(ge=5, le=720)]
Buffer = Annotated[int, Field(ge=0, le=240)]
DeadlineHours = Annotated[int, Field(ge=-1, le=8760)]


@with_config(extra="forbid", strict=True)
class Question(TypedDict, total=False):
    """What guests are asked; a short answer unless `type` says else."""

    label: Annotated[str, Line(200)]
    type: Literal["short", "long", "choice", "tick", "phone"]
    options: Annotated[list[Annotated[str, Line(100)]], Field(max_length=30, description="Of a choice")]
    required: bool


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
    name: Annotated[str, Line(120), Field(description="Such as Haircut")]
    duration: Annotated[Minutes, Field(description="Minutes, 5 to 720")]
    price: Annotated[ClearableAmount, Field(description="In the page's currency; empty for none")]
    payment: Annotated[Literal["none", "deposit", "full"], Field(description="What guests pay online to book it")]
    deposit: Annotated[ClearableAmount, Field(description="Of payment=deposit")]
    text: Annotated[str, Lines(1000)]
    buffer_before: Annotated[Buffer, Field(description="Minutes kept free before")]
    buffer_after: Annotated[Buffer, Field(description="Minutes kept free after")]
    notice: Annotated[int, Field(ge=0, le=43_200, description="Minutes ahead at least; 120 if left out")]
    horizon: Annotated[int, Field(ge=0, le=730, description="Days ahead at most; 60 if left out")]
    interval: Annotated[int, Field(ge=0, le=720, description="Minutes between starts; 0 for its duration, at most 30")]
    daily_cap: Annotated[int, Field(ge=0, le=1000, description="Bookings a day at most; 0 for no cap")]
    approval: Annotated[bool, Field(description="You confirm each within 12 hours")]
    questions: Annotated[list[Question], Field(max_length=20), AfterValidator(_clean_questions)]
    cancel_until: Annotated[DeadlineHours, Field(description="Guests cancel until so many hours before; -1 for not")]
    move_until: Annotated[DeadlineHours, Field(description="Guests move it until so many hours before; -1 for not")]
    hidden: Annotated[bool, Field(description="Guests are not offered it")]


@with_config(extra="forbid")
class NewServiceInput(ServiceFields, total=False):
    """As in svc_booking_save_services."""


@with_config(extra="forbid")
class ServiceInput(ServiceFields, total=False):
    id: Annotated[Id, Field(description="Of one that there is")]


NewServiceList = Annotated[
    list[Annotated[NewServiceInput, require_when_new("name", "duration")]], Field(max_length=MAX_SERVICES)
]
ServiceList = Annotated[
    list[Annotated[ServiceInput, require_when_new("name", "duration")]],
    Field(max_length=MAX_SERVICES, description="Those with an id change, others are added"),
]


def _check_date_windows(windows: list[Window]) -> list[Window]:
    if any(window["days"] for window in windows):
        raise ValueError("These are of one date: leave the days out")
    return check_overlaps(windows)


DayWindows = Annotated[Windows, AfterValidator(_check_date_windows)]


@with_config(extra="forbid")
class OverrideFields(TypedDict, total=False):
    """Dates with other hours; without windows they are closed."""

    first: Annotated[Day, Field(alias="from")]
    to: Annotated[Day, Field(description="The last one; only `from` if left out")]
    windows: DayWindows


@with_config(extra="forbid")
class BlockFields(TypedDict, total=False):
    """A time kept for something else."""

    id: Annotated[Id, Field(description="Of one that there is")]
    start: Annotated[MomentText, Field(description="ISO 8601; in the page's zone without an offset")]
    end: Annotated[MomentText, Field(description="ISO 8601; in the page's zone without an offset")]
    reason: Annotated[str, Line(200, least=0)]


class PageFields(Publishing, total=False):
    description: Annotated[str, Lines(2000)]
    place: Annotated[str, Lines(500), Field(description="Where visits are; or a link")]
    time_zone: TimeZone
    currency: Currency
    image_id: Annotated[
        str, StringConstraints(max_length=64), Field(description="An upload_id of svc_upload_file; empty for none")
    ]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Of its page; empty for the guest's own"),
    ]
    hours: Hours
    hosts: Hosts


class PageChanges(PageFields, total=False):
    name: PageName


Overrides = Annotated[
    list[Annotated[OverrideFields, require_when_new("from")]],
    Field(max_length=100, description="Dates with other hours, no windows: closed"),
]
Blocks = Annotated[
    list[Annotated[BlockFields, require_when_new("start", "end")]],
    Field(max_length=100, description="Times kept for something else"),
]
RemovedKeys = Annotated[
    list[Annotated[str, Line(60)]], Field(max_length=200, description="Ids of blocks, dates of overrides to take away")
]


Reason = Annotated[str, Line(300, least=0), Field(description="Why; the client reads it")]


@with_config(extra="forbid")
class BookingInput(TypedDict, total=False):
    """One to make, or with an id to change."""

    id: Annotated[BookingId, Field(description="Of one that there is")]
    service_id: ServiceId
    start: Annotated[MomentText, Field(description="When it begins, in the page's zone; moves one that there is")]
    name: Annotated[str, Line(120), Field(description="The client's")]
    email: Annotated[str, Line(254, least=0), AfterValidator(clean_email)]
    phone: Annotated[str, Line(40, least=0), AfterValidator(clean_phone)]
    answers: Annotated[
        dict[Annotated[str, Line(200)], Annotated[str, Lines(2000)]],
        Field(max_length=20, description="By the labels of questions"),
    ]
    request: Annotated[
        Literal["approve", "decline", "cancel"], Field(description="Answers a request; cancel: ends any")
    ]
    outcome: Annotated[Literal["", "attended", "no_show"], Field(description="Whether they came")]
    note: Annotated[str, Lines(2000), Field(description="For you alone")]
    reason: Reason
    notify: Annotated[bool, Field(description="Mail the client, where there is an address; true if left out")]
    ignore_rules: Annotated[bool, Field(description="Hours, blocks and calendars do not count")]


BookingList = Annotated[
    list[Annotated[BookingInput, require_when_new("service_id", "start", "name")]],
    Field(min_length=1, max_length=MAX_ITEMS),
]
StatusFilter = Annotated[
    Literal["confirmed", "pending_payment", "cancelled", "expired"],
    Field(description="confirmed if left out, of upcoming ones"),
]
