"""Types of answers about programs and their parts. Times are local times of the program."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.products.event.models import Link, Track
from workspace.publishing.serializers import ItemSummary, ItemUrls


class EventSummary(ItemSummary):
    title: str
    when: Annotated[str, Field(description="Dates of the program, as text.")]
    where: str
    days: list[str]
    item_count: Annotated[int, Field(description="Sessions")]
    views: int
    published: bool


class DayData(TypedDict):
    id: str
    date: str
    label: str
    sessions: int


class RoomData(TypedDict):
    id: str
    name: str
    sessions: int


class SpeakerName(TypedDict):
    id: str
    name: str


class SessionData(TypedDict):
    id: str
    public_url: str
    title: str
    day: Annotated[str, Field(description="Date, YYYY-MM-DD.")]
    start_time: str
    end_time: str
    time_label: str
    starts_at: Annotated[str | None, Field(description="Start time with the offset of the time zone.")]
    ends_at: str | None
    location: str
    speakers: list[SpeakerName]
    description: str
    kind: str
    track: str
    links: list[Link]
    cancelled: bool


class SpeakerData(SpeakerName):
    role: str
    organization: str
    bio: str
    image_id: str | None
    image_url: str | None
    links: list[Link]
    sessions: list[str]


class BlockData(TypedDict):
    id: str
    kind: str
    title: str
    text: str
    url: str
    image_id: str | None
    image_url: str | None
    alt: str
    tier: str
    place: str
    shows_from: str | None
    shows_until: str | None


class TierData(TypedDict):
    tier: str
    sponsors: list[BlockData]


class ConflictData(TypedDict):
    first_id: str
    second_id: str
    text: str


class Publishing(TypedDict):
    """The cost of publishing. It is free if the plan includes it or the program was already paid for."""

    costs_credits: int
    unused_credits: int


class EventDetail(EventSummary, ItemUrls):
    calendar_url: Annotated[str, Field(description="Calendar URL to subscribe to.")]
    print_url: str
    time_zone: str
    venue: str
    address: str
    description: str
    image_id: str | None
    color: str
    language: str
    schedule: list[SessionData]
    day_list: list[DayData]
    rooms: list[RoomData]
    tracks: list[Track]
    speakers: list[SpeakerData]
    sponsors: Annotated[list[TierData], Field(description="Sponsors by tier.")]
    ads: list[BlockData]
    info_pages: list[BlockData]
    clashes: list[ConflictData]
    without_room: Annotated[int, Field(description="Number of sessions with a time but no room.")]
    publishing: Publishing
