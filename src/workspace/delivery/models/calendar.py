"""Calendars that an owner has connected, their busy times, and the events that we wrote to them."""

from __future__ import annotations

from typing import TypedDict

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.journal import Journaled

ADDRESS, PASSWORD = "calendar.address", "calendar.password"
MAX_URL_LENGTH = 2048
MAX_PROBLEM_LENGTH = 300
MAX_TITLE_LENGTH = 100


def _calendar_id() -> str:
    return new_id("cal")


class CalendarKind(models.TextChoices):
    ICS = "ics"
    CALDAV = "caldav"


class CalendarHealth(models.TextChoices):
    NEW = "new"  # not read yet
    GOOD = "good"
    BROKEN = "broken"  # the last successful copy is used


class CalendarPart(TypedDict):
    """One of the calendars at a URL.

    `reads` says whether its events block time, and `writes` whether we may write to it.
    """

    url: str
    name: str
    reads: bool
    writes: bool


class Calendar(Journaled):
    """A connection to a calendar server.

    `address` and `password` are encrypted, because the URL of a private calendar is enough to read it. `host` is shown
    instead. `pages` lists the ids of the only items whose times it blocks, each between spaces, or is empty for all.
    `write_to` is the URL of the part that bookings are written to, or empty. `etags`, by position of a part, show
    whether the part has changed since it was read. `revision` increases with each change of how it is read, so that
    results from an earlier state are discarded.
    """

    journal_secret_fields = ("address", "password")
    journal_displayed_fields = {
        "pages": ("page_ids", str.split),
        "write_to": ("push_to", None),
        **dict.fromkeys(
            ("account", "id", "address", "password", "host", "parts", "etags", "health", "problem", "remarks")
        ),
        **dict.fromkeys(
            ("failing_since", "owner_warned", "read_at", "expanded_at", "next_at", "revision", "created_at")
        ),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_calendar_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="calendars")
    kind = models.CharField(max_length=10, choices=CalendarKind.choices)
    name = models.CharField(max_length=120)
    address = models.TextField()
    host = models.CharField(max_length=300)
    username = models.CharField(max_length=254, blank=True)
    password = models.TextField(blank=True)
    my_addresses: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    pages = models.TextField(blank=True)
    block_tentative = models.BooleanField(default=True)
    write_to = models.CharField(max_length=MAX_URL_LENGTH, blank=True)
    parts: models.JSONField[list[CalendarPart], list[CalendarPart]] = models.JSONField(default=list)
    etags: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    health = models.CharField(max_length=10, choices=CalendarHealth.choices, default=CalendarHealth.NEW)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    remarks: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    failing_since = models.DateTimeField(null=True, blank=True)
    owner_warned = models.BooleanField(default=False)  # the owner was notified that it is broken
    read_at = models.DateTimeField(null=True, blank=True)
    expanded_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(default=clock.now)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [
            models.Index(fields=["account", "id"], name="calendars_of_an_account"),
            models.Index(fields=["next_at"], name="calendars_by_their_turn"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def page_ids(self) -> list[str]:
        return self.pages.split()

    @property
    def url(self) -> str:
        """The decrypted URL. Raise DecryptionError if it cannot be decrypted."""
        return encryption.decrypt_secret(self.address, self.account_id, ADDRESS)

    def schedule_full_read(self) -> None:
        """Schedule a full read and discard the results of a running one."""
        self.revision, self.expanded_at, self.next_at = self.revision + 1, None, clock.now()
        self.save(update_fields=["revision", "expanded_at", "next_at"])

    def _restore_parts(self, parts: list[CalendarPart]) -> None:
        journal.update_row(self, parts=parts)
        self.schedule_full_read()

    def _restore_my_addresses(self, addresses: list[str]) -> None:
        journal.update_row(self, my_addresses=addresses)
        self.schedule_full_read()

    def _restore_block_tentative(self, blocks: bool) -> None:
        journal.update_row(self, block_tentative=blocks)
        self.schedule_full_read()

    journal_field_restorers = {
        "parts": _restore_parts,
        "my_addresses": _restore_my_addresses,
        "block_tentative": _restore_block_tentative,
    }

    def credentials(self) -> tuple[str, str] | None:
        """Return the user name and password, or None if there is no password.

        Raise DecryptionError if the password cannot be decrypted.
        """
        if not self.password:
            return None
        return self.username, encryption.decrypt_secret(self.password, self.account_id, PASSWORD)


class BusyTime(models.Model):
    """A busy time in one part of a calendar.

    A `floating` one is a local time in the query's time zone. All-day events and times without a time zone are
    floating.
    """

    calendar = models.ForeignKey(Calendar, on_delete=models.CASCADE, related_name="busy_times")
    part = models.PositiveSmallIntegerField(default=0)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    floating = models.BooleanField(default=False)
    title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)

    class Meta:
        indexes = [models.Index(fields=["calendar", "ends_at", "starts_at"], name="busy_times_by_their_end")]

    def __str__(self) -> str:
        return f"{self.title} {self.starts_at:%Y-%m-%d %H:%M}"


class EventCopyState(models.TextChoices):
    WAITING = "waiting"
    THERE = "there"
    GONE = "gone"
    FAILED = "failed"


class EventCopy(CompiledModel):
    """An event that we wrote to a calendar or are about to write.

    `subject` is the id of the booking. `body` is the event to write. It is empty if the event is to be removed, and
    after it was written. `etag` is the event's ETag on the server.
    """

    calendar = models.ForeignKey(Calendar, on_delete=models.CASCADE, related_name="copies")
    subject = models.CharField(max_length=40)
    url = models.CharField(max_length=MAX_URL_LENGTH)
    etag = models.CharField(max_length=200, blank=True)
    body = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=EventCopyState.choices, default=EventCopyState.WAITING)
    revision = models.PositiveIntegerField(default=1)
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    next_at = models.DateTimeField(default=clock.now)
    changed_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["calendar", "subject"], name="one_copy_a_calendar")]
        indexes = [
            models.Index(fields=["next_at"], condition=models.Q(state="waiting"), name="copies_that_wait"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} ({self.state})"
