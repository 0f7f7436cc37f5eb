"""Digital business cards, and the leads that guests leave with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext, gettext_noop

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.person_name import PersonName, parse_name
from workspace.lib.text import search_key
from workspace.products.card import messages
from workspace.publishing.models import NOT_DELETED, Publication, PublishedItem, SoftDeleted, picture_restorers

KIND = "card"
SAVE_EVENT = "save"  # the event when a guest downloads the contact
MAX_LINKS = 8
MAX_EXTRA_CONTACTS = 5  # phone numbers and email addresses besides the main ones
NAME_PARTS = ("given_name", "family_name", "name_prefix", "name_suffix")
DEFAULT_THEME = "classic"


def _card_id() -> str:
    return new_id("card")


def _lead_id() -> str:
    return new_id("lead")


class Card(PublishedItem):
    """A business card.

    The four parts of the name override the automatic split. They are empty if that is correct.
    """

    kind = KIND
    call_to_action = gettext_noop("Save our contact")
    pictures = ("photo", "logo")
    journal_displayed_fields = {
        **PublishedItem.journal_displayed_fields,
        "photo": ("photo_id", None),
        "logo": ("logo_id", None),
    }
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_card_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="cards")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="card")
    full_name = models.CharField(max_length=120)
    given_name = models.CharField(max_length=120, blank=True)
    family_name = models.CharField(max_length=120, blank=True)
    name_prefix = models.CharField(max_length=60, blank=True)
    name_suffix = models.CharField(max_length=60, blank=True)
    title = models.CharField(max_length=120, blank=True)
    company = models.CharField(max_length=120, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    more_phones: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, blank=True
    )
    email = models.CharField(max_length=254, blank=True)
    more_emails: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, blank=True
    )
    website = models.CharField(max_length=2048, blank=True)
    address = models.CharField(max_length=300, blank=True)
    bio = models.TextField(blank=True)
    links: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(default=list, blank=True)
    lead_capture = models.BooleanField(default=True)
    consent_text = models.CharField(max_length=500, blank=True)  # the owner's text; empty for the default
    theme = models.CharField(max_length=20, default=DEFAULT_THEME)
    color = models.CharField(max_length=7, blank=True)  # empty for the brand's color
    # RESTRICT, unlike PROTECT, allows deleting an account with its cards and their images
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    logo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return self.full_name

    @property
    def name(self) -> PersonName:
        """The name in the format of address books: the parts that the owner entered, or else the split full name."""
        if self.given_name or self.family_name:
            return PersonName(self.given_name, self.family_name, self.name_prefix, self.name_suffix)
        return PersonName(given=self.full_name) if self.full_name == self.company else parse_name(self.full_name)

    @property
    def phones(self) -> list[tuple[str, str]]:
        """All phone numbers with their labels, the main one first. A label may be empty."""
        more = [(phone["number"], phone["label"]) for phone in self.more_phones]
        return [*([(self.phone, "")] if self.phone else []), *more]

    @property
    def emails(self) -> list[tuple[str, str]]:
        """All email addresses with their labels, the main one first. A label may be empty."""
        more = [(email["email"], email["label"]) for email in self.more_emails]
        return [*([(self.email, "")] if self.email else []), *more]

    @property
    def consent(self) -> str:
        """The consent text. The default is in the active language."""
        if self.consent_text:
            return self.consent_text
        company = f" ({self.company})" if self.company and self.company != self.full_name else ""
        who = f"{self.full_name}{company}"
        return gettext("I agree that %(who)s may store these details to contact me.") % {"who": who}

    @property
    def is_lead_form_shown(self) -> bool:
        """True if the lead form is shown, that is, the owner has enabled it and the plan includes it."""
        return self.lead_capture and bool(self.account.limits(KIND).lead_capture)

    @classmethod
    def check_quota(cls, account: Account, added_count: int = 1) -> None:
        most = account.limits(KIND).cards
        left = None if most is None else max(0, most - account.cards.count() + len(cls.list_starters(account)))
        if left is not None and left < added_count:
            way_out = account.with_upgrade_hint(KIND, "delete some" if left else "delete one")
            full = messages.TOO_MANY_NEW_CARDS(left=left) if left else messages.CARD_LIMIT(most=most)
            raise OperationNotAllowedError(full(way_out=way_out))

    def add_derived_fields(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Add the parts of the name that are derived from the other fields.

        If only some parts are given, the others do not change or are split from the full name. The name is split again
        if the full name changes, or if given and family name are both empty.
        """
        full_name = fields.get("full_name", self.full_name)
        values = {part: fields[part] for part in NAME_PARTS if part in fields}
        if not values:
            return fields if full_name == self.full_name else {**dict.fromkeys(NAME_PARTS, ""), **fields}
        name = self.name if full_name == self.full_name else parse_name(full_name)
        now = dict(zip(NAME_PARTS, (name.given, name.family, name.prefix, name.suffix), strict=True)) | values
        if not (now["given_name"] or now["family_name"]):
            now = dict.fromkeys(NAME_PARTS, "")
        return {**fields, **now}

    @classmethod
    def ids_with_guests(cls, cards: Sequence[Card]) -> set[str]:
        return super().ids_with_guests(cards) | set(
            Lead._base_manager.filter(card__in=cards).values_list("card_id", flat=True)
        )

    def save_lead(
        self, submission_key: str, *, name: str, email: str, phone: str, note: str, consent: str
    ) -> Lead | None:
        """Save a lead.

        `submission_key` identifies the form. A repeated submission is not saved and returns None.
        """
        lead = Lead.build(
            self, dedupe_key=submission_key, name=name, email=email, phone=phone, note=note, consent=consent
        )
        Lead.objects.bulk_create([lead], ignore_conflicts=True)  # no exception, which would abort the transaction
        return Lead.objects.filter(pk=lead.pk).first()


class Lead(SoftDeleted):
    """The details that a guest left with a card, and the consent text."""

    id = models.CharField(primary_key=True, max_length=40, default=_lead_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")  # the card's account
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="leads")
    dedupe_key = models.CharField(max_length=64)
    name = models.CharField(max_length=120)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    note = models.TextField(blank=True)
    consent = models.CharField(max_length=500)
    search = models.TextField(default="")  # case-folded here, because SQLite's LIKE folds only ASCII
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = [models.UniqueConstraint(fields=["card", "dedupe_key"], name="one_lead_a_form")]
        indexes = [
            models.Index(fields=["card", "-created_at", "-id"], name="leads_newest_of_card", condition=NOT_DELETED),
            # includes the card, so that the index alone shows whether it is in the bin
            models.Index(fields=["account", "-created_at", "-id", "card"], name="leads_newest", condition=NOT_DELETED),
        ]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def build(cls, card: Card, **fields: Any) -> Lead:
        """Build a lead without saving it."""
        texts = [fields.get(name, "") for name in ("name", "email", "phone", "note")]
        return cls(account_id=card.account_id, card=card, **fields, search=search_key("\n".join(texts)))
