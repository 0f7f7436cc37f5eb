"""Guests: where they sit, and when they arrived."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import models
from typing_extensions import override

from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.models.chart import Chart
from workspace.products.seat.models.table import Table
from workspace.storage import journal
from workspace.storage.journal import Journaled


def _guest_id() -> str:
    return new_id("gst")


class Reply(models.TextChoices):
    YES = "yes"
    NO = "no"
    WAITING = "waiting"


class Guest(Journaled):
    """A guest, at one table or none.

    `meals` are in the order of the chart's courses. `seat` is a chair number from 1, at a table that numbers its
    chairs. A `placeholder` is a guest without a name yet.
    """

    journal_item_path = "chart"
    journal_displayed_fields = {"table": ("table_id", None), "checked_in_at": ("arrived", bool)}

    id = models.CharField(primary_key=True, max_length=40, default=_guest_id, editable=False)
    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="guests")
    # a table unseats its guests before it is deleted; RESTRICT would prevent deleting a whole chart
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, blank=True, related_name="guests")
    name = models.CharField(max_length=120)
    sort_name = models.CharField(max_length=120, blank=True)
    party = models.CharField(max_length=120, blank=True)
    meals: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    diet: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    notes = models.CharField(max_length=500, blank=True)
    reply = models.CharField(max_length=7, default=Reply.WAITING)
    chair = models.CharField(max_length=5, blank=True)  # "child" or "high"
    wheelchair = models.BooleanField(default=False)
    tags: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    locked = models.BooleanField(default=False)
    placeholder = models.BooleanField(default=False)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    sort_key = models.CharField(max_length=240, blank=True)  # the folded sort name, by which lists are ordered
    # folded name, sort name and party, for searching by the beginnings of words
    search = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ("id",)
        indexes = [
            models.Index(fields=["chart", "party"], name="seat_guests_of_a_party"),
            models.Index(fields=["chart", "sort_key", "id"], name="seat_guests_in_order"),
        ]

    def __str__(self) -> str:
        return self.name

    def update_index(self) -> None:
        self.sort_key = search_key(self.sort_name or self.name)[:240]
        self.search = f" {' '.join(map(search_key, (self.name, self.sort_name, self.party)))}"[:400]

    @classmethod
    def update_index_many(cls, guests: Sequence[Guest]) -> None:
        """Update the derived columns after names have changed. The journal does not record them."""
        for guest in guests:
            guest.update_index()
        cls._base_manager.bulk_update(guests, ["sort_key", "search"], batch_size=200)

    @override
    @classmethod
    def mark_many_changed(cls, rows: Sequence[Guest]) -> None:
        cls.update_index_many(rows)

    @property
    def party_key(self) -> str:
        """The key shared by all guests of a party, regardless of case, or "" for a guest without a party."""
        return search_key(self.party)

    @staticmethod
    def _restore_tables(pairs: Sequence[tuple[Guest, str | None]]) -> None:
        """Restore tables as moves, but never onto a seat that was taken since."""
        requested = {guest.pk: id for guest, id in pairs}
        tables = {table.pk: table for table in Table.objects.filter(pk__in=[id for id in requested.values() if id])}
        coming: dict[str, int] = {}
        for guest, id in pairs:
            if id is not None and guest.table_id != id:
                coming[id] = coming.get(id, 0) + 1
        leaving: dict[str, int] = {}
        for guest, id in pairs:
            if guest.table_id is not None and guest.table_id != id:
                leaving[guest.table_id] = leaving.get(guest.table_id, 0) + 1
        counts = dict(
            Table.objects.filter(pk__in=coming).annotate(n=models.Count("guests")).order_by().values_list("pk", "n")
        )
        for id, more in coming.items():
            if id not in tables:
                raise OperationNotAllowedError(messages.TABLE_REMOVED)
            now = counts.get(id, 0)
            after = now + more - leaving.get(id, 0)
            if after > tables[id].capacity and after > now:
                raise OperationNotAllowedError(
                    messages.TABLE_FULL_NOW(table=tables[id].label, count=after - tables[id].capacity)
                )
        journal.update_rows((guest, {"table": tables[id] if id else None}) for guest, id in pairs)

    journal_bulk_restorers = {"table": _restore_tables}


class CheckIn(Journaled):
    """A check-in event from a device, possibly sent long after it happened. A guest's latest event is valid."""

    journal_item_path = "guest__chart"
    journal_displayed_fields = {"is_checked_in": ("arrived", None), "occurred_at": ("at", None)}

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="check_ins")
    key = models.CharField(max_length=80)  # an idempotency key from the device
    is_checked_in = models.BooleanField()
    occurred_at = models.DateTimeField()
    device = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["guest", "key"], name="one_check_in_a_key")]

    def __str__(self) -> str:
        return f"{self.is_checked_in} at {self.occurred_at.isoformat()}"

    @staticmethod
    def latest_arrival(events: Sequence[CheckIn]) -> datetime | None:
        """Return the arrival time according to the latest event, or None if the guest is not there.

        If two events have the same time, the key decides, so that the result does not depend on the order of events.
        """
        last = max(events, key=lambda check_in: (check_in.occurred_at, check_in.key), default=None)
        return last.occurred_at if last is not None and last.is_checked_in else None
