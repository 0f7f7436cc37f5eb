"""A proposal: what is offered to one client, at an address that only they know, until they approve or decline it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.db import connection, models
from django.db.models import Q

from workspace.accounts.models import Account, Upload
from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.errors import ConflictError, InvalidInputError, OperationNotAllowedError
from workspace.lib.ids import SLUG_ALPHABET, new_id
from workspace.lib.text import format_count
from workspace.products.bid.models.number_sequence import NumberSequence
from workspace.products.bid.rules.offer import Offer, load_offer
from workspace.products.bid.rules.totals import compute_totals, exceeds_maximum
from workspace.publishing.call_to_action import guest_language
from workspace.publishing.language import DEFAULT_LANGUAGE
from workspace.publishing.models import Publication, PublishedItem
from workspace.storage import journal
from workspace.storage.database.transactions import run_at_end

KIND = "quote"
TOKEN_LENGTH = 27  # letters of the address: 133 bits, so that only who was given it finds it
VALID_DAYS = 30
DEFAULT_CURRENCY = "USD"


class Status(models.TextChoices):
    DRAFT = "draft"
    SENT = "sent"
    VIEWED = "viewed"
    APPROVED = "approved"
    DECLINED = "declined"


OPEN_STATUSES = (Status.SENT, Status.VIEWED)
CLOSED_STATUSES = (Status.APPROVED, Status.DECLINED)
# what a revision holds and a template keeps: the offer, without whom it is made to
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
MEDIA_FIELDS = ("picture_id", "video_url")  # beside it, in a revision where there is one
CLIENT_FIELDS = ("client_name", "client_email", "client_company")


def _bid_id() -> str:
    return new_id("bid")


def new_token() -> str:
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(TOKEN_LENGTH))


class Proposal(PublishedItem):
    """Its columns are those of the newest revision, `revision`, whose hash is `revision_hash` once it was sent; a draft
    has none. `total` is that of what is shown first, in minor units, for lists."""

    kind = KIND
    pictures = ("picture",)
    JOURNAL_TOLD = {
        **PublishedItem.JOURNAL_TOLD,
        "archived_at": ("archived", bool),
        **dict.fromkeys(("revision_hash", "total", "sent_at", "viewed_at", "mailed_at"), None),
    }

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
    tax_rate = models.CharField(max_length=12, default="0")  # percent, as format_number writes it
    tax_label = models.CharField(max_length=40, blank=True)
    tax_inclusive = models.BooleanField(default=False)
    notes = models.TextField(blank=True)
    picture = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    video_url = models.CharField(max_length=500, blank=True)
    # of the business, which papers have to name: [{"label": "VAT ID", "value": "ATU12345678"}]
    numbers: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(default=list, blank=True)
    valid_until = models.DateField()
    language = models.CharField(
        max_length=8, default=DEFAULT_LANGUAGE
    )  # of mails to the client, who may read the page in another
    revision = models.PositiveIntegerField(default=1)
    revision_hash = models.CharField(max_length=64, blank=True)
    total = models.BigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)  # by us, so that reminders may follow
    viewed_at = models.DateTimeField(null=True, blank=True)  # first
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

    @classmethod
    def create_draft(cls, account: Account, **fields: Any) -> Proposal:
        """A draft, with the account's next number and an address of its own for ever. Raises OperationNotAllowedError
        where the plan has no room, InvalidInput at what makes no sense together."""
        cls.check_quota(account)
        brand = Brand.for_account(account)
        given = {
            "currency": brand.currency or DEFAULT_CURRENCY,
            "language": guest_language(account),
            "valid_until": clock.today(account.time_zone) + timedelta(days=VALID_DAYS),
            **fields,
        }
        return cls.open(account, slug=new_token(), number=NumberSequence.take_next_number(account), **given)

    @cached_property
    def offer(self) -> Offer:
        return load_offer({name: getattr(self, name) for name in OFFER_FIELDS})

    def with_implied_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """With the total that follows. Raises InvalidInputError where a sum is beyond what can be told exactly."""
        if not any(name in fields for name in OFFER_FIELDS):
            return fields
        offer = load_offer({name: fields.get(name, getattr(self, name)) for name in OFFER_FIELDS})
        if exceeds_maximum(offer):
            path = "line_items" if "line_items" in fields or "packages" not in fields else "packages"
            raise InvalidInputError.at_path(path, "This comes to more than a proposal can hold")
        self.__dict__.pop("offer", None)
        return {**fields, "total": compute_totals(offer).total}

    @property
    def name(self) -> str:
        """How mails and papers call it: `No. 12`."""
        return f"No. {self.number}"

    @property
    def ends_at(self) -> datetime:
        """The first moment at which it cannot be approved any more: the end of its last day in the account's zone."""
        return datetime.combine(self.valid_until + timedelta(days=1), time.min, self.account.zone)

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES

    @property
    def is_expired(self) -> bool:
        """Derived, never stored: an open one behind its last day."""
        return self.is_open and clock.now() >= self.ends_at

    @property
    def days_left(self) -> int | None:
        """Of an open one, its last day included as 0; negative once it has expired."""
        return (self.valid_until - clock.today(self.account.time_zone)).days if self.is_open else None

    @property
    def client(self) -> str:
        return self.client_name or self.client_company or self.client_email

    @classmethod
    def lock_many(cls, rows: Iterable[Proposal]) -> None:
        """Whoever writes to a proposal and its publication takes the latter first, as guests' acts do."""
        ids = sorted(row.publication_id for row in rows)
        if connection.features.has_select_for_no_key_update:
            held = Publication.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
            list(held.values_list("pk"))

    @classmethod
    def mark_many_changed(cls, things: Sequence[Proposal]) -> None:
        """At the end of the write it is seen to that what was sent still says what its revision does, and that what
        was decided in this very moment stays: whatever was being written gives way."""
        super().mark_many_changed(things)
        for thing in things:
            run_at_end(_check_revisions, thing.pk)

    @classmethod
    def check_quota(cls, account: Account, wanted: int = 1) -> None:
        """A plan that counts by the month counts what was made in it, also what was deleted since."""
        most = account.limits(KIND).monthly
        if most is None:
            return
        begin, made = month_start(account), cls.count_created_this_month(account)
        if made + wanted > most:
            following = (begin + timedelta(days=32)).astimezone(account.zone).replace(day=1)
            fresh = f"{following:%B} brings new ones"
            way_out = account.with_upgrade_hint(KIND, fresh)
            raise OperationNotAllowedError(
                f"Your plan makes {format_count(most, 'proposal')} a month, and {made} are made: {way_out}"
            )

    @classmethod
    def count_created_this_month(cls, account: Account) -> int:
        return cls._base_manager.filter(account=account, created_at__gte=month_start(account)).count()

    @classmethod
    def restore_many_binned_at(cls, pairs: Sequence[tuple[Proposal, datetime | None]]) -> None:
        """A month counts what was deleted, so what comes back needs no room."""
        journal.update_rows((thing, {"binned_at": moment}) for thing, moment in pairs)

    @classmethod
    def unmake_many(cls, things: Sequence[Proposal]) -> None:
        """What was sent is not unmade: it goes to the bin."""
        sent = [thing for thing in things if thing.status != Status.DRAFT]
        if sent:
            cls.remove_many(sent)
        if drafts := [thing for thing in things if thing.status == Status.DRAFT]:
            super().unmake_many(drafts)


def month_start(account: Account) -> datetime:
    today: date = clock.today(account.time_zone)
    return datetime.combine(today.replace(day=1), time.min, account.zone)


def _check_revisions(ids: Sequence[str]) -> None:
    """Raises ConflictError."""
    from workspace.products.bid.models.revision import Revision

    found = Proposal._base_manager.filter(pk__in=ids).exclude(status=Status.DRAFT)
    stands = set(found.filter(decisions__is_current=True).values_list("pk", flat=True))
    for proposal in found:
        if (proposal.pk in stands) != (proposal.status in CLOSED_STATUSES):
            raise ConflictError("The client has decided about it just now: svc_bid_get shows it as it is")
        if Revision.from_proposal(proposal, proposal.revision).hash != proposal.revision_hash:
            kept = proposal.revisions.filter(number=proposal.revision, erased_at=None)
            if kept.exists():  # else words that named a person are out of it
                raise ConflictError("It was sent since, and its client has it as it is: svc_bid_edit changes it")
