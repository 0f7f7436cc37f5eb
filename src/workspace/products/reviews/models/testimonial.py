"""One testimonial: a guest's words, never edited, and what the owner decided about them."""

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
from workspace.lib.text import search_key
from workspace.products.reviews.models.page import ReviewPage
from workspace.publishing.models import NOT_DELETED, SoftDeleted
from workspace.storage import journal

CONFIRM_PURPOSE = "review.confirm"  # what a link by mail is for
# What the guest says of themselves. Everything but a customer is told beside their words.
RELATIONSHIPS = {
    "customer": _("Customer"),
    "gift": _("Received something for this review"),
    "staff": _("Works or worked here"),
    "family": _("Family or friend of the business"),
    "partner": _("Business partner or supplier"),
}
SOURCE_PAGE, SOURCE_MANUAL, SOURCE_IMPORT = "page", "manual", "import"
OWNER_CONSENT_TEXT = "The owner vouches that the writer agreed."  # the consent of what the owner has added
SUSPICION_REASONS = {
    "trap": "A field that people do not see was filled in",
    "hasty": "Sent faster than people type",
    "many": "Many came from the same place within an hour",
    "links": "The words hold web addresses",
}
SEARCH_FIELDS = ("name", "byline", "text", "email")


class Status(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    HIDDEN = "hidden"


def _testimonial_id() -> str:
    return new_id("rev")


class Testimonial(SoftDeleted):
    """What is decided about it is told as fields (`decision_fields`, `reply_fields`, …), so that any number are saved
    at once."""

    JOURNAL_WHOLE = "page"
    JOURNAL_TOLD = {
        **SoftDeleted.JOURNAL_TOLD,
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
    language = models.CharField(max_length=8, blank=True)  # in which they used the page, for mail that is sent later
    verified_at = models.DateTimeField(null=True, blank=True)
    # not PROTECT: closing an account deletes both in one go
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_text = models.TextField(blank=True)  # as it stood when the guest agreed to it
    relationship = models.CharField(max_length=10, default="customer")
    source = models.CharField(max_length=10, default=SOURCE_PAGE)
    source_name = models.CharField(max_length=60, blank=True)
    suspicion = models.CharField(max_length=10, blank=True)
    reply = models.TextField(blank=True)
    replied_at = models.DateTimeField(null=True, blank=True)
    tags = models.TextField(blank=True)  # |one|two|, so that a search for |one| is exact
    search = models.TextField()  # folded, since SQLite's LIKE folds ASCII only
    written_at = models.DateTimeField(default=clock.now)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)
        indexes = [
            # all that is counted of a page, in the order in which it is grouped: no row is read for it
            models.Index(
                fields=["page", "status", "suspicion", "source", "rating", "consented_at"],
                name="testimonials_counted",
                condition=NOT_DELETED,
            ),
            # the page behind them: whether that lies in the bin is seen without the row
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
        """All but what looks like spam: what "n of m" counts as m."""
        return cls.objects.filter(page=page, suspicion="")

    @classmethod
    def shown_to_guests(cls, page: ReviewPage) -> QuerySet[Testimonial]:
        """What guests may see, pinned ones first, then the newest: approved by the owner, agreed to by the writer."""
        found = cls.without_spam(page).filter(status=Status.APPROVED).exclude(consented_at=None)
        return found.order_by(F("featured_at").desc(nulls_last=True), "-written_at", "-id")

    @property
    def is_featured(self) -> bool:
        return self.featured_at is not None

    @property
    def is_shown(self) -> bool:
        return self.status == Status.APPROVED and self.consented_at is not None and not self.suspicion

    @property
    def is_owner_added(self) -> bool:
        """Whether the owner added it."""
        return self.source != SOURCE_PAGE

    @property
    def tag_list(self) -> list[str]:
        return parse_tags(self.tags)

    def decision_fields(self, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """What approve, hide, feature or unfeature sets, beside what else is `given`. Raises OperationNotAllowedError
        for words that are not to be shown."""
        if action == "hide":
            return {"status": Status.HIDDEN, "featured_at": None}
        if action == "unfeature":  # what it was otherwise, approved, it stays
            return {"featured_at": None}
        if given.get("consented_at", self.consented_at) is None:
            raise OperationNotAllowedError(self.consent_problem)
        # whoever approves has looked at it: the mark has done its work
        found: dict[str, Any] = {"status": Status.APPROVED, "suspicion": ""}
        return {**found, "featured_at": self.featured_at or clock.now()} if action == "feature" else found

    @property
    def consent_problem(self) -> str:
        """Why it cannot be shown, and what to do about it."""
        if self.is_owner_added:
            return (
                f"It is not recorded that {self.name} agreed to have these words shown. If they did, say so: "
                "consented=true with the action, in svc_reviews_save_items"
            )
        return f"{self.name} has not agreed to have these words shown: only you may read them"

    def reply_fields(self, text: str) -> dict[str, Any]:
        """The owner's public reply; an empty one takes it back."""
        return {} if text == self.reply else {"reply": text, "replied_at": clock.now() if text else None}

    def owner_consent_fields(self) -> dict[str, Any]:
        """The owner vouches that the writer agreed, outside of this service; only for what the owner has added. Raises
        ToolError."""
        if self.consented_at is not None:
            return {}
        if not self.is_owner_added:
            raise OperationNotAllowedError(
                "Consent to a testimonial left on your page is the guest's own: it cannot be added"
            )
        return {"consented_at": clock.now(), "consent_text": OWNER_CONSENT_TEXT}

    def withdrawal_fields(self) -> dict[str, Any]:
        """The writer wants it shown no more: it goes back to being read by the owner only."""
        if self.consented_at is None:
            return {}
        return {"consented_at": None, "featured_at": None, "status": Status.HIDDEN}

    def confirm_email(self) -> bool:
        """Its e-mail address is the writer's, who opened the link in the mail. False when it has just gone."""
        if not Testimonial.objects.filter(pk=self.pk).update(verified_at=clock.now()):
            return False
        self.page.mark_changed()
        return True

    @classmethod
    def restore_many_photo(cls, pairs: Sequence[tuple[Testimonial, str | None]]) -> None:
        """The journal's name for putting photos back."""
        journal.update_rows(cls.photo_fields(pairs[0][0].account, [(one, id or "", "photo_id") for one, id in pairs]))

    @staticmethod
    def photo_fields(
        account: Account, wanted: Sequence[tuple[Testimonial, str, str]]
    ) -> list[tuple[Testimonial, dict[str, Any]]]:
        """What sets the writers' photos: each testimonial with an upload's id, empty for none, and the path of the
        argument that names it. The new ones are claimed and the earlier ones released, by a few queries. Raises
        InvalidInput at each path where there is no such upload."""
        new = [(one, id, path) for one, id, path in wanted if id != (one.photo_id or "")]
        found = Upload.claim_many(account, [(id, path) for _, id, path in new if id])
        Upload.release_many([one.photo_id for one, *_ in new if one.photo_id])
        return [(one, {"photo": found.get(id)}) for one, id, _ in new]

    def purge(self) -> None:
        Upload.release_many([self.photo_id] if self.photo_id else [])
        self.delete()


def parse_tags(text: str) -> list[str]:
    return [tag for tag in text.split("|") if tag]


def build_search_text(testimonial: Testimonial) -> str:
    return search_key("\n".join(getattr(testimonial, name) for name in SEARCH_FIELDS))


def with_search(one: Testimonial, fields: dict[str, Any]) -> dict[str, Any]:
    """Fields that are to be set, and what is searched where it follows from them."""
    if not any(name in fields for name in SEARCH_FIELDS):
        return fields
    return {**fields, "search": search_key("\n".join(fields.get(name, getattr(one, name)) for name in SEARCH_FIELDS))}
