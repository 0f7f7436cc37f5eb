"""Signings, and their signatures.

A signing covers any number of people. Each person has a signature, which can be voided separately.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.db import models
from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock, name_key
from workspace.lib.ids import new_id
from workspace.products.waiver.models.waiver import Waiver
from workspace.products.waiver.rules.validity import Reason, ValidityInput, find_reason
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.journal import Journaled


def _prefix_index(*fields: str, name: str) -> models.Index:
    """Return an index that also supports prefix searches in the second field, with any collation."""
    kinds = {"of_signer": "bool_ops", fields[1]: "varchar_pattern_ops"}
    return models.Index(fields=fields, name=name, opclasses=[kinds.get(field, "varchar_ops") for field in fields])


def _signing_id() -> str:
    return new_id("sgn")


def _signature_id() -> str:
    return new_id("sig")


def _visit_id() -> str:
    return new_id("vst")


class Signing(CompiledModel):
    """A guest's submission.

    `token` comes from the form, so that a repeated submission counts only once. `record` is the id of its record in the
    audit trail, which proves it. Names and strokes are stored here for display, and are erased together with the
    person.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_signing_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="signings")
    waiver = models.ForeignKey(Waiver, on_delete=models.CASCADE, related_name="signings")
    version = models.PositiveIntegerField()
    token = models.CharField(max_length=64)
    name = models.CharField(max_length=120)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    birth_date = models.DateField(null=True, blank=True)
    answers: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    initials: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    signature_kind = models.CharField(max_length=5, choices=[("typed", "Typed"), ("drawn", "Drawn")])
    typed_name = models.CharField(max_length=120, blank=True)
    strokes: models.JSONField[list[Any], list[Any]] = models.JSONField(default=list, blank=True)
    consent = models.TextField(blank=True)
    marketing = models.BooleanField(default=False)
    language = models.CharField(max_length=8, blank=True)
    time_zone = models.CharField(max_length=64)  # the account's time zone at that moment
    signed_at = models.DateTimeField(default=clock.now)
    record = models.CharField(max_length=40, blank=True)
    # the version because of which they were asked to sign again
    renewal_version = models.PositiveIntegerField(null=True, blank=True)
    expiry_notice_at = models.DateTimeField(null=True, blank=True)  # when they were notified of the end
    muted = models.BooleanField(default=False)  # unsubscribed from these emails
    pdf_key = models.CharField(max_length=60, blank=True)
    pdf_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    pdf_size = models.PositiveIntegerField(default=0)
    sealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["waiver", "token"], name="one_signing_a_token")]
        indexes = [
            models.Index(fields=["account", "signed_at"], name="signings_of_a_month"),
            models.Index(fields=["record"], name="signing_of_a_record", condition=~Q(record="")),
        ]

    def __str__(self) -> str:
        return self.name


class Signature(Journaled):
    """A person covered by a signing.

    `person` is the folded name. The name and the birth date together identify a person. `of_age_at` is set only if a
    guardian signed. Columns of the signing are repeated here if searches need them.
    """

    journal_displayed_fields = {"voided_at": ("voided", bool)}

    id = models.CharField(primary_key=True, max_length=40, default=_signature_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="signatures")
    waiver = models.ForeignKey(Waiver, on_delete=models.CASCADE, related_name="signatures")
    signing = models.ForeignKey(Signing, on_delete=models.CASCADE, related_name="signatures")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    person = models.CharField(max_length=160)
    birth_date = models.DateField(null=True, blank=True)
    relationship = models.CharField(max_length=60, blank=True)
    is_signer = models.BooleanField(default=False)
    email = models.CharField(max_length=254, blank=True)  # the signer's email, folded
    phone = models.CharField(max_length=24, blank=True)  # the signer's phone in E.164, or its digits
    phone_national = models.CharField(max_length=24, blank=True)  # its national digits
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    of_age_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    void_reason = models.CharField(max_length=300, blank=True)
    search = models.TextField(blank=True)  # folded: the participant, the signer, and their contact data

    class Meta:
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["waiver", "-id"], name="signatures_of_a_waiver"),
            models.Index(fields=["account", "-id"], name="signatures_newest_first"),
            models.Index(fields=["account", "person", "birth_date"], name="signatures_of_a_person"),
            _prefix_index("account", "email", "-id", name="signatures_by_email"),
            _prefix_index("account", "phone", "-id", name="signatures_by_phone"),
            _prefix_index("account", "phone_national", "-id", name="signatures_by_digits"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def validity_input(self) -> ValidityInput:
        return ValidityInput(self.version, self.expires_at, self.of_age_at, self.voided_at is not None)

    def last_valid_day(self) -> date | None:
        """Return the last day on which the signature is valid if nothing else changes."""
        ends = [moment for moment in (self.expires_at, self.of_age_at) if moment]
        if not ends:
            return None
        return (min(ends).astimezone(self.account.zone) - timedelta(microseconds=1)).date()

    def find_reason(self, required_version: int) -> Reason:
        return find_reason(self.validity_input, required_version, clock.now())


class NameWord(models.Model):
    """A word of a name, so that a search can use an index to find whole words in any order.

    `of_signer` marks the name of a signer who does not take part.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    signature = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="name_words")
    word = models.CharField(max_length=120)
    of_signer = models.BooleanField(default=False)

    class Meta:
        indexes = [_prefix_index("account", "word", "of_signer", "-signature", name="signatures_by_word")]

    def __str__(self) -> str:
        return self.word

    @classmethod
    def build_words(cls, signature: Signature, signer: str) -> Iterable[NameWord]:
        words = dict.fromkeys((word, False) for word in name_key.split_words(signature.name))
        if not signature.is_signer:
            words |= dict.fromkeys((word, True) for word in name_key.split_words(signer))
        for word, of_signer in words:
            yield cls(account_id=signature.account_id, signature=signature, word=word[:120], of_signer=of_signer)


class Attendance(Journaled):
    """A covered person's attendance. `validity` is the state of the waiver at that time."""

    id = models.CharField(primary_key=True, max_length=40, default=_visit_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="attendances")
    signature = models.ForeignKey(Signature, on_delete=models.CASCADE, related_name="attendances")
    occurred_at = models.DateTimeField(default=clock.now)
    validity = models.CharField(max_length=10, default=Reason.VALID.value)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["account", "-id"], name="waiver_attendance_newest_first")]

    def __str__(self) -> str:
        return f"{self.signature_id} at {self.occurred_at}"
