"""Event programs with their days and rooms."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db import models
from django.utils.translation import gettext_noop
from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.brand.models import Brand
from workspace.brand.style import Style
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.event import messages
from workspace.publishing.models import NOT_DELETED, Publication, PublishedItem, SoftDeleted, picture_restorers

KIND = "program"


def _event_id() -> str:
    return new_id("evt")


def _day_id() -> str:
    return new_id("day")


def _room_id() -> str:
    return new_id("room")


class Track(TypedDict):
    """A track of the program as stored. `color` is #rrggbb, and is never the only thing that identifies a track."""

    name: str
    color: str


class Event(PublishedItem):
    """An event program.

    An unpublished program has a paused publication. Guests learn nothing about its content."""

    kind = KIND
    call_to_action = gettext_noop("View the program")
    pictures = ("image",)
    journal_displayed_fields = {
        **PublishedItem.journal_displayed_fields,
        "image": ("image_id", None),
        "paid_at": None,
        "was_published": None,
    }
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}
    COPY_EXCLUDED = frozenset(["paid_at"])

    id = models.CharField(primary_key=True, max_length=40, default=_event_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="events")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="event")
    title = models.CharField(max_length=200)
    time_zone = models.CharField(max_length=64)  # the zone of all times
    venue = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=300, blank=True)
    description = models.TextField(blank=True)
    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    color = models.CharField(max_length=7, blank=True)  # #rrggbb; empty for the brand's color
    language = models.CharField(max_length=8, blank=True)  # empty for the guest's language
    tracks: models.JSONField[list[Track], list[Track]] = models.JSONField(default=list, blank=True)
    was_published = models.BooleanField(default=False, editable=False)  # whether it was ever published
    paid_at = models.DateTimeField(null=True, blank=True, editable=False)  # when its credit was spent, once per program

    class Meta(PublishedItem.Meta):
        verbose_name = "program"

    def __str__(self) -> str:
        return self.title

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def style(self) -> Style:
        """The brand's style, with the program's own color if it has one."""
        return Brand.for_account(self.account).style_with_color(self.color)

    @property
    def is_published(self) -> bool:
        return self.publication.paused_at is None

    @property
    def shows_coming_soon(self) -> bool:
        """True if guests have never seen the program and may be told that it is coming soon."""
        return not self.is_published and not self.was_published and not self.publication.password

    def pause(self) -> None:
        if self.is_published and not self.was_published:
            self.change(was_published=True)
        super().pause()

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        most = account.limits(KIND).programs
        if wanted and most is not None and cls.is_full(account, most, wanted):
            way_out = account.with_upgrade_hint(KIND, "delete one")
            raise OperationNotAllowedError(messages.PROGRAM_LIMIT(most=most, way_out=way_out))

    def release_files(self) -> None:
        for parts in (self.speakers(manager="_base_manager"), self.blocks(manager="_base_manager")):
            Upload.release_many(list(parts.exclude(image=None).values_list("image_id", flat=True)))
        super().release_files()


class Day(SoftDeleted):
    """A date of the program, in its time zone. Days need not be consecutive. They are ordered by date."""

    journal_item_path = "event"

    id = models.CharField(primary_key=True, max_length=40, default=_day_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="days")
    date = models.DateField()
    label = models.CharField(max_length=80, blank=True)  # such as Workshops, shown beside the date

    class Meta:
        ordering = ("date", "id")
        constraints = [
            models.UniqueConstraint(fields=["event", "date"], condition=NOT_DELETED, name="one_event_day_a_date")
        ]

    def __str__(self) -> str:
        return self.label or self.date.isoformat()


class Room(SoftDeleted):
    """A room for sessions, in the owner's order. `folded` is the normalized name, for lookups."""

    journal_item_path = "event"
    journal_displayed_fields = {**SoftDeleted.journal_displayed_fields, "name_key": None, "position": None}

    id = models.CharField(primary_key=True, max_length=40, default=_room_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(max_length=100)
    name_key = models.CharField(max_length=200)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("position", "id")
        constraints = [
            models.UniqueConstraint(fields=["event", "name_key"], condition=NOT_DELETED, name="one_event_room_a_name")
        ]

    def __str__(self) -> str:
        return self.name


def name_key(name: str) -> str:
    """Normalize a name for comparison, ignoring case and extra spaces."""
    return " ".join(name.split()).casefold()[:200]
