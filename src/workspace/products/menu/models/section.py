"""A section of a menu: starters, mains, the lunch that is served until half past two."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import models

from workspace.products.menu.models.menu import Menu
from workspace.publishing import ordered
from workspace.toolkit import clock
from workspace.toolkit.hours import Window, is_within
from workspace.toolkit.ids import new_id


def _section_id() -> str:
    return new_id("sec")


class Section(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_section_id, editable=False)
    menu = models.ForeignKey(Menu, on_delete=models.CASCADE, related_name="sections")
    name = models.CharField(max_length=80)
    description = models.TextField(blank=True)
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)
    hidden = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["menu", "position"], name="menu_sections_in_order")]

    def __str__(self) -> str:
        return self.name

    def is_served(self, now: datetime) -> bool:
        return is_within(self.hours, now, self.menu.account.zone)

    def change(self, **fields: object) -> None:
        for name, value in fields.items():
            setattr(self, name, value)
        self.save(update_fields=list(fields))
        self.menu.bump()

    def next_position(self) -> int:
        return ordered.next_place(self.items.all())

    def arrange(self, ids: Sequence[str]) -> None:
        """Put the dishes into this order; `ids` are all of them."""
        ordered.arrange(self.items.all(), ids)
        self.menu.bump()

    def remove(self) -> None:
        """Delete the section with its dishes."""
        self.release_photos()
        self.delete()
        self.menu.bump()

    def release_photos(self) -> None:
        for item in self.items.all():
            if item.photo is not None:
                item.photo.release()
