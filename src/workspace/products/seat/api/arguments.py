"""Argument types of the seating tools. Lengths are in centimeters."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.lib.name_order import Order
from workspace.lib.phone_number import clean_phone
from workspace.products.seat.models import OBJECTS, TABLE
from workspace.products.seat.rules.limits import MAX_COURSES, MAX_ITEMS, MAX_ROOM_LENGTH_CM, MAX_SEATS_PER_TABLE
from workspace.publishing.diets import DIETS
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, Publishing, clean_email
from workspace.tools.argument_types import Day, Id, Line, MomentText, require_when_new

EventId = Annotated[Id, Field(description="The chart's id, from svc_seat_charts")]
GuestId = Annotated[Id, Field(description="The guest's id, from svc_seat_guests")]
TableId = Annotated[Id, Field(description="The table's id, from svc_seat_tables; left out: the guest is unseated")]


def _check_choice(text: str, known: Any) -> str:
    if text not in known:
        raise ValueError(f"Must be one of {', '.join(known)}")
    return text


def _clean_color(text: str) -> str:
    if text and not (text := parse_color(text)):
        raise ValueError("Write the color as #rrggbb, such as #17604b")
    return text


def _remove_duplicates(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _accept_text_as(name: str) -> BeforeValidator:
    """Return a validator that reads a plain text as an entry with only this field."""
    return BeforeValidator(lambda value: {name: value} if isinstance(value, str) else value)


Length = Annotated[float, Field(ge=0, le=MAX_ROOM_LENGTH_CM)]
Position = Annotated[float, Field(ge=-MAX_ROOM_LENGTH_CM, le=MAX_ROOM_LENGTH_CM)]
Diet = Annotated[
    str, AfterValidator(lambda text: _check_choice(text, DIETS)), Field(json_schema_extra={"enum": list(DIETS)})
]
Meal = Annotated[str, Line(80, least=0)]
Shape = Literal["round", "rectangle", "square", "oval", "half_round", "head", "row"]
OverCapacity = Annotated[bool, Field(description="Whether a full table takes more; one chair each")]


@with_config(ConfigDict(extra="forbid", strict=True))
class CourseFields(TypedDict, total=False):
    name: Required[Annotated[str, Line(60)]]
    choices: Annotated[
        list[Annotated[str, Line(80)]],
        AfterValidator(_remove_duplicates),
        Field(max_length=20, description="Empty: any words"),
    ]


class ChartFields(Publishing, total=False):
    date: Annotated[Day | Literal[""], Field(description="When it is, as YYYY-MM-DD; empty for none")]
    venue: Annotated[str, Line(200, least=0), Field(description="Where it is")]
    width: Annotated[float, Field(ge=100, le=MAX_ROOM_LENGTH_CM, description="Of the room, in cm")]
    depth: Annotated[float, Field(ge=100, le=MAX_ROOM_LENGTH_CM, description="Of the room, in cm")]
    background_image_id: Annotated[
        str, Line(40, least=0), Field(description="Picture of the room, from svc_upload_file; empty for none")
    ]
    background_width: Annotated[Length, Field(description="How wide the picture is meant, in cm; 0: as the room")]
    units: Annotated[Literal["cm", "ft"], Field(description="How lengths are shown to you")]
    courses: Annotated[
        list[Annotated[CourseFields, _accept_text_as("name")]],
        Field(max_length=MAX_COURSES, description="What is served, with choices; guests' meals follow this order"),
    ]
    find_table: Annotated[bool, Field(description="Whether guests find their table at its address")]
    find_from: Annotated[MomentText, Field(description="From when they do; empty for at once")]
    show_names: Annotated[bool, Field(description="Whether they see who sits with them")]
    name_order: Annotated[
        Order,
        Field(
            description="Which part of a name is the surname, for lists and posters. By default, your country and "
            "language decide. western: Anna Berg is Berg, Anna; two_surnames: Sara Pérez Gil is Pérez Gil, Sara; "
            "portuguese: Ana dos Reis is Reis, Ana dos; family_first: Nagy Anna stays"
        ),
    ]
    seat_waiting: Annotated[bool, Field(description="Whether arrange seats who has not replied")]


class ChartChanges(ChartFields, total=False):
    title: Annotated[str, Line(120), Field(description="What it is called")]


class TableFields(TypedDict, total=False):
    kind: Annotated[
        str,
        AfterValidator(lambda text: _check_choice(text, (TABLE, *OBJECTS))),
        Field(description="table, or what is no seat", json_schema_extra={"enum": [TABLE, *OBJECTS]}),
    ]
    name: Annotated[str, Line(60, least=0), Field(description="Name or number; the next number by default")]
    shape: Shape
    capacity: Annotated[int, Field(ge=0, le=MAX_SEATS_PER_TABLE, description="Seats: 8 by default")]
    x: Annotated[Position, Field(description="Of its middle, in cm; placed freely by default")]
    y: Annotated[Position, Field(description="Of its middle, in cm from the top")]
    width: Annotated[float, Field(ge=10, le=MAX_ROOM_LENGTH_CM, description="In cm; usual for its shape by default")]
    depth: Annotated[float, Field(ge=5, le=MAX_ROOM_LENGTH_CM, description="In cm")]
    rotation: Annotated[float, Field(ge=-360, le=360, description="Degrees, clockwise")]
    end_seats: Annotated[bool, Field(description="Whether people sit at its short sides too")]
    locked: Annotated[bool, Field(description="Whether it stays where it is on the plan")]
    closed: Annotated[bool, Field(description="Whether nobody more is put there")]
    color: Annotated[str, AfterValidator(_clean_color), Field(description="As #rrggbb; empty for none")]
    note: Annotated[str, Line(300, least=0), Field(description="To the kitchen")]


_Count = Annotated[int, Field(ge=1, le=100, description="So many alike; numbered on")]


@with_config(ConfigDict(extra="forbid", strict=True))
class NewTable(TableFields, total=False):
    count: _Count


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedTable(TableFields, total=False):
    """Without an id it is made, with one it is changed: then only what is given changes."""

    id: Annotated[Id, Field(description="Of one to change, from svc_seat_tables; without it one is made")]
    count: _Count


class GuestFields(TypedDict, total=False):
    sort_name: Annotated[str, Line(120, least=0), Field(description="As lists sort it: Berg, Anna; guessed by default")]
    party: Annotated[str, Line(120, least=0), Field(description="Who belongs together has the same; empty for alone")]
    reply: Annotated[Literal["yes", "no", "waiting"], Field(description="Who says no is unseated and kept")]
    meal: Annotated[Meal, Field(description="Of the first course; in place of meals")]
    meals: Annotated[list[Meal], Field(max_length=MAX_COURSES, description="One for each course, in order")]
    diet: Annotated[list[Diet], AfterValidator(_remove_duplicates), Field(max_length=len(DIETS))]
    notes: Annotated[str, Line(500, least=0), Field(description="Such as allergies; for kitchen and door")]
    chair: Annotated[Literal["", "child", "high"], Field(description="A child's chair, a high chair")]
    wheelchair: Annotated[bool, Field(description="Needs a place on the aisle")]
    tags: Annotated[list[Annotated[str, Line(40)]], AfterValidator(_remove_duplicates), Field(max_length=20)]
    email: Annotated[str, Line(MAX_EMAIL_LENGTH, least=0), AfterValidator(clean_email)]
    phone: Annotated[str, Line(40, least=0), AfterValidator(clean_phone)]
    placeholder: Annotated[bool, Field(description="Stands for somebody without a name yet, who keeps the seat")]


@with_config(ConfigDict(extra="forbid", strict=True))
class NewGuest(GuestFields, total=False):
    name: Required[Annotated[str, Line(120)]]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedGuest(GuestFields, total=False):
    """Without an id they are added, with one they are changed: then only what is given changes."""

    id: Annotated[Id, Field(description="Of one to change, from svc_seat_guests; without it one is added")]
    name: Annotated[str, Line(120)]
    table_id: Annotated[str, Line(40, least=0), Field(description="Where they sit; empty: unseated")]
    seat: Annotated[int, Field(ge=0, le=MAX_SEATS_PER_TABLE, description="Chair number; 0 for none")]
    locked: Annotated[bool, Field(description="Whether arrange leaves them at their table")]
    arrived: Annotated[bool, Field(description="A tick at the door; false takes it back")]
    at: Annotated[MomentText, Field(description="When it was ticked, now by default; the latest holds")]
    device_id: Annotated[str, Line(80, least=0), Field(description="Which device ticked")]
    tick_id: Annotated[str, Line(80, least=0), Field(description="The device's own id of the tick; twice is once")]


@with_config(ConfigDict(extra="forbid", strict=True))
class SavedPreference(TypedDict, total=False):
    id: Annotated[Id, Field(description="Of one to change, from svc_seat_tables; without it one is made")]
    kind: Annotated[
        Literal["together", "apart", "near", "away"], Field(description="near and away are of a table: table_id")
    ]
    between: Annotated[
        list[Annotated[str, Line(120)]],
        Field(min_length=1, max_length=2, description="Guests' ids or names of parties: two, or one with a table"),
    ]
    table_id: Annotated[str, Line(40, least=0)]
    weight: Annotated[Literal["nice", "wanted", "must"], Field(description="wanted by default")]


NewTables = Annotated[list[NewTable], Field(max_length=MAX_ITEMS, description="Fields as in svc_seat_save_tables")]
Tables = Annotated[
    list[Annotated[SavedTable, require_when_new()]],
    Field(max_length=MAX_ITEMS, description="Tables and objects to make or change"),
]
NewGuests = Annotated[
    list[Annotated[NewGuest, _accept_text_as("name")]],
    Field(min_length=1, max_length=MAX_ITEMS, description="Names, or objects with name, party, meal, notes and more"),
]
Guests = Annotated[
    list[Annotated[SavedGuest, require_when_new("name")]],
    Field(max_length=MAX_ITEMS, description="Guests to add, change, move or tick"),
]
Preferences = Annotated[
    list[Annotated[SavedPreference, require_when_new("kind", "between")]],
    Field(max_length=MAX_ITEMS, description="Who sits with whom or apart; to make or change"),
]
Version = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The chart's as you know it: refused where these guests changed since"),
]
