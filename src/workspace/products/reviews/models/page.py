"""A page where guests leave testimonials, with the wall and the widget that show them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from workspace.accounts.models import Account
from workspace.publishing.live_blocks import changed
from workspace.publishing.models import Publication
from workspace.toolkit import clock
from workspace.toolkit.ids import new_id

KIND = "review"
CONSENT = (
    "You may show my words, my name, my rating and my photo on your website, in this list and in your social media. "
    "I can ask you to take them down at any time."
)
QUESTIONS = ("What did you come for?", "What did you like best?", "Whom would you recommend us to?")
THANKS = "Thank you! Your words mean a lot to us."


def _page_id() -> str:
    return new_id("rvp")


class ReviewPage(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_page_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="review_pages")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="review_page")
    title = models.CharField(max_length=100)
    intro = models.TextField(blank=True)
    questions: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    consent_text = models.TextField(default=CONSENT)
    disclosure = models.TextField(blank=True)  # what the owner tells all readers: vouchers, relations
    thanks = models.TextField(blank=True)
    hosts: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-id",)  # ids sort by time of making

    def __str__(self) -> str:
        return self.title

    @property
    def slug(self) -> str:
        return self.publication.slug

    @property
    def url(self) -> str:
        return f"{settings.BASE_URL}/r/{self.slug}"

    @property
    def frame_ancestors(self) -> str:
        """Who may show the widget, as the policy's list of sources: our own pages and the owner's hosts. A host without
        a scheme means the service's own scheme, so a secure service is not framed by an insecure page."""
        return " ".join(["'self'", *self.hosts])

    @classmethod
    def open(cls, account: Account, *, title: str, slug: str | None = None, **given: Any) -> ReviewPage:
        """A new page with its public address. Raises InvalidInput at `slug`."""
        publication = Publication.open(account, KIND, slug)
        return cls.objects.create(account=account, publication=publication, title=title, **given)

    def edit(self, **given: Any) -> None:
        for name, value in given.items():
            setattr(self, name, value)
        self.updated_at = clock.now()
        self.save(update_fields=[*given, "updated_at"])
        self.tell()

    def pause(self) -> None:
        self.publication.pause()
        self.tell()

    def resume(self) -> None:
        self.publication.resume()
        self.tell()

    def tell(self) -> None:
        """What guests see of this page has changed: here, and where other pages show it."""
        self.publication.bump()
        changed(self.account, KIND)

    def remove(self) -> None:
        """Delete the page with all its testimonials. Its addresses answer 410 for ever."""
        for testimonial in self.testimonials.exclude(photo=None).select_related("photo"):
            testimonial.drop_photo()
        account = self.account
        # first, so that a guest's act either precedes the deletion or is told that this is gone
        self.publication.retire()
        self.delete()
        changed(account, KIND)

    def tags(self) -> list[str]:
        """Every tag in use here, by name."""
        found = self.testimonials.exclude(tags="").values_list("tags", flat=True).distinct()
        return sorted({tag for tags in found for tag in tags.split("|") if tag})
