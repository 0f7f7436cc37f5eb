"""A menu: what a restaurant serves, on the phone of whoever scans the code on the table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import models

from workspace.accounts.models import Account, Upload
from workspace.publishing import live_blocks, ordered
from workspace.publishing.models import Publication, State
from workspace.toolkit import clock
from workspace.toolkit.hours import Window, is_within, next_time
from workspace.toolkit.ids import new_id

KIND = "menu"
THEMES = ("linen", "olive", "terracotta", "harbour", "plum", "slate")


def _menu_id() -> str:
    return new_id("menu")


class Menu(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_menu_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="menus")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="menu")
    restaurant_name = models.CharField(max_length=120)
    currency = models.CharField(max_length=3, default="USD")
    address = models.TextField(blank=True)
    intro = models.TextField(blank=True)
    theme = models.CharField(max_length=20, default=THEMES[0])
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    hours: models.JSONField[list[Window], list[Window]] = models.JSONField(default=list, blank=True)
    # HH:MM in the account's zone; empty: what is sold out stays so until somebody says otherwise
    sold_out_resets_at = models.CharField(max_length=5, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)  # ids sort by time of making

    def __str__(self) -> str:
        return self.restaurant_name

    @property
    def public_link(self) -> str:
        return f"{settings.BASE_URL}/m/{self.publication.slug}"

    @property
    def live(self) -> bool:
        return self.publication.state is State.LIVE

    def is_served(self, now: datetime) -> bool:
        return is_within(self.hours, now, self.account.zone)

    def sold_out_until(self) -> datetime | None:
        """When a dish that sells out now is there again; None for not by itself."""
        if not self.sold_out_resets_at:
            return None
        return next_time(self.sold_out_resets_at, clock.now(), self.account.zone)

    def change(self, **fields: object) -> None:
        """Set the named fields, for guests to see at their next load."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.updated_at = clock.now()
        self.save(update_fields=[*fields, "updated_at"])
        self.bump()

    def wear(self, logo: Upload | None) -> None:
        """Take a logo (an upload that was claimed), or none; the earlier one is released."""
        if self.logo is not None:
            self.logo.release()
        self.change(logo=logo)

    def go_live(self, live: bool) -> None:
        """Show the menu to guests, or a page that says that it is away for a while."""
        if live:
            self.publication.resume()
        else:
            self.publication.pause()
        live_blocks.changed(self.account, KIND)

    def bump(self) -> None:
        """Something that guests see has changed, here or where a part of the menu is shown."""
        self.publication.bump()
        live_blocks.changed(self.account, KIND)

    def next_position(self) -> int:
        return ordered.next_place(self.sections.all())

    def arrange(self, ids: Sequence[str]) -> None:
        """Put the sections into this order; `ids` are all of them."""
        ordered.arrange(self.sections.all(), ids)
        self.bump()

    def remove(self) -> None:
        """Delete the menu. Its addresses answer 410 for ever and are given to nobody else."""
        for section in self.sections.prefetch_related("items__photo"):
            section.release_photos()
        if self.logo is not None:
            self.logo.release()
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        self.publication.retire()
        self.delete()
        live_blocks.changed(self.account, KIND)
