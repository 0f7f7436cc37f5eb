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

SessionTitle = Annotated[str, Line(200), Label("Title"), Field(description="What guests read")]
ClockText = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(lambda text: text and check_clock_time(text)),
]
StartTime = Annotated[
    ClockText, Label("Start"), Field(description="HH:MM, 24 hours; in the program's zone", examples=["09:30"])
]
EndTime = Annotated[ClockText, Label("End"), Field(description="HH:MM; before the start it is on the next date")]
TimeLabel = Annotated[
    str,
    Line(60, least=0),
    Label("In place of the times"),
    Field(description="Free text that guests read in place of the times"),
]
DayText = Annotated[
    str, Line(80), Label("Day"), Field(description="A date of the program, its label or id; the first if left out")
]
Location = Annotated[
    str, Line(100, least=0), Label("Room"), Field(description="The room or stage; made where there is none")
]
Description = Annotated[str, Lines(4000), Label("About it")]
SpeakerIds = Annotated[
    list[Id], Field(max_length=MAX_SESSION_SPEAKERS, description="All of its speakers in order; from svc_event_get")
]
WebAddress = Annotated[
    str,
    Field(max_length=2048, description="Web address; empty for none"),
    AfterValidator(lambda text: text and clean_web_address(text)),
]


@with_config(extra="forbid", strict=True)
class LinkFields(TypedDict, total=False):
    label: Annotated[str, Line(80, least=0), Label("Label")]
    url: Annotated[str, Field(min_length=1, max_length=2048), AfterValidator(clean_web_address), Label("Address")]


Links = Annotated[
    list[Annotated[LinkFields, require_when_new("url")]],
    AfterValidator(lambda links: [{"label": link.get("label", ""), "url": link["url"]} for link in links]),
    Label("Links"),
    Field(max_length=10, description="All of them: {label, url}"),
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
            max_length=MAX_SESSION_SPEAKERS, description="In place of speaker_ids: by name; made where there is none"
        ),
    ]
    description: Description
    kind: Annotated[
        Literal[SESSION_KINDS],  # type: ignore[valid-type]
        Label("Kind"),
        Field(description="talk if left out; a break clashes with nothing"),
    ]
    track: Annotated[str, Line(60, least=0), Label("Track"), Field(description="Made where there is none")]
    links: Links
    cancelled: Annotated[
        bool, Label("Cancelled: guests see it struck through"), Field(description="Guests see it struck through")
    ]


@with_config(extra="forbid")
class SavedSession(SessionFields, total=False):
    id: Annotated[Id, Field(description="Of one that there is")]
    before_id: Annotated[Id, Field(description="The session that it goes before; else its time says where")]
