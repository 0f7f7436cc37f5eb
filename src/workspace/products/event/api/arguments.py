"""Types of the program tools' arguments.

An empty string or list clears the previous value.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.accounts.account_tools import TimeZone
from workspace.brand.style import parse_color
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.products.event.models import Block
from workspace.products.event.rules.limits import (
    MAX_BATCH_SIZE,
    MAX_BLOCKS,
    MAX_DAYS,
    MAX_ROOMS,
    MAX_SESSIONS,
    MAX_TRACKS,
)
from workspace.products.event.rules.session_fields import Links, SavedSession, SessionFields, WebAddress
from workspace.publishing.shared_item_arguments import ExpiresAt, GuestPassword, Slug
from workspace.tools.argument_types import Day, Id, Label, Line, Lines, MomentText, require_when_new

EventId = Annotated[Id, Field(description="Program ID, from svc_event_list. The slug or URL also works.")]
EventTitle = Annotated[str, Line(200), Field(description="Title shown at the top of the page.")]
ImageId = Annotated[
    str,
    StringConstraints(max_length=64),
    Field(description="upload_id of an image, from svc_upload_file. An empty string removes it."),
]


@with_config(extra="forbid")
class NewSession(SessionFields, total=False):
    """A new session, with the fields of svc_event_save_sessions."""


NewSessions = Annotated[
    list[Annotated[NewSession, require_when_new("title")]],
    Field(max_length=MAX_BATCH_SIZE, description="Sessions, as in svc_event_save_sessions."),
]
SavedSessions = Annotated[
    list[Annotated[SavedSession, require_when_new("title")]],
    Field(max_length=MAX_BATCH_SIZE, description="Entries to add (without id) or update (with id)."),
]
Csv = Annotated[
    str,
    StringConstraints(max_length=1_000_000),
    Field(
        description=(
            "CSV, instead of items. Columns: day,start,end,title,location,speakers(;),description,time_label,track,kind"
        )
    ),
]
RemovedIds = Annotated[list[Id], Field(max_length=MAX_BATCH_SIZE, description="IDs to delete. svc_undo restores them.")]
SessionOrder = Annotated[
    list[Id], Field(max_length=MAX_SESSIONS, description="All session IDs of one or more days, in their new order.")
]
IdOrder = Annotated[list[Id], Field(max_length=MAX_BATCH_SIZE, description="All IDs, in their new order.")]


@with_config(extra="forbid")
class SavedSpeaker(TypedDict, total=False):
    id: Annotated[Id, Field(description="ID of an existing speaker. Omit it to add a new one.")]
    name: Annotated[str, Line(120), Label("Name"), Field(description="Full name.")]
    role: Annotated[str, Line(120, least=0), Label("Job title"), Field(description="Job title or role.")]
    organization: Annotated[
        str, Line(120, least=0), Label("Organization"), Field(description="Company or organization.")
    ]
    bio: Annotated[str, Lines(4000), Label("Bio"), Field(description="Biography.")]
    image_id: Annotated[ImageId, Label("Photo")]
    links: Links


@with_config(extra="forbid")
class SavedBlock(TypedDict, total=False):
    id: Annotated[Id, Field(description="ID of an existing block. Omit it to add a new one.")]
    kind: Annotated[Literal[Block.KINDS], Field(description="Type of block. info is an info page.")]  # type: ignore[valid-type]
    title: Annotated[str, Line(120, least=0), Field(description="Sponsor name or info page heading.")]
    text: Annotated[str, Lines(20_000), Field(description="Text: Markdown for info, plain text for ads.")]
    tier: Annotated[str, Line(60, least=0), Field(description="Sponsor tier, such as Gold or Media.")]
    url: WebAddress
    image_id: ImageId
    alt: Annotated[str, Line(200, least=0), Field(description="Image description (alt text).")]
    place: Annotated[Literal[Block.PLACES], Field(description="Position of the ad. days places it between days.")]  # type: ignore[valid-type]
    shows_from: Annotated[
        MomentText, Field(description="When the ad starts, in the program's time zone. An empty string means now.")
    ]
    shows_until: Annotated[
        MomentText, Field(description="When the ad ends, in the program's time zone. An empty string means never.")
    ]


SavedSpeakers = Annotated[
    list[Annotated[SavedSpeaker, require_when_new("name")]],
    Field(max_length=MAX_BATCH_SIZE, description="Entries to add (without id) or update (with id)."),
]
SavedBlocks = Annotated[
    list[Annotated[SavedBlock, require_when_new("kind")]],
    Field(max_length=MAX_BLOCKS, description="Entries to add (without id) or update (with id)."),
]


@with_config(extra="forbid", strict=True)
class DayFields(TypedDict, total=False):
    id: Annotated[Id, Field(description="ID of a day to move to another date.")]
    date: Annotated[Day, Field(description="Date, YYYY-MM-DD.")]
    label: Annotated[str, Line(80, least=0), Field(description="Label of the day, such as Workshop day.")]


@with_config(extra="forbid", strict=True)
class RoomFields(TypedDict, total=False):
    id: Annotated[Id, Field(description="ID of a room to rename.")]
    name: Annotated[str, Line(100), Field(description="Room name.")]


@with_config(extra="forbid", strict=True)
class TrackFields(TypedDict, total=False):
    name: Annotated[str, Line(60), Field(description="Track name.")]
    color: Annotated[
        str, AfterValidator(lambda text: text and parse_color(text)), Field(description="Color, as #rrggbb.")
    ]


def _text_as_entry(text: str) -> BeforeValidator:
    """Return a validator that accepts a string as an entry with only the field `text`."""

    def check(value: Any) -> Any:
        return {text: value} if isinstance(value, str) else value

    return BeforeValidator(check)


Days = Annotated[
    list[Annotated[DayFields, require_when_new("date"), _text_as_entry("date")]],
    Field(max_length=MAX_DAYS, description="All days: {date, label}. An omitted day is removed if it has no sessions."),
]
Rooms = Annotated[
    list[Annotated[RoomFields, require_when_new("name"), _text_as_entry("name")]],
    Field(max_length=MAX_ROOMS, description="All rooms, in order: {name}. Sessions of an omitted room have no room."),
]
Tracks = Annotated[
    list[Annotated[TrackFields, require_when_new("name"), _text_as_entry("name")]],
    Field(max_length=MAX_TRACKS, description="All tracks, in order: {name, color}."),
]


class EventFields(TypedDict, total=False):
    slug: Slug
    password: GuestPassword
    expires_at: ExpiresAt
    time_zone: TimeZone
    venue: Annotated[str, Line(200, least=0), Field(description="Name of the venue.")]
    address: Annotated[str, Line(300, least=0), Field(description="Address of the venue.")]
    description: Annotated[str, Lines(4000), Field(description="Description below the title.")]
    image_id: ImageId
    color: Annotated[
        str,
        AfterValidator(lambda text: text and parse_color(text)),
        Field(description="Color, as #rrggbb. An empty string restores the brand color."),
    ]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Page language. An empty string uses the visitor's language."),
    ]
    days: Days
    rooms: Rooms
    tracks: Tracks


class EventChanges(EventFields, total=False):
    title: EventTitle
