"""Responses of guests, including unsent ones, with the version of the form that they saw."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import models
from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.models.form import Form
from workspace.products.form.rules.response_folders import INBOX, PARTIAL
from workspace.publishing.models import NOT_DELETED, SoftDeleted

SUSPICIONS = {
    "trap": owner_gettext_lazy("A hidden field was filled in."),
    "hasty": owner_gettext_lazy("It was sent faster than a person can type."),
    "many": owner_gettext_lazy("Many responses came from the same network within an hour."),
    "links": owner_gettext_lazy("The answers contain many links."),
    "letters": owner_gettext_lazy("The answers use an alphabet that neither the form nor the visitor’s browser uses."),
    "same": owner_gettext_lazy("The same text was sent a few minutes earlier."),
}


def _response_id() -> str:
    return new_id("resp")


class Response(SoftDeleted):
    """A response.

    `folder` is INBOX, SPAM or PARTIAL. `dedupe_key` detects repeated submissions. For an unsent response, it is the
    hash of the token that resumes it. `is_over_limit` is set if the plan's monthly limit was reached. The response is
    stored, and is shown on a larger plan.
    """

    journal_item_path = "form"
    journal_secret_fields = ("dedupe_key",)
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "read_at": ("read", bool),
        "folder": ("status", None),
        **dict.fromkeys(("search", "language"), None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_response_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")  # the form's account
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
    search = models.TextField(default="", blank=True)  # case-folded here, because SQLite's LIKE folds only ASCII
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
        """The answers to questions that ask for a phone number."""
        kinds = self.form.keys
        return [value for key, value in self.answers.items() if kinds.get(key) == "phone" and isinstance(value, str)]

    @property
    def reference(self) -> str:
        """The reference in the guest's receipt."""
        return self.pk[-8:].upper()

    def purge(self) -> None:
        self.files.delete_with_contents()
        self.delete()


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
