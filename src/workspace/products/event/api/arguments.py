"""Types of the program tools' arguments.

An empty text or list clears the previous value."""

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
from workspace.products.event.rules.types import Links, SavedSession, SessionFields, WebAddress
from workspace.publishing.arguments import ExpiresAt, GuestPassword, Slug
from workspace.tools.argument_types import Day, Id, Line, Lines, MomentText, require_when_new

EventId = Annotated[Id, Field(description="The program's id, from svc_event_list; its slug or address does as well")]
EventTitle = Annotated[str, Line(200), Field(description="What guests read at the top")]
ImageId = Annotated[
    str, StringConstraints(max_length=64), Field(description="An upload_id of svc_upload_file; empty for none")
]


@with_config(extra="forbid")
class NewSession(SessionFields, total=False):
    """As in svc_event_save_sessions."""


NewSessions = Annotated[
    list[Annotated[NewSession, require_when_new("title")]],
    Field(max_length=MAX_BATCH_SIZE, description="Entries as in svc_event_save_sessions"),
]
SavedSessions = Annotated[
    list[Annotated[SavedSession, require_when_new("title")]],
    Field(max_length=MAX_BATCH_SIZE, description="Those with an id change, others are added"),
]
Csv = Annotated[
    str,
    StringConstraints(max_length=1_000_000),
    Field(description="In place of items: day,start,end,title,location,speakers(;),description,time_label,track,kind"),
]
RemovedIds = Annotated[list[Id], Field(max_length=MAX_BATCH_SIZE, description="Ids; svc_undo brings them back")]
SessionOrder = Annotated[
    list[Id], Field(max_length=MAX_SESSIONS, description="All sessions of a day, or of several, in their order")
]
IdOrder = Annotated[list[Id], Field(max_length=MAX_BATCH_SIZE, description="All of their ids in order")]


@with_config(extra="forbid")
class SavedSpeaker(TypedDict, total=False):
    id: Annotated[Id, Field(description="Of one that there is")]
    name: Annotated[str, Line(120)]
    role: Annotated[str, Line(120, least=0)]
    organization: Annotated[str, Line(120, least=0)]
    bio: Annotated[str, Lines(4000)]
    image_id: ImageId
    links: Links


@with_config(extra="forbid")
class SavedBlock(TypedDict, total=False):
    id: Annotated[Id, Field(description="Of one that there is")]
    kind: Annotated[Literal[Block.KINDS], Field(description="A page of information is info")]  # type: ignore[valid-type]
    title: Annotated[str, Line(120, least=0), Field(description="A sponsor's name; an info page's heading")]
    text: Annotated[str, Lines(20_000), Field(description="Of info in Markdown; of an ad plain")]
    tier: Annotated[str, Line(60, least=0), Field(description="Of a sponsor: Gold, Media …")]
    url: WebAddress
    image_id: ImageId
    alt: Annotated[str, Line(200, least=0), Field(description="What the picture says")]
    place: Annotated[Literal[Block.PLACES], Field(description="Of an ad: between days is days")]  # type: ignore[valid-type]
    shows_from: Annotated[MomentText, Field(description="Of an ad; in the program's zone, empty for now")]
    shows_until: Annotated[MomentText, Field(description="Of an ad; in the program's zone, empty for ever")]


SavedSpeakers = Annotated[
    list[Annotated[SavedSpeaker, require_when_new("name")]],
    Field(max_length=MAX_BATCH_SIZE, description="Those with an id change, others are added"),
]
SavedBlocks = Annotated[
    list[Annotated[SavedBlock, require_when_new("kind")]],
    Field(max_length=MAX_BLOCKS, description="Those with an id change, others are added"),
]


@with_config(extra="forbid", strict=True)
class DayFields(TypedDict, total=False):
    id: Annotated[Id, Field(description="Of one that moves to another date")]
    date: Day
    label: Annotated[str, Line(80, least=0)]


@with_config(extra="forbid", strict=True)
class RoomFields(TypedDict, total=False):
    id: Annotated[Id, Field(description="Of one that is called otherwise")]
    name: Annotated[str, Line(100)]


@with_config(extra="forbid", strict=True)
class TrackFields(TypedDict, total=False):
    name: Annotated[str, Line(60)]
    color: Annotated[str, AfterValidator(lambda text: text and parse_color(text)), Field(description="#rrggbb")]


def _text_as_entry(text: str) -> BeforeValidator:
    """Return a validator that accepts a text as an entry with only the field `text`."""

    def check(value: Any) -> Any:
        return {text: value} if isinstance(value, str) else value

    return BeforeValidator(check)


Days = Annotated[
    list[Annotated[DayFields, require_when_new("date"), _text_as_entry("date")]],
    Field(max_length=MAX_DAYS, description="All days: {date, label}; one left out goes if it has no sessions"),
]
Rooms = Annotated[
    list[Annotated[RoomFields, require_when_new("name"), _text_as_entry("name")]],
    Field(max_length=MAX_ROOMS, description="All rooms in order: {name}; sessions of one left out have none then"),
]
Tracks = Annotated[
    list[Annotated[TrackFields, require_when_new("name"), _text_as_entry("name")]],
    Field(max_length=MAX_TRACKS, description="All tracks in order: {name, color}"),
]


class EventFields(TypedDict, total=False):
    slug: Slug
    password: GuestPassword
    expires_at: ExpiresAt
    time_zone: TimeZone
    venue: Annotated[str, Line(200, least=0)]
    address: Annotated[str, Line(300, least=0), Field(description="Where the venue is")]
    description: Annotated[str, Lines(4000), Field(description="Below the title")]
    image_id: ImageId
    color: Annotated[
        str,
        AfterValidator(lambda text: text and parse_color(text)),
        Field(description="#rrggbb; empty for the brand's"),
    ]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Of its page; empty for the guest's own"),
    ]
    days: Days
    rooms: Rooms
    tracks: Tracks


class EventChanges(EventFields, total=False):
    title: EventTitle
