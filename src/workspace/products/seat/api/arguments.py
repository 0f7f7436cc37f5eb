"""Argument types of the seating tools. Lengths are in centimeters."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.lib.name_order import Order
from workspace.lib.phone_number import clean_phone
from workspace.products.seat import messages
from workspace.products.seat.models import OBJECTS, TABLE
from workspace.products.seat.rules.limits import MAX_COURSES, MAX_ITEMS, MAX_ROOM_LENGTH_CM, MAX_SEATS_PER_TABLE
from workspace.publishing.diets import DIETS
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, Publishing, clean_email
from workspace.tools.argument_types import Day, Id, Line, MomentText, require_when_new

EventId = Annotated[Id, Field(description="Chart ID, from svc_seat_charts.")]
GuestId = Annotated[Id, Field(description="Guest ID, from svc_seat_guests.")]
TableId = Annotated[Id, Field(description="Table ID, from svc_seat_tables. Omit it to unseat the guest.")]


def _check_choice(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(messages.NOT_ONE_OF(values=", ".join(known)))
    return text


def _clean_color(text: str) -> str:
    if text and not (text := parse_color(text)):
        raise ValueError(messages.COLOR_INVALID)
    return text


def _remove_duplicates(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _accept_text_as(name: str) -> BeforeValidator:
    """Return a validator that reads a plain string as an entry with only this field."""
    return BeforeValidator(lambda value: {name: value} if isinstance(value, str) else value)


Length = Annotated[float, Field(ge=0, le=MAX_ROOM_LENGTH_CM)]
Position = Annotated[float, Field(ge=-MAX_ROOM_LENGTH_CM, le=MAX_ROOM_LENGTH_CM)]
Diet = Annotated[
    str, AfterValidator(lambda text: _check_choice(text, DIETS)), Field(json_schema_extra={"enum": list(DIETS)})
]
Meal = Annotated[str, Line(80, least=0)]
Shape = Literal["round", "rectangle", "square", "oval", "half_round", "head", "row"]
OverCapacity = Annotated[bool, Field(description="Whether to add one chair at a full table. Defaults to false.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class CourseFields(TypedDict, total=False):
    name: Required[Annotated[str, Line(60), Field(description="Name of the course, such as Main.")]]
    choices: Annotated[
        list[Annotated[str, Line(80)]],
        AfterValidator(_remove_duplicates),
        Field(max_length=20, description="Choices of the course. An empty list allows any text."),
    ]


class ChartFields(Publishing, total=False):
    date: Annotated[Day | Literal[""], Field(description="Date, YYYY-MM-DD. An empty string removes it.")]
    venue: Annotated[str, Line(200, least=0), Field(description="Name of the venue.")]
    width: Annotated[float, Field(ge=100, le=MAX_ROOM_LENGTH_CM, description="Room width in cm.")]
    depth: Annotated[float, Field(ge=100, le=MAX_ROOM_LENGTH_CM, description="Room depth in cm.")]
    background_image_id: Annotated[
        str, Line(40, least=0), Field(description="upload_id of the floor plan. An empty string removes it.")
    ]
    background_width: Annotated[
        Length, Field(description="Real width of the floor plan in cm. 0 uses the width of the room.")
    ]
    units: Annotated[Literal["cm", "ft"], Field(description="Units in which lengths are shown.")]
    courses: Annotated[
        list[Annotated[CourseFields, _accept_text_as("name")]],
        Field(max_length=MAX_COURSES, description="Courses with their choices, in order."),
    ]
    find_table: Annotated[bool, Field(description="Whether guests can look up their table online.")]
    find_from: Annotated[MomentText, Field(description="When the lookup opens (ISO 8601). An empty string means now.")]
    show_names: Annotated[bool, Field(description="Whether guests see who is at their table.")]
    name_order: Annotated[
        Order,
        Field(
            description=(
                "Order of names in lists and on posters. Depends on country and language by default. western sorts "
                "Anna Berg as Berg, Anna. two_surnames sorts Sara Pérez Gil as Pérez Gil, Sara. portuguese sorts "
                "Ana dos Reis as Reis, Ana dos. family_first keeps Nagy Anna."
            )
        ),
    ]
    seat_waiting: Annotated[bool, Field(description="Whether to seat guests who have not replied.")]


class ChartChanges(ChartFields, total=False):
    title: Annotated[str, Line(120), Field(description="Title of the chart.")]


class TableFields(TypedDict, total=False):
    kind: Annotated[
        str,
        AfterValidator(lambda text: _check_choice(text, (TABLE, *OBJECTS))),
        Field(
            description="Type: table, or an object without seats. Defaults to table.",
            json_schema_extra={"enum": [TABLE, *OBJECTS]},
        ),
    ]
    name: Annotated[str, Line(60, least=0), Field(description="Name or number. Defaults to the next number.")]
    shape: Annotated[Shape, Field(description="Shape of the table.")]
    capacity: Annotated[int, Field(ge=0, le=MAX_SEATS_PER_TABLE, description="Number of seats. Defaults to 8.")]
    x: Annotated[
        Position,
        Field(description="Distance of the center from the left wall, in cm. Placed automatically by default."),
    ]
    y: Annotated[Position, Field(description="Distance of the center from the top wall, in cm.")]
    width: Annotated[
        float,
        Field(ge=10, le=MAX_ROOM_LENGTH_CM, description="Width in cm. Defaults to the usual width for the shape."),
    ]
    depth: Annotated[float, Field(ge=5, le=MAX_ROOM_LENGTH_CM, description="Depth in cm.")]
    rotation: Annotated[float, Field(ge=-360, le=360, description="Rotation in degrees, clockwise.")]
    end_seats: Annotated[bool, Field(description="Whether there are seats at the two ends.")]
    locked: Annotated[bool, Field(description="Whether its position on the plan is locked.")]
    closed: Annotated[bool, Field(description="Whether the table is closed to more guests.")]
    color: Annotated[
        str, AfterValidator(_clean_color), Field(description="Color, as #rrggbb. An empty string removes it.")
    ]
    note: Annotated[str, Line(300, least=0), Field(description="Note for the kitchen.")]


_Count = Annotated[int, Field(ge=1, le=100, description="Number of identical tables to create.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class NewTable(TableFields, total=False):
    count: _Count


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedTable(TableFields, total=False):
    """A table to create or, with an id, to update. Only the given fields change."""

    id: Annotated[Id, Field(description="ID of an existing table, from svc_seat_tables. Omit it to create a new one.")]
    count: _Count


class GuestFields(TypedDict, total=False):
    sort_name: Annotated[
        str,
        Line(120, least=0),
        Field(description='Name used for sorting, such as "Berg, Anna". Derived from the name by default.'),
    ]
    party: Annotated[
        str,
        Line(120, least=0),
        Field(description="Name of the group that sits together. An empty string removes it."),
    ]
    reply: Annotated[
        Literal["yes", "no", "waiting"], Field(description="Guest's reply (RSVP). Guests who reply no are unseated.")
    ]
    meal: Annotated[Meal, Field(description="Meal for the first course. For several courses, use meals.")]
    meals: Annotated[list[Meal], Field(max_length=MAX_COURSES, description="Meals, one per course, in order.")]
    diet: Annotated[
        list[Diet],
        AfterValidator(_remove_duplicates),
        Field(max_length=len(DIETS), description="Dietary requirements, such as vegan."),
    ]
    notes: Annotated[str, Line(500, least=0), Field(description="Notes for kitchen and check-in, such as allergies.")]
    chair: Annotated[Literal["", "child", "high"], Field(description="Type of chair: child's chair or high chair.")]
    wheelchair: Annotated[bool, Field(description="Whether the guest needs space for a wheelchair.")]
    tags: Annotated[
        list[Annotated[str, Line(40)]],
        AfterValidator(_remove_duplicates),
        Field(max_length=20, description="Internal tags."),
    ]
    email: Annotated[
        str, Line(MAX_EMAIL_LENGTH, least=0), AfterValidator(clean_email), Field(description="Email address.")
    ]
    phone: Annotated[str, Line(40, least=0), AfterValidator(clean_phone), Field(description="Phone number.")]
    placeholder: Annotated[bool, Field(description="Whether the guest's name is not known yet.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class NewGuest(GuestFields, total=False):
    name: Required[Annotated[str, Line(120), Field(description="Full name of the guest.")]]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedGuest(GuestFields, total=False):
    """A guest to add or, with an id, to update. Only the given fields change."""

    id: Annotated[Id, Field(description="ID of a guest to update, from svc_seat_guests. Omit it to add a new one.")]
    name: Annotated[str, Line(120), Field(description="Full name of the guest.")]
    table_id: Annotated[str, Line(40, least=0), Field(description="Table ID. An empty string unseats the guest.")]
    seat: Annotated[int, Field(ge=0, le=MAX_SEATS_PER_TABLE, description="Chair number. 0 means none.")]
    locked: Annotated[bool, Field(description="Whether svc_seat_arrange keeps the guest at this table.")]
    arrived: Annotated[bool, Field(description="Whether the guest is checked in. false undoes the check-in.")]
    at: Annotated[
        MomentText,
        Field(description="Time of the check-in. If there are several, the latest is used. Defaults to now."),
    ]
    device_id: Annotated[str, Line(80, least=0), Field(description="Device that checked the guest in.")]
    tick_id: Annotated[
        str,
        Line(80, least=0),
        Field(description="ID that the device assigned to the check-in. Duplicates are ignored."),
    ]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedPreference(TypedDict, total=False):
    id: Annotated[
        Id, Field(description="ID of an existing preference, from svc_seat_tables. Omit it to create a new one.")
    ]
    kind: Annotated[
        Literal["together", "apart", "near", "away"],
        Field(description="Type of preference. near and away require table_id."),
    ]
    between: Annotated[
        list[Annotated[str, Line(120)]],
        Field(min_length=1, max_length=2, description="Two guest IDs or party names. With table_id, only one."),
    ]
    table_id: Annotated[str, Line(40, least=0), Field(description="Table ID, for near and away.")]
    weight: Annotated[
        Literal["nice", "wanted", "must"],
        Field(description="Importance. must is always respected. Defaults to wanted."),
    ]


NewTables = Annotated[list[NewTable], Field(max_length=MAX_ITEMS, description="Tables, as in svc_seat_save_tables.")]
Tables = Annotated[
    list[Annotated[SavedTable, require_when_new()]],
    Field(max_length=MAX_ITEMS, description="Tables and objects to create or update."),
]
NewGuests = Annotated[
    list[Annotated[NewGuest, _accept_text_as("name")]],
    Field(min_length=1, max_length=MAX_ITEMS, description="Guests: names, or {name, party, meal, notes}."),
]
Guests = Annotated[
    list[Annotated[SavedGuest, require_when_new("name")]],
    Field(max_length=MAX_ITEMS, description="Guests to add, update, seat or check in."),
]
Preferences = Annotated[
    list[Annotated[SavedPreference, require_when_new("kind", "between")]],
    Field(max_length=MAX_ITEMS, description="Seating preferences to add or update."),
]
Version = Annotated[
    int,
    Field(
        ge=0,
        le=2**31 - 1,
        description="Version of the chart that you last read. The call fails if the chart has changed since then.",
    ),
]
