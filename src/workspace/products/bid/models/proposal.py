"""Proposals: an offer to a client at a secret link, until the client approves or declines it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.db import connection, models
from django.db.models import Q
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.audit_trail.canonical_json import hash_text, to_canonical_json
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import ConflictError, InvalidInputError, OperationNotAllowedError
from workspace.lib.ids import SLUG_ALPHABET, new_id
from workspace.products.bid import messages
from workspace.products.bid.models.number_sequence import NumberSequence
from workspace.products.bid.rules.offer import Offer, load_offer
from workspace.products.bid.rules.totals import compute_totals, exceeds_maximum
from workspace.publishing.guest_language import guest_language
from workspace.publishing.language import DEFAULT_LANGUAGE
from workspace.publishing.models import Publication, PublishedItem, picture_restorers
from workspace.storage import journal
from workspace.storage.database.transactions import run_at_end

KIND = "quote"
TOKEN_LENGTH = 27  # characters of the link: 133 bits, so that it cannot be guessed
VALID_DAYS = 30
DEFAULT_CURRENCY = "USD"
REVISION_FORMAT = "workspace-tools proposal 1"


class Status(models.TextChoices):
    DRAFT = "draft"
    SENT = "sent"
    VIEWED = "viewed"
    APPROVED = "approved"
    DECLINED = "declined"


OPEN_STATUSES = (Status.SENT, Status.VIEWED)
CLOSED_STATUSES = (Status.APPROVED, Status.DECLINED)
# the fields of a revision and a template: the offer without the client
OFFER_FIELDS = (
    "title",
    "intro",
    "line_items",
    "packages",
    "discount",
    "deposit",
    "currency",
    "tax_rate",
    "tax_label",
    "tax_inclusive",
    "notes",
    "numbers",
)
MEDIA_FIELDS = ("image_id", "video_url")  # also in a revision, if set
CLIENT_FIELDS = ("client_name", "client_email", "client_company")


def _bid_id() -> str:
    return new_id("bid")


def new_token() -> str:
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(TOKEN_LENGTH))


class Proposal(PublishedItem):
    """A proposal.

    Its columns have the content of the latest revision, whose number is `revision`. Once it was sent, `revision_hash`
    is its hash; a draft has none. `total` is the total first shown, in minor units, for lists.
    """

    kind = KIND
    pictures = ("image",)
    journal_displayed_fields = {
        **PublishedItem.journal_displayed_fields,
        "archived_at": ("archived", bool),
        **dict.fromkeys(("revision_hash", "total", "sent_at", "viewed_at", "mailed_at"), None),
    }
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_bid_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="proposals")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="proposal")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    title = models.CharField(max_length=200)
    client_name = models.CharField(max_length=120, blank=True)
    client_email = models.CharField(max_length=254, blank=True)
    client_company = models.CharField(max_length=120, blank=True)
    intro = models.TextField(blank=True)
    line_items: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list, blank=True
    )
    packages: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    discount: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    deposit: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict, blank=True)
    currency = models.CharField(max_length=3, default=DEFAULT_CURRENCY)
    tax_rate = models.CharField(max_length=12, default="0")  # percent, in the format of `format_number`
    tax_label = models.CharField(max_length=40, blank=True)
    tax_inclusive = models.BooleanField(default=False)
    notes = models.TextField(blank=True)
    image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    video_url = models.CharField(max_length=500, blank=True)
    # numbers of the business that documents must show: [{"label": "VAT ID", "value": "ATU12345678"}]
    numbers: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(default=list, blank=True)
    valid_until = models.DateField()
    language = models.CharField(
        max_length=8, default=DEFAULT_LANGUAGE
    )  # the language of emails to the client, who may read the page in another
    revision = models.PositiveIntegerField(default=1)
    revision_hash = models.CharField(max_length=64, blank=True)
    total = models.BigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)  # when we emailed it, so that reminders can follow
    viewed_at = models.DateTimeField(null=True, blank=True)  # the first view
    last_viewed_at = models.DateTimeField(null=True, blank=True)
    views = models.PositiveIntegerField(default=0)
    decided_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    version_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="versions", db_index=True
    )

    class Meta(PublishedItem.Meta):
        verbose_name = "proposal"
        constraints = [models.UniqueConstraint(fields=["account", "number"], name="one_proposal_a_number")]
        indexes = [
            *PublishedItem.Meta.indexes,
            models.Index(
                fields=["account", "status", "-id"],
                name="bid_proposal_by_status",
                condition=Q(binned_at=None, archived_at=None),
            ),
            models.Index(fields=["account", "created_at"], name="bid_proposal_of_month"),
        ]

    def __str__(self) -> str:
        return self.title

    def build_revision_body(self, number: int) -> str:
        """Return the current content as canonical JSON (RFC 8785), the body of the revision with this number."""
        return to_canonical_json(
            {
                "format": REVISION_FORMAT,
                "id": self.pk,
                "number": self.number,
                "revision": number,
                "valid_until": self.valid_until.isoformat(),
                **{name: getattr(self, name) for name in OFFER_FIELDS},
                **{name: seen for name in MEDIA_FIELDS if (seen := getattr(self, name))},
            }
        )

    @classmethod
    def create_draft(cls, account: Account, **fields: Any) -> Proposal:
        """Create a draft with the account's next number and its own permanent link.

        Raise OperationNotAllowedError if the plan's limit is reached, or InvalidInputError if fields contradict one
        another.
        """
        cls.check_quota(account)
        brand = Brand.for_account(account)
        values = {
            "currency": brand.currency or DEFAULT_CURRENCY,
            "language": guest_language(account),
            "valid_until": clock.today(account.time_zone) + timedelta(days=VALID_DAYS),
            **fields,
        }
        return cls.open(account, slug=new_token(), number=NumberSequence.take_next_number(account), **values)

    @cached_property
    def offer(self) -> Offer:
        return load_offer({name: getattr(self, name) for name in OFFER_FIELDS})

    def add_derived_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add the total that is derived from the fields. Raise InvalidInputError if it is too large to be exact."""
        if not any(name in fields for name in OFFER_FIELDS):
            return fields
        offer = load_offer({name: fields.get(name, getattr(self, name)) for name in OFFER_FIELDS})
        if exceeds_maximum(offer):
            path = "line_items" if "line_items" in fields or "packages" not in fields else "packages"
            raise InvalidInputError.at_path(path, messages.TOTAL_TOO_HIGH)
        self.__dict__.pop("offer", None)
        return {**fields, "total": compute_totals(offer).total}

    @property
    def name(self) -> str:
        """The name in emails and documents, such as `No. 12`."""
        return f"No. {self.number}"

    @property
    def ends_at(self) -> datetime:
        """The end of the last day in the account's time zone, after which it can no longer be approved."""
        return datetime.combine(self.valid_until + timedelta(days=1), time.min, self.account.zone)

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES

    @property
    def is_expired(self) -> bool:
        """True if this is an open proposal whose last day has passed. This is derived and never stored."""
        return self.is_open and clock.now() >= self.ends_at

    @property
    def days_left(self) -> int | None:
        """Days until the last day of an open proposal: 0 on that day, and negative after it."""
        return (self.valid_until - clock.today(self.account.time_zone)).days if self.is_open else None

    @property
    def client(self) -> str:
        return self.client_name or self.client_company or self.client_email

    @override
    @classmethod
    def lock_many(cls, rows: Iterable[Proposal]) -> None:
        """Lock the publications of proposals. Call it before any write. Writes by guests use the same order."""
        ids = sorted(row.publication_id for row in rows)
        if connection.features.has_select_for_no_key_update:
            publications = Publication.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
            list(publications.values_list("pk"))

    @override
    @classmethod
    def mark_many_changed(cls, proposals: Sequence[Proposal]) -> None:
        """Mark proposals as changed, and schedule checks for the end of the transaction.

        The checks ensure that a sent proposal still matches its revision and that no decision was made in the meantime.
        Otherwise, the write is rejected.
        """
        super().mark_many_changed(proposals)
        for item in proposals:
            run_at_end(_check_revisions, item.pk)

    @classmethod
    def check_quota(cls, account: Account, added_count: int = 1) -> None:
        """Check the monthly limit. Proposals that have since been deleted count, too."""
        most = account.limits(KIND).monthly
        if most is None:
            return
        begin, made = month_start(account), cls.count_created_this_month(account)
        if made + added_count > most:
            following = (begin + timedelta(days=32)).astimezone(account.zone).replace(day=1)
            way_out = account.with_upgrade_hint(KIND, f"wait until {following:%B}")
            raise OperationNotAllowedError(messages.BID_LIMIT(most=most, made=made, way_out=way_out))

    @classmethod
    def count_created_this_month(cls, account: Account) -> int:
        return cls._base_manager.filter(account=account, created_at__gte=month_start(account)).count()

    @staticmethod
    def _restore_without_quota(pairs: Sequence[tuple[Proposal, datetime | None]]) -> None:
        """Restore proposals from the bin. They already count toward the monthly limit."""
        journal.update_rows((item, {"binned_at": moment}) for item, moment in pairs)

    journal_bulk_restorers = {"binned_at": _restore_without_quota}

    @override
    @classmethod
    def undo_creation_many(cls, proposals: Sequence[Proposal]) -> None:
        """Undo the creation of proposals. Those that have been sent are moved to the bin instead."""
        sent = [item for item in proposals if item.status != Status.DRAFT]
        if sent:
            cls.remove_many(sent)
        if drafts := [item for item in proposals if item.status == Status.DRAFT]:
            super().undo_creation_many(drafts)


def month_start(account: Account) -> datetime:
    today: date = clock.today(account.time_zone)
    return datetime.combine(today.replace(day=1), time.min, account.zone)


def _check_revisions(ids: Sequence[str]) -> None:
    """Raise ConflictError if a decision or a revision is not the one that the write assumes."""
    proposals = Proposal._base_manager.filter(pk__in=ids).exclude(status=Status.DRAFT)
    stands = set(proposals.filter(decisions__is_current=True).values_list("pk", flat=True))
    for proposal in proposals:
        if (proposal.pk in stands) != (proposal.status in CLOSED_STATUSES):
            raise ConflictError(messages.DECIDED_SINCE)
        if hash_text(proposal.build_revision_body(proposal.revision)) != proposal.revision_hash:
            revisions = proposal.revisions.filter(number=proposal.revision, erased_at=None)
            if revisions.exists():  # otherwise, text that named a person was erased from it
                raise ConflictError(messages.SENT_SINCE)
