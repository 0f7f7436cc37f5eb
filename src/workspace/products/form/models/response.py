"""Responses of guests, including unsent ones, with the version of the form that they saw."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import models
from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.products.form.models.form import Form
from workspace.publishing.models import NOT_DELETED, SoftDeleted

INBOX, SPAM, PARTIAL = "inbox", "spam", "partial"
SUSPICIONS = {
    "trap": "A field that people do not see was filled in",
    "hasty": "Sent faster than people type",
    "many": "Many came from the same place within an hour",
    "links": "The answers hold many web addresses",
    "letters": "Written in letters that neither the form nor the guest's browser has",
    "same": "The same text came minutes before",
}


def _response_id() -> str:
    return new_id("resp")


class Response(SoftDeleted):
    """A response.

    `folder` is INBOX, SPAM or PARTIAL. `dedupe_key` detects repeated submissions. For an unsent response, it is the
    hash of the token that resumes it. `is_over_limit` is set if the plan's monthly limit was reached: the response is
    stored, and shown on a larger plan."""

    JOURNAL_WHOLE = "form"
    JOURNAL_SECRET = ("dedupe_key",)
    JOURNAL_TOLD = {
        **SoftDeleted.JOURNAL_TOLD,
        "read_at": ("read", bool),
        "folder": ("status", None),
        **dict.fromkeys(("search", "language"), None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_response_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")  # that of the form
    form = models.ForeignKey(Form, on_delete=models.CASCADE, related_name="responses")
    version = models.PositiveIntegerField()
    answers: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    folder = models.CharField(max_length=10, default=INBOX)
    suspicion = models.CharField(max_length=10, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    by_owner = models.BooleanField(default=False)
    is_over_limit = models.BooleanField(default=False)
    dedupe_key = models.CharField(max_length=64)
    email = models.CharField(max_length=254, blank=True)  # the first email address in the answers
    page = models.CharField(max_length=60, blank=True)  # where an unsent response stopped
    language = models.CharField(max_length=8, blank=True)
    search = models.TextField(default="", blank=True)  # case-folded here, since SQLite's LIKE folds ASCII only
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = [models.UniqueConstraint(fields=["form", "dedupe_key"], name="one_response_a_form")]
        indexes = [
            models.Index(fields=["form", "folder", "-created_at", "-id"], name="form_responses_newest",
                         condition=NOT_DELETED),
            models.Index(fields=["account", "folder", "-created_at", "-id", "form"], name="form_responses_all",
                         condition=NOT_DELETED),
            models.Index(fields=["form", "email"], name="form_responses_of_email",
                         condition=NOT_DELETED & ~Q(email="")),
            models.Index(fields=["form", "version"], name="form_responses_of_version"),
            models.Index(fields=["created_at"], name="form_responses_begun", condition=Q(folder=PARTIAL)),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.pk

    @property
    def status(self) -> str:
        """The status: `new`, `read`, `spam` or `partial`."""
        return self.folder if self.folder != INBOX else "read" if self.read_at else "new"

    @property
    def phones(self) -> list[str]:
        """The answers to questions for a phone number."""
        kinds = self.form.keys
        return [value for key, value in self.answers.items() if kinds.get(key) == "phone" and isinstance(value, str)]

    @property
    def reference(self) -> str:
        """The reference in the guest's receipt."""
        return self.pk[-8:].upper()

    def purge(self) -> None:
        from workspace.products.form.models.file import GuestFile

        GuestFile.delete_files(GuestFile.objects.filter(response=self))
        self.delete()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
