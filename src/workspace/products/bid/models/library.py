"""Lines with their prices for reuse, and whole proposals as templates."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage.journal import Journaled


def _item_id() -> str:
    return new_id("lib")


def _template_id() -> str:
    return new_id("tpl")


class LibraryItem(Journaled):
    """A line in the library. `unit_price` is a string, as in the lines of proposals, and empty if there is none."""

    journal_displayed_fields = {"search": None, "position": None}

    id = models.CharField(primary_key=True, max_length=40, default=_item_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="bid_items")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    unit = models.CharField(max_length=40, blank=True)
    unit_price = models.CharField(max_length=20, blank=True)
    taxable = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=0)
    search = models.TextField(default="")

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["account", "position", "id"], name="bid_items_in_order")]

    def __str__(self) -> str:
        return self.name


class Template(Journaled):
    """A template. `content` holds the initial columns of a proposal by name, without a client."""

    journal_displayed_fields = {"content": None, "search": None}

    id = models.CharField(primary_key=True, max_length=40, default=_template_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="bid_templates")
    name = models.CharField(max_length=200)
    content: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    search = models.TextField(default="")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("name", "id")
        indexes = [models.Index(fields=["account", "name", "id"], name="bid_templates_by_name")]

    def __str__(self) -> str:
        return self.name
