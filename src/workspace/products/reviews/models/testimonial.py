"""A testimonial: a guest's text, which is never edited, and the owner's decisions about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_noop as _

from workspace.accounts.models import Account, Upload
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.lib.messages import Message
from workspace.lib.text import search_key
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews import messages
from workspace.products.reviews.models.page import ReviewPage
from workspace.publishing.models import NOT_DELETED, SoftDeleted
from workspace.storage import journal

CONFIRM_PURPOSE = "review.confirm"  # purpose of the emailed link
# The guest's relationship. It is shown beside the text unless it is customer.
RELATIONSHIPS = {
    "customer": _("Customer"),
    "gift": _("Received a benefit for this review"),
    "staff": _("Works or worked here"),
    "family": _("Family or friend of the business"),
    "partner": _("Business partner or supplier"),
}
SOURCE_PAGE, SOURCE_MANUAL, SOURCE_IMPORT = "page", "manual", "import"
OWNER_CONSENT_TEXT = "The owner confirmed that the author agreed."  # the consent of testimonials added by the owner
SUSPICION_REASONS = {
    "trap": owner_gettext_lazy("A hidden field was filled in."),
    "hasty": owner_gettext_lazy("It was sent faster than a person can type."),
    "many": owner_gettext_lazy("Many reviews came from the same network within an hour."),
    "links": owner_gettext_lazy("The text contains links."),
}
SEARCH_FIELDS = ("name", "byline", "text", "email")


class Status(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    HIDDEN = "hidden"


def _testimonial_id() -> str:
    return new_id("rev")


class Testimonial(SoftDeleted):
    """A testimonial.

    Methods return decisions as fields (`decision_fields`, `reply_fields`, …), so that any number of testimonials can be
    saved at once.
    """

    journal_item_path = "page"
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "featured_at": ("featured", bool),
        "consented_at": ("consented", bool),
        "written_at": ("written_on", lambda text: str(text)[:10]),
        "photo": ("photo_id", None),
        "tags": ("tags", lambda text: parse_tags(text)),
        **dict.fromkeys(("search", "consent_text", "replied_at", "language"), None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_testimonial_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="testimonials")
    page = models.ForeignKey(ReviewPage, on_delete=models.CASCADE, related_name="testimonials")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PENDING)
    featured_at = models.DateTimeField(null=True, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 to 5
    text = models.TextField()
    excerpt = models.TextField(blank=True)  # a part of the text, word for word
    name = models.CharField(max_length=80)
    byline = models.CharField(max_length=80, blank=True)
    email = models.EmailField(blank=True)  # never shown to guests
    language = models.CharField(max_length=8, blank=True)  # language in which the guest used the page, for later emails
    verified_at = models.DateTimeField(null=True, blank=True)
    # not PROTECT: closing an account deletes both together
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_text = models.TextField(blank=True)  # the text that the guest agreed to
    relationship = models.CharField(max_length=10, default="customer")
    source = models.CharField(max_length=10, default=SOURCE_PAGE)
    source_name = models.CharField(max_length=60, blank=True)
    suspicion = models.CharField(max_length=10, blank=True)
    reply = models.TextField(blank=True)
    replied_at = models.DateTimeField(null=True, blank=True)
    tags = models.TextField(blank=True)  # |one|two|, so that a search for |one| is exact
    search = models.TextField()  # folded, because SQLite's LIKE ignores case only in ASCII
    written_at = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)
        indexes = [
            # all columns that are counted for a page, in the order of grouping, so that no rows are read
            models.Index(
                fields=["page", "status", "suspicion", "source", "rating", "consented_at"],
                name="testimonials_counted",
                condition=NOT_DELETED,
            ),
            # includes the page, so that pages in the bin are excluded without reading rows
            models.Index(fields=["account", "status", "page"], name="testimonials_by_status", condition=NOT_DELETED),
            models.Index(
                fields=["account", "-created_at", "-id", "page"], name="testimonials_newest", condition=NOT_DELETED
            ),
            models.Index(
                fields=["page", "-created_at", "-id"], name="testimonials_newest_of_page", condition=NOT_DELETED
            ),
            models.Index(fields=["page", "tags"], name="testimonials_tags", condition=NOT_DELETED & ~Q(tags="")),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(rating=None) | Q(rating__range=(1, 5)), name="a_rating_is_1_to_5")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:40]}"

    @classmethod
    def without_spam(cls, page: ReviewPage) -> QuerySet[Testimonial]:
        """Return all testimonials except suspected spam. Their number is the total in "n of m"."""
        return cls.objects.filter(page=page, suspicion="")

    @classmethod
    def shown_to_guests(cls, page: ReviewPage) -> QuerySet[Testimonial]:
        """Return the testimonials visible to guests: approved and with consent, pinned first, then newest first."""
        testimonials = cls.without_spam(page).filter(status=Status.APPROVED).exclude(consented_at=None)
        return testimonials.order_by(F("featured_at").desc(nulls_last=True), "-written_at", "-id")

    @property
    def is_featured(self) -> bool:
        return self.featured_at is not None

    @property
    def is_shown(self) -> bool:
        return self.status == Status.APPROVED and self.consented_at is not None and not self.suspicion

    @property
    def is_owner_added(self) -> bool:
        """True if the owner added the testimonial."""
        return self.source != SOURCE_PAGE

    @property
    def tag_list(self) -> list[str]:
        return parse_tags(self.tags)

    def decision_fields(self, action: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields that an action sets. `fields` are other fields that are set at the same time.

        The action is approve, hide, feature or unfeature. Raise OperationNotAllowedError for a testimonial without
        consent.
        """
        if action == "hide":
            return {"status": Status.HIDDEN, "featured_at": None}
        if action == "unfeature":  # an approved testimonial remains approved
            return {"featured_at": None}
        if fields.get("consented_at", self.consented_at) is None:
            raise OperationNotAllowedError(self.consent_problem)
        # approving clears the suspicion
        result: dict[str, Any] = {"status": Status.APPROVED, "suspicion": ""}
        return {**result, "featured_at": self.featured_at or clock.now()} if action == "feature" else result

    @property
    def consent_problem(self) -> Message:
        """The reason why the testimonial cannot be shown, and how to solve this."""
        problem = messages.CONSENT_NOT_RECORDED if self.is_owner_added else messages.NO_CONSENT
        return problem(name=self.name)

    def reply_fields(self, text: str) -> dict[str, Any]:
        """Return the fields of the owner's public reply. An empty string removes it."""
        return {} if text == self.reply else {"reply": text, "replied_at": clock.now() if text else None}

    def owner_consent_fields(self) -> dict[str, Any]:
        """Return the fields that record consent that the owner received outside of this service.

        This is possible only for testimonials that the owner added. Raise ToolError for others.
        """
        if self.consented_at is not None:
            return {}
        if not self.is_owner_added:
            raise OperationNotAllowedError(messages.CONSENT_NOT_ADDABLE)
        return {"consented_at": clock.now(), "consent_text": OWNER_CONSENT_TEXT}

    def withdrawal_fields(self) -> dict[str, Any]:
        """Return the fields that withdraw consent. From then on, only the owner can read the testimonial."""
        if self.consented_at is None:
            return {}
        return {"consented_at": None, "featured_at": None, "status": Status.HIDDEN}

    def confirm_email(self) -> bool:
        """Record that the email address belongs to the writer, who opened the emailed link.

        Return False if the testimonial has since been deleted.
        """
        if not Testimonial.objects.filter(pk=self.pk).update(verified_at=clock.now()):
            return False
        self.page.mark_changed()
        return True

    @staticmethod
    def _restore_photos(pairs: Sequence[tuple[Testimonial, str | None]]) -> None:
        requested = [(testimonial, id or "", "photo_id") for testimonial, id in pairs]
        journal.update_rows(Testimonial.photo_fields(pairs[0][0].account, requested))

    journal_bulk_restorers = {"photo": _restore_photos}

    @staticmethod
    def photo_fields(
        account: Account, requested: Sequence[tuple[Testimonial, str, str]]
    ) -> list[tuple[Testimonial, dict[str, Any]]]:
        """Return the fields that set photos of testimonials. Claim new uploads and release previous ones.

        `requested` contains each testimonial with the id of an upload, or "" for none, and the path of the argument.
        This runs a few queries. Raise InvalidInputError at the path of each missing upload.
        """
        new = [(testimonial, id, path) for testimonial, id, path in requested if id != (testimonial.photo_id or "")]
        result = Upload.claim_many(account, [(id, path) for _, id, path in new if id])
        Upload.release_many([testimonial.photo_id for testimonial, *_ in new if testimonial.photo_id])
        return [(testimonial, {"photo": result.get(id)}) for testimonial, id, _ in new]

    def purge(self) -> None:
        Upload.release_many([self.photo_id] if self.photo_id else [])
        self.delete()


def parse_tags(text: str) -> list[str]:
    return [tag for tag in text.split("|") if tag]


def build_search_text(testimonial: Testimonial) -> str:
    return search_key("\n".join(getattr(testimonial, name) for name in SEARCH_FIELDS))


def with_search(testimonial: Testimonial, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields, with the search text derived from them if it changes."""
    if not any(name in fields for name in SEARCH_FIELDS):
        return fields
    return {
        **fields,
        "search": search_key("\n".join(fields.get(name, getattr(testimonial, name)) for name in SEARCH_FIELDS)),
    }
