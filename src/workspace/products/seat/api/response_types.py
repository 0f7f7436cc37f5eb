"""Types of answers about charts, tables, guests and preferences."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from workspace.products.seat.models import Course
from workspace.publishing.serializers import ItemSummary
from workspace.tools.answer import Page


class ChartSummary(ItemSummary):
    title: str
    date: str
    venue: str
    table_count: int
    seats: int
    guest_count: int
    seated: Annotated[int, Field(description="Number of guests with a table.")]
    arrived: int
    guest_limit: Annotated[int | None, Field(description="Your plan's limit of guests per chart. null means no limit.")]
    find_table: Annotated[bool, Field(description="Whether guests can look up their table online.")]
    find_table_url: Annotated[str, Field(description="Link of the find-my-table page, even while find_table is off.")]
    version: Annotated[int, Field(description="Version number. It increases with each change.")]


class ChartDetail(ChartSummary):
    width: float
    depth: float
    units: str
    background_image_id: str
    background_image_url: str
    background_width: float
    courses: list[Course]
    find_from: str | None
    show_names: bool
    name_order: str
    seat_waiting: bool


class TableGuest(TypedDict):
    """A guest of a table."""

    id: str
    name: str
    party: str
    meal: str
    seat: NotRequired[int]
    arrived: NotRequired[bool]
    locked: NotRequired[bool]


class TableData(TypedDict):
    id: str
    name: str
    shape: str
    capacity: int
    guest_count: int
    guests: list[TableGuest]
    x: float
    y: float
    width: float
    depth: float
    rotation: float
    end_seats: bool
    locked: bool
    closed: bool
    color: str
    note: str


class ObjectData(TypedDict):
    id: str
    kind: str
    name: str
    x: float
    y: float
    width: float
    depth: float
    rotation: float
    locked: bool
    color: str


class PreferenceData(TypedDict):
    """A preference. `between` has ids of guests and names of parties, and `names` their names."""

    id: str
    kind: str
    between: list[str]
    names: list[str]
    table_id: str
    table: str
    weight: str


class GuestData(TypedDict):
    id: str
    name: str
    sort_name: str
    party: str
    meal: str
    meals: list[str]
    diet: list[str]
    notes: str
    reply: str
    chair: str
    wheelchair: bool
    tags: list[str]
    email: str
    phone: str
    table_id: str
    table: str
    seat: int | None
    locked: bool
    placeholder: bool
    arrived: bool
    arrived_at: str | None


class GuestCountsData(TypedDict):
    """The sums of the guest list."""

    invited: int
    coming: int
    waiting: int
    declined: int
    unseated: int
    with_needs: Annotated[int, Field(description="Number of guests with a diet or notes.")]
    diets: Annotated[dict[str, int], Field(description="Number of guests who have not declined, by diet.")]


class ChartContents(Page):
    """The content of a chart.

    `items` are tables, `objects` are other objects of the room, and `obstacles` are reasons why guests cannot be
    seated.
    """

    items: list[TableData]
    chart: ChartDetail
    objects: list[ObjectData]
    preferences: list[PreferenceData]
    guest_counts: GuestCountsData
    unseated: Annotated[int, Field(description="Number of attending guests without a table.")]
    warnings: Annotated[list[str], Field(description="Warnings: tables too close, too full, or preferences not met.")]
    obstacles: Annotated[list[str], Field(description="Rules that svc_seat_arrange cannot satisfy, and why.")]
