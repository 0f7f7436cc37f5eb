"""Types of the fields of a session in arguments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.web_address import clean_web_address
from workspace.products.event.rules.limits import MAX_SESSION_SPEAKERS
from workspace.products.event.rules.session_slot import SESSION_KINDS
from workspace.tools.argument_types import Id, Label, Line, Lines, require_when_new
from workspace.tools.time_windows import check_clock_time

SessionTitle = Annotated[str, Line(200), Label("Title"), Field(description="Title shown to guests.")]
ClockText = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and check_clock_time(text)),
]
StartTime = Annotated[
    ClockText,
    Label("Start"),
    Field(description="Start time, HH:MM (24-hour), in the program's time zone.", examples=["09:30"]),
]
EndTime = Annotated[
    ClockText, Label("End"), Field(description="End time, HH:MM. A time before the start is on the next day.")
]
TimeLabel = Annotated[
    str,
    Line(60, least=0),
    Label("Text instead of times"),
    Field(description="Text shown instead of the start and end times."),
]
DayText = Annotated[
    str, Line(80), Label("Day"), Field(description="Date, label or ID of the day. Defaults to the first day.")
]
Location = Annotated[
    str,
    Line(100, least=0),
    Label("Room"),
    Field(description="Name of the room or stage. Created if it does not exist."),
]
Description = Annotated[str, Lines(4000), Label("Description")]
SpeakerIds = Annotated[
    list[Id], Field(max_length=MAX_SESSION_SPEAKERS, description="All speaker IDs, in order, from svc_event_get.")
]
WebAddress = Annotated[
    str,
    Field(max_length=2048, description="Web address. An empty string removes it."),
    AfterValidator(lambda text: text and clean_web_address(text)),
]


@with_config(extra="forbid", strict=True)
class LinkFields(TypedDict, total=False):
    label: Annotated[str, Line(80, least=0), Label("Link text"), Field(description="Text of the link.")]
    url: Annotated[
        str,
        Field(min_length=1, max_length=2048, description="Web address."),
        AfterValidator(clean_web_address),
        Label("Link"),
    ]


Links = Annotated[
    list[Annotated[LinkFields, require_when_new("url")]],
    AfterValidator(lambda links: [{"label": link.get("label", ""), "url": link["url"]} for link in links]),
    Label("Links"),
    Field(max_length=10, description="All links: {label, url}."),
]


class SessionFields(TypedDict, total=False):
    title: SessionTitle
    day: DayText
    start_time: StartTime
    end_time: EndTime
    time_label: TimeLabel
    location: Location
    speaker_ids: SpeakerIds
    speakers: Annotated[
        list[Annotated[str, Line(120)]],
        Label("Speakers"),
        Field(
            max_length=MAX_SESSION_SPEAKERS,
            description="Speaker names, instead of speaker_ids. New names create speakers.",
        ),
    ]
    description: Annotated[Description, Field(description="Description of the session.")]
    kind: Annotated[
        Literal[SESSION_KINDS],  # type: ignore[valid-type]
        Label("Type"),
        Field(description="Type of session. A break never conflicts with others. Defaults to talk."),
    ]
    track: Annotated[
        str, Line(60, least=0), Label("Track"), Field(description="Name of the track. Created if it does not exist.")
    ]
    links: Links
    cancelled: Annotated[
        bool,
        Label("Canceled"),
        Field(description="Whether the session is cancelled. Guests see it crossed out."),
    ]


@with_config(extra="forbid")
class SavedSession(SessionFields, total=False):
    id: Annotated[Id, Field(description="ID of an existing session. Omit it to add a new one.")]
    before_id: Annotated[Id, Field(description="ID of the session to place it before. Placed by time by default.")]
