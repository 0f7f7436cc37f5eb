"""Speakers, and blocks in addition to the sessions: sponsors, ads and information pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from typing_extensions import TypedDict

from workspace.accounts.models import Upload
from workspace.lib.ids import new_id
from workspace.products.event.models.event import Event
from workspace.publishing.models import SoftDeleted
from workspace.storage import journal


class Link(TypedDict):
    """A link as stored. If `label` is empty, the host of the URL is shown."""

    label: str
    url: str


def _speaker_id() -> str:
    return new_id("spk")


def _block_id() -> str:
    return new_id("evb")


class IllustratedPart(SoftDeleted):
    """A part of a program with a picture from the account's uploads."""

    journal_item_path = "event"
    journal_displayed_fields = {**SoftDeleted.journal_displayed_fields, "image": ("image_id", None), "position": None}

    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    position = models.PositiveIntegerField(default=0)

    if TYPE_CHECKING:
        event: models.ForeignKey[Event, Event]
        image_id: str | None

    class Meta:
        abstract = True

    def attach_image(self, upload_id: str, path: str = "image_id") -> None:
        """Set a picture, or remove it if the id is empty. The previous picture is released.

        Raise InvalidInputError at the path if the upload does not exist.
        """
        if upload_id == (self.image_id or ""):
            return
        upload = Upload.claim_many(self.event.account, [(upload_id, path)])[upload_id] if upload_id else None
        if self.image_id:
            Upload.release_many([self.image_id])
        journal.update_row(self, image=upload)

    def _restore_image(self, upload_id: str | None) -> None:
        self.attach_image(upload_id or "")

    journal_field_restorers = {"image": _restore_image}

    def purge(self) -> None:
        if self.image_id:
            Upload.release_many([self.image_id])
        self.delete()


class Speaker(IllustratedPart):
    """A speaker, in the owner's order."""

    id = models.CharField(primary_key=True, max_length=40, default=_speaker_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="speakers")
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=120, blank=True)
    organization = models.CharField(max_length=120, blank=True)
    bio = models.TextField(blank=True)
    links: models.JSONField[list[Link], list[Link]] = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["event", "position", "id"], name="speakers_in_their_order")]

    def __str__(self) -> str:
        return self.name


class Block(IllustratedPart):
    """A block.

    The fields depend on `kind`:

    sponsor   `title` is its name, `tier` a free text by which sponsors are grouped, in the order in which tiers
              first occur; `picture` is its logo with `alt`, `url` its link
    ad        `picture` with `alt`, or `title` and `text`; `url`; at `place`, from `shows_from` until `shows_until`
    info      an information page: `title`, and `text` in Markdown"""

    SPONSOR, AD, INFO = "sponsor", "ad", "info"
    KINDS = (SPONSOR, AD, INFO)
    PLACES = ("top", "days", "end")  # above the program, between its days, below it

    id = models.CharField(primary_key=True, max_length=40, default=_block_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="blocks")
    kind = models.CharField(max_length=10)
    title = models.CharField(max_length=120, blank=True)
    text = models.TextField(blank=True)
    tier = models.CharField(max_length=60, blank=True)
    url = models.CharField(max_length=2048, blank=True)
    alt = models.CharField(max_length=200, blank=True)
    place = models.CharField(max_length=10, default="end")
    shows_from = models.DateTimeField(null=True, blank=True)
    shows_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["event", "position", "id"], name="event_blocks_in_their_order")]

    def __str__(self) -> str:
        return self.title or self.alt or self.kind
