"""Issued certificates: a snapshot of their wording. After that, only their state changes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, datetime, time

from django.conf import settings
from django.db import models
from django.db.models import Q
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.audit_trail.writer import record_event
from workspace.lib import clock
from workspace.lib.ids import ALPHABET, new_id
from workspace.products.certs.models.issuer import StatusList
from workspace.products.certs.models.template import Template
from workspace.storage.journal import Journaled

CODE_LENGTH = 16  # characters in base 32, which are 80 bits


def _certificate_id() -> str:
    return new_id("crt")


def new_code() -> str:
    bits = secrets.randbits(5 * CODE_LENGTH)  # in a single call, because a tool may create hundreds
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in range(CODE_LENGTH)).upper()


class State(models.TextChoices):
    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"
    REPLACED = "replaced"


class Certificate(Journaled):
    """A certificate.

    `date` is the text as shown, and `day` the date that it means, if any. `counts_toward_limit` says whether it counts
    toward the monthly limit, which a replacement does not. `language` is the language of its wording.
    """

    journal_displayed_fields = {"revoked_at": ("revoked", bool)}

    id = models.CharField(primary_key=True, max_length=40, default=_certificate_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="certificates")
    template = models.ForeignKey(
        Template, on_delete=models.SET_NULL, null=True, blank=True, related_name="certificates"
    )
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    batch = models.CharField(max_length=40, blank=True)  # the id of the job that created its PDF
    title = models.CharField(max_length=120)
    organization = models.CharField(max_length=120, blank=True)
    name = models.CharField(max_length=120)
    email = models.CharField(max_length=254, blank=True)
    course = models.CharField(max_length=200, blank=True)
    date = models.CharField(max_length=60, blank=True)
    day = models.DateField(null=True, blank=True)
    hours = models.CharField(max_length=40, blank=True)
    custom = models.CharField(max_length=200, blank=True)
    reference = models.CharField(max_length=80, blank=True)
    language = models.CharField(max_length=35, blank=True)
    expires_on = models.DateField(null=True, blank=True)
    counts_toward_limit = models.BooleanField(default=True)
    is_emailed = models.BooleanField(default=False)  # it was emailed, or will be once its PDF exists
    email_delivery_id = models.CharField(max_length=40, blank=True)  # the id of its last email
    created_at = models.DateTimeField(default=clock.now)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoke_reason = models.CharField(max_length=300, blank=True)
    replaced_by = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaces"
    )
    record = models.CharField(max_length=40, blank=True)
    pdf_key = models.CharField(max_length=60, blank=True)
    pdf_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    pdf_size = models.PositiveIntegerField(default=0)
    sealed_at = models.DateTimeField(null=True, blank=True)
    badge_key = models.CharField(max_length=60, blank=True)
    status_list = models.ForeignKey(
        StatusList, on_delete=models.SET_NULL, null=True, blank=True, related_name="certificates"
    )
    status_index = models.PositiveIntegerField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)  # when the expiry notice was sent
    search = models.TextField(blank=True)  # case-folded name, course and email

    class Meta:
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["account", "-id"], name="certificates_newest_first"),
            models.Index(
                fields=["account", "email", "-id"],
                name="certificates_by_email",
                opclasses=["varchar_ops", "varchar_pattern_ops", "varchar_ops"],
            ),
            models.Index(
                fields=["account", "created_at"], name="certificates_of_a_month", condition=Q(counts_toward_limit=True)
            ),
            models.Index(fields=["record"], name="certificate_of_a_record", condition=~Q(record="")),
            models.Index(
                fields=["expires_on"],
                name="certificates_that_expire",
                condition=Q(expires_on__isnull=False, reminded_at=None),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["status_list", "status_index"], name="one_certificate_a_status_bit"),
        ]

    def __str__(self) -> str:
        return self.name

    @override
    @classmethod
    def undo_creation_many(cls, rows: Sequence[Certificate]) -> None:
        """Undo issuance.

        Certificates without a PDF are deleted. Those with a PDF are revoked, because someone may already have the PDF.
        """
        cls.objects.filter(pk__in=[row.pk for row in rows], sealed_at=None).delete()
        now = clock.now()
        for row in cls.objects.select_related("account").filter(pk__in=[row.pk for row in rows], revoked_at=None):
            cls.objects.filter(pk=row.pk).update(revoked_at=now)
            record_event(
                row.account, "certs.revoked", item_id=row.pk, data={"certificate": row.pk, "code": row.formatted_code}
            )

    @property
    def state(self) -> State:
        if self.replaced_by_id is not None:
            return State.REPLACED
        if self.revoked_at is not None:
            return State.REVOKED
        if self.expires_on is not None and self.expires_on < clock.today(self.account.time_zone):
            return State.EXPIRED
        return State.VALID

    @property
    def formatted_code(self) -> str:
        return format_code(self.code)

    @property
    def pdf_file_name(self) -> str:
        """The file name of the PDF in downloads and emails."""
        return f"certificate-{self.formatted_code}.pdf"

    @property
    def verify_url(self) -> str:
        return f"{settings.BASE_URL}/v/{self.formatted_code}"

    @property
    def badge_url(self) -> str:
        return f"{self.verify_url}.json"

    @property
    def pdf_url(self) -> str:
        return f"{self.verify_url}.pdf"


def format_code(code: str) -> str:
    """Format a code in groups of four characters."""
    return "-".join(code[at : at + 4] for at in range(0, CODE_LENGTH, 4))


_LOOKALIKE_DIGITS = str.maketrans("OIL", "011")


def parse_code(text: str) -> str:
    """Normalize a code that someone typed, or return an empty string if it is invalid.

    Case, spaces and hyphens are ignored. Letters that look like digits are replaced.
    """
    result = "".join(text.split()).replace("-", "").upper().translate(_LOOKALIKE_DIGITS)
    return result if len(result) == CODE_LENGTH and set(result.lower()) <= set(ALPHABET) else ""


def month_start(account: Account) -> datetime:
    today: date = clock.today(account.time_zone)
    return datetime.combine(today.replace(day=1), time.min, account.zone)
