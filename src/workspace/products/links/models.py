"""A link page: a person or a business in one column of buttons. What stands in the column are its elements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F

from workspace.accounts.models import Account, Upload
from workspace.publishing.models import Publication
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError
from workspace.toolkit.ids import new_id

KIND = "link"
VIEW, CLICK = "view", "click"
MOST_BUTTONS = 100  # of a page, on every plan
MOST_OTHERS = 50  # headings, texts and live blocks of a page


def _page_id() -> str:
    return new_id("page")


def _element_id() -> str:
    return new_id("lnk")


class Page(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_page_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="link_pages")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="link_page")
    title = models.CharField(max_length=80)
    bio = models.CharField(max_length=300, blank=True)
    theme = models.CharField(max_length=20)
    avatar = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    social_profiles: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, blank=True
    )
    # what messengers and social networks show of the page; empty: its title, its bio, its avatar
    share_title = models.CharField(max_length=90, blank=True)
    share_description = models.CharField(max_length=200, blank=True)
    share_picture = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)  # ids sort by time of making

    def __str__(self) -> str:
        return self.title

    @property
    def public_url(self) -> str:
        return f"{settings.BASE_URL}/l/{self.publication.slug}"

    def edit(self, **fields: Any) -> None:
        """Set plain fields; guests see it on the next load."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.updated_at = clock.now()
        self.save(update_fields=[*fields, "updated_at"])
        self.publication.bump()

    def show_picture(self, field: str, upload: Upload | None) -> None:
        """Take a claimed upload as `avatar` or `share_picture`, or none; the earlier one is released."""
        earlier: Upload | None = getattr(self, field)
        if earlier is not None:
            earlier.release()
        self.edit(**{field: upload})

    def append(self, elements: Sequence[Element]) -> None:
        """Put new elements at the end, in their order. Raises ToolError when the page has no room for them."""
        buttons = self.elements.filter(kind=Kind.LINK).count() + sum(one.kind == Kind.LINK for one in elements)
        others = self.elements.exclude(kind=Kind.LINK).count() + sum(one.kind != Kind.LINK for one in elements)
        if buttons > MOST_BUTTONS:
            raise ToolError(f"A page holds up to {MOST_BUTTONS} buttons: remove one first, or make another page")
        if others > MOST_OTHERS:
            raise ToolError(f"A page holds up to {MOST_OTHERS} headings, texts and live blocks: remove one first")
        last = self.elements.aggregate(last=models.Max("position"))["last"]
        start = 0 if last is None else last + 1
        for offset, element in enumerate(elements):
            element.page, element.position = self, start + offset
        Element.objects.bulk_create(elements)
        self.edit()

    def arrange(self, ids: Sequence[str]) -> None:
        """Order the elements as the ids say; those not named follow in the order that they had."""
        elements = {element.pk: element for element in self.elements.all()}
        named = [elements.pop(id) for id in ids]
        ordered = [*named, *elements.values()]
        for position, element in enumerate(ordered):
            element.position = position
        Element.objects.bulk_update(ordered, ["position"])
        self.edit()

    def remove(self) -> None:
        """Delete the page. Its addresses answer 410 for ever and are given to nobody else."""
        for upload in (self.avatar, self.share_picture):
            if upload is not None:
                upload.release()
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        self.publication.retire()
        self.delete()


class Kind(StrEnum):
    """What an element is: a button, a heading, a text, or a live block of another tool."""

    LINK = "link"
    HEADING = "heading"
    TEXT = "text"
    LIVE = "live"


class Element(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_element_id, editable=False)
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="elements")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    title = models.CharField(max_length=120, blank=True)  # of a button or heading; an untitled button shows its address
    url = models.CharField(max_length=2048, blank=True)
    icon = models.CharField(max_length=16, blank=True)
    text = models.CharField(max_length=1000, blank=True)
    live = models.CharField(max_length=20, blank=True)  # the kind of live block
    is_on = models.BooleanField(default=True)
    shows_from = models.DateTimeField(null=True, blank=True)
    shows_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("position", "id")

    def __str__(self) -> str:
        return self.title or self.url or self.text or self.live

    def shows(self, now: datetime) -> bool:
        """Whether guests see it at the moment: `shows_until` is the first moment at which they do not."""
        begun = self.shows_from is None or self.shows_from <= now
        ended = self.shows_until is not None and self.shows_until <= now
        return self.is_on and begun and not ended

    def next_edge(self, now: datetime) -> datetime | None:
        """When its schedule next changes what guests see."""
        edges = [edge for edge in (self.shows_from, self.shows_until) if edge is not None and edge > now]
        return min(edges) if edges and self.is_on else None

    def edit(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)
        self.save(update_fields=list(fields))
        self.page.edit()

    def remove(self) -> None:
        self.delete()
        self.page.edit()


def live_changed(account: Account, kind: str) -> None:
    """What a live block shows has changed: pages that hold one of this kind are drawn anew."""
    shown = Element.objects.filter(page__account=account, kind=Kind.LIVE, live=kind)
    Publication.objects.filter(pk__in=shown.values("page__publication")).update(version=F("version") + 1)
