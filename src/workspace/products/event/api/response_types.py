"""Programs and what stands on them: the shapes of answers. Times are local ones of the program."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.products.event.models import Link, Track
from workspace.publishing.serializers import Addresses, PublishedRow


class EventRow(PublishedRow):
    title: str
    when: Annotated[str, Field(description="Its days, as people write them")]
    where: str
    days: list[str]
    item_count: Annotated[int, Field(description="Sessions")]
    views: int
    published: bool


class DayRow(TypedDict):
    id: str
    date: str
    label: str
    sessions: int


class RoomRow(TypedDict):
    id: str
    name: str
    sessions: int


class SpeakerShort(TypedDict):
    id: str
    name: str


class SessionRow(TypedDict):
    id: str
    public_url: str
    title: str
    day: Annotated[str, Field(description="YYYY-MM-DD")]
    start_time: str
    end_time: str
    time_label: str
    starts_at: Annotated[str | None, Field(description="With the zone's offset")]
    ends_at: str | None
    location: str
    speakers: list[SpeakerShort]
    description: str
    kind: str
    track: str
    links: list[Link]
    cancelled: bool


class SpeakerRow(SpeakerShort):
    role: str
    organization: str
    bio: str
    picture_id: str | None
    picture_url: str | None
    links: list[Link]
    sessions: list[str]


class BlockRow(TypedDict):
    id: str
    kind: str
    title: str
    text: str
    url: str
    picture_id: str | None
    picture_url: str | None
    alt: str
    tier: str
    place: str
    shows_from: str | None
    shows_until: str | None


class TierRow(TypedDict):
    tier: str
    sponsors: list[BlockRow]


class ClashRow(TypedDict):
    first_id: str
    second_id: str
    text: str


class Publishing(TypedDict):
    """What publishing takes: nothing where the plan pays or it was paid for once."""

    costs_credits: int
    unused_credits: int


class EventWhole(EventRow, Addresses):
    calendar_url: Annotated[str, Field(description="To subscribe to")]
    print_url: str
    time_zone: str
    venue: str
    address: str
    description: str
    picture_id: str | None
    colour: str
    language: str
    schedule: list[SessionRow]
    day_list: list[DayRow]
    rooms: list[RoomRow]
    tracks: list[Track]
    speakers: list[SpeakerRow]
    sponsors: Annotated[list[TierRow], Field(description="By tier")]
    ads: list[BlockRow]
    info_pages: list[BlockRow]
    clashes: list[ClashRow]
    without_room: Annotated[int, Field(description="Timed sessions without a room")]
    publishing: Publishing
