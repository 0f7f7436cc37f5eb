"""Sessions of a program, with a time, a room and speakers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import models

from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.event import messages
from workspace.products.event.models.event import Day, Event, Room
from workspace.products.event.models.speakers_and_blocks import Link, Speaker
from workspace.products.event.rules.session_slot import Slot
from workspace.publishing.models import SoftDeleted
from workspace.storage import journal
from workspace.storage.journal import Journaled


def _session_id() -> str:
    return new_id("ses")


class Session(SoftDeleted):
    """A session.

    `start` and `end` are local clock times, `HH:MM` or empty. `starts_at` and `ends_at` are computed from them. Guests
    see `time_label` instead of the times. `sequence` and `changed_at` are for calendars. They change when the time,
    place or title changes.
    """

    journal_item_path = "event"
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "start": ("start_time", None),
        "end": ("end_time", None),
        **dict.fromkeys(["starts_at", "ends_at", "sequence", "changed_at", "position"]),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_session_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sessions")
    day = models.ForeignKey(Day, on_delete=models.CASCADE, related_name="sessions")
    room = models.ForeignKey(Room, on_delete=models.SET_NULL, null=True, blank=True, related_name="sessions")
    title = models.CharField(max_length=200)
    time_label = models.CharField(max_length=60, blank=True)
    start = models.CharField(max_length=5, blank=True)
    end = models.CharField(max_length=5, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    description = models.TextField(blank=True)
    kind = models.CharField(max_length=10, default="talk")
    track = models.CharField(max_length=60, blank=True)  # the name of a track of the program
    links: models.JSONField[list[Link], list[Link]] = models.JSONField(default=list, blank=True)
    cancelled = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)  # within the session's day
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("day__date", "position", "id")
        indexes = [models.Index(fields=["event", "position", "id"], name="sessions_in_their_order")]

    def __str__(self) -> str:
        return self.title

    def to_slot(self, speakers: Sequence[str] = ()) -> Slot:
        """Convert the session to input for the rules. `speakers` are ids."""
        return Slot(
            id=self.pk,
            day=self.day_id,
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            room=self.room_id or "",
            speakers=tuple(speakers),
            kind=self.kind,
            cancelled=self.cancelled,
        )

    @staticmethod
    def _restore_from_bin(pairs: Sequence[tuple[Session, datetime | None]]) -> None:
        back = [session.day_id for session, moment in pairs if moment is None]
        day = Day._base_manager.filter(pk__in=back).exclude(binned_at=None).first()
        if day is not None:
            raise OperationNotAllowedError(messages.DAY_IS_DELETED(day=day))
        journal.update_rows((session, {"binned_at": moment}) for session, moment in pairs)

    journal_bulk_restorers = {"binned_at": _restore_from_bin}


class SessionSpeaker(Journaled):
    """A speaker of a session, in display order."""

    journal_item_path = "session__event"

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="links_to_speakers")
    speaker = models.ForeignKey(Speaker, on_delete=models.CASCADE, related_name="links_to_sessions")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("position", "id")
        constraints = [models.UniqueConstraint(fields=["session", "speaker"], name="a_speaker_once_a_session")]

    def __str__(self) -> str:
        return f"{self.speaker_id} at {self.session_id}"
