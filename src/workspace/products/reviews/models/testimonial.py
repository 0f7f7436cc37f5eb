"""One testimonial: a guest's words, never edited, and what the owner decided about them."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q, QuerySet

from workspace.accounts.models import Account, Upload
from workspace.products.reviews.models.page import ReviewPage
from workspace.publishing import guest_links
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError
from workspace.toolkit.ids import new_id
from workspace.toolkit.text import fold

CONFIRM = "review.confirm"  # what a link by mail is for
# What the guest says of themselves. Everything but a customer is told beside their words.
RELATIONSHIPS = {
    "customer": "Customer",
    "gift": "Received something for this review",
    "staff": "Works or worked here",
    "family": "Family or friend of the business",
    "partner": "Business partner or supplier",
}
PAGE, MANUAL, IMPORT = "page", "manual", "import"
VOUCHED = "The owner vouches that the writer agreed."  # the consent of what the owner has added
SUSPICIONS = {
    "trap": "A field that people do not see was filled in",
    "hasty": "Sent faster than people type",
    "many": "Many came from the same place within an hour",
    "links": "The words hold web addresses",
}


class Status(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    HIDDEN = "hidden"


def _testimonial_id() -> str:
    return new_id("rev")


class Testimonial(models.Model):
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
    verified_at = models.DateTimeField(null=True, blank=True)
    # not PROTECT: closing an account deletes both in one go
    photo = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_text = models.TextField(blank=True)  # as it stood when the guest agreed to it
    relationship = models.CharField(max_length=10, default="customer")
    source = models.CharField(max_length=10, default=PAGE)
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
            models.Index(fields=["account", "status"], name="testimonials_by_status"),
            models.Index(fields=["page", "status"], name="testimonials_of_a_page"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(rating=None) | Q(rating__range=(1, 5)), name="a_rating_is_1_to_5")
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:40]}"

    @classmethod
    def of_page(cls, page: ReviewPage) -> QuerySet[Testimonial]:
        """All but what looks like spam: what "n of m" counts as m."""
        return cls.objects.filter(page=page, suspicion="")

    @classmethod
    def shown_on(cls, page: ReviewPage) -> QuerySet[Testimonial]:
        """What guests may see, pinned ones first, then the newest: approved by the owner, agreed to by the writer."""
        found = cls.of_page(page).filter(status=Status.APPROVED).exclude(consented_at=None)
        return found.order_by(F("featured_at").desc(nulls_last=True), "-written_at", "-id")

    @property
    def is_featured(self) -> bool:
        return self.featured_at is not None

    @property
    def is_shown(self) -> bool:
        return self.status == Status.APPROVED and self.consented_at is not None and not self.suspicion

    @property
    def tag_list(self) -> list[str]:
        return [tag for tag in self.tags.split("|") if tag]

    def moderate(self, action: str) -> None:
        """approve, hide, feature or unfeature. Raises ToolError for one that its writer does not want shown."""
        {"approve": self.approve, "hide": self.hide, "feature": self.feature, "unfeature": self.unfeature}[action]()

    def approve(self) -> None:
        if self.consented_at is None:
            raise ToolError(f"{self.name} has not agreed to have these words shown: only you may read them")
        # whoever approves has looked at it: the mark has done its work
        self.status, self.suspicion = Status.APPROVED, ""
        self._keep("status", "suspicion")

    def hide(self) -> None:
        self.status, self.featured_at = Status.HIDDEN, None
        self._keep("status", "featured_at")

    def feature(self) -> None:
        self.approve()
        if self.featured_at is None:
            self.featured_at = clock.now()
            self._keep("featured_at")

    def unfeature(self) -> None:
        """Unpin; what it was otherwise, approved, it stays."""
        self.featured_at = None
        self._keep("featured_at")

    def answer(self, text: str) -> None:
        """The owner's public reply; an empty one takes it back."""
        self.reply, self.replied_at = text, clock.now() if text else None
        self._keep("reply", "replied_at")

    def cut(self, excerpt: str) -> None:
        """Show only this part of the words, which is one of the text; empty for all of it."""
        self.excerpt = excerpt
        self._keep("excerpt")

    def file(self, *, tags: str | None = None, relationship: str | None = None) -> None:
        if tags is not None:
            self.tags = tags
        if relationship is not None:
            self.relationship = relationship
        self._keep("tags", "relationship")

    def record_consent(self, words: str) -> None:
        """The owner vouches that the writer agreed, outside of this service; only for what the owner has added."""
        if self.source == PAGE:
            raise ToolError("Consent to a testimonial left on your page is the guest's own: it cannot be added")
        self.consented_at, self.consent_text = clock.now(), words
        self._keep("consented_at", "consent_text")

    def withdraw_consent(self) -> None:
        """The writer wants it shown no more: it goes back to being read by the owner only."""
        self.consented_at, self.featured_at, self.status = None, None, Status.HIDDEN
        self._keep("consented_at", "featured_at", "status")

    def confirm(self) -> bool:
        """Its e-mail address is the writer's, who opened the link in the mail. False when it has just gone."""
        if not Testimonial.objects.filter(pk=self.pk).update(verified_at=clock.now()):
            return False
        self.page.tell()
        return True

    def wear(self, photo: Upload | None) -> None:
        """A photo (an upload that was claimed), or none; the earlier one is released."""
        if self.photo is not None:
            self.photo.release()
        self.photo = photo
        self._keep("photo")

    def drop_photo(self) -> None:
        if self.photo is not None:
            self.photo.release()
            self.photo = None
            self.save(update_fields=["photo"])

    def remove(self) -> None:
        """Delete for good, with the photo."""
        self.drop_photo()
        page = self.page
        guest_links.end(CONFIRM, self.pk)
        self.delete()
        page.tell()

    def _keep(self, *fields: str) -> None:
        self.search = searchable(self)
        self.save(update_fields=[*fields, "search"])
        self.page.tell()


def searchable(testimonial: Testimonial) -> str:
    return fold(
        f"{testimonial.name}\n{testimonial.byline}\n{testimonial.text}\n{testimonial.email}\n{testimonial.tags}"
    )
