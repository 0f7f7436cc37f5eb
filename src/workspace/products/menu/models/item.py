"""A dish or drink of a menu."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from django.db import models

from workspace.accounts.models import Upload
from workspace.products.menu.food import suitable, warnings
from workspace.products.menu.models.section import Section
from workspace.toolkit import clock
from workspace.toolkit.ids import new_id


class Choice(TypedDict):
    """A variant or an add-on as stored."""

    name: str
    minor: int  # units of the menu's currency: cents, fils, yen


def _item_id() -> str:
    return new_id("item")


class Item(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_item_id, editable=False)
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="items")
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    price_minor = models.PositiveIntegerField(null=True, blank=True)
    price_note = models.CharField(max_length=60, blank=True)  # shown instead of the price
    tags: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    # contains or may_contain by allergen; one that is not there is not declared
    allergens: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    variants: models.JSONField[list[Choice], list[Choice]] = models.JSONField(default=list, blank=True)
    add_ons: models.JSONField[list[Choice], list[Choice]] = models.JSONField(default=list, blank=True)
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    marked_sold_out = models.BooleanField(default=False)
    sold_out_until = models.DateTimeField(null=True, blank=True)  # None: until somebody says otherwise
    hidden = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["section", "position"], name="menu_items_in_order")]

    def __str__(self) -> str:
        return self.name

    def is_sold_out(self, now: datetime) -> bool:
        return self.marked_sold_out and (self.sold_out_until is None or now < self.sold_out_until)

    @property
    def suitable(self) -> list[str]:
        """The diets that guests are told."""
        return suitable(self.tags, self.allergens)

    @property
    def warnings(self) -> list[str]:
        return warnings(self.name, self.tags, self.allergens)

    def change(self, **fields: object) -> None:
        """Set the named fields, for guests to see at their next load."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.updated_at = clock.now()
        self.save(update_fields=[*fields, "updated_at"])
        self.section.menu.bump()

    def sell_out(self, sold_out: bool, until: datetime | None = None) -> None:
        self.change(marked_sold_out=sold_out, sold_out_until=until if sold_out else None)

    def wear(self, photo: Upload | None) -> None:
        """Take a photo (an upload that was claimed), or none; the earlier one is released."""
        if self.photo is not None:
            self.photo.release()
        self.change(photo=photo)

    def remove(self) -> None:
        if self.photo is not None:
            self.photo.release()
        self.delete()
        self.section.menu.bump()
