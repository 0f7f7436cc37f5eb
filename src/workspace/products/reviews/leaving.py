"""A guest leaves a testimonial: kept whatever it looks like, marked where it looks like spam, told to the owner."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from workspace.accounts.models import Upload
from workspace.delivery import mail, news
from workspace.delivery.news import Kind
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM, PAGE, searchable
from workspace.publishing import guest_links
from workspace.storage.pictures import Picture
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError

LINK_LASTS = timedelta(days=7)
RECEIVED = Kind("review.received", "Reviews", "A guest wrote you a review", "/app/reviews")
_LINK = re.compile(r"https?://|www\.|\[url", re.I)


@dataclass(frozen=True, slots=True)
class Words:
    """What the guest wrote and said; `rating` is 1 to 5."""

    rating: int
    text: str
    name: str
    byline: str
    email: str
    relationship: str
    consented: bool


def leave(page: ReviewPage, words: Words, *, photo: Picture | None, suspicion: str = "") -> bool:
    """Keep it as pending, within the caller's transaction; write to the owner and, for confirming, to the address.
    Whether a link for confirming was mailed."""
    testimonial = Testimonial(
        account=page.account,
        page=page,
        source=PAGE,
        rating=words.rating,
        text=words.text,
        name=words.name,
        byline=words.byline,
        email=words.email,
        relationship=words.relationship,
        consented_at=clock.now() if words.consented else None,
        consent_text=page.consent_text if words.consented else "",
        suspicion=suspicion or ("links" if _LINK.search(words.text) else ""),
        photo=_photo(page, photo),
    )
    testimonial.search = searchable(testimonial)
    testimonial.save(force_insert=True)
    page.tell()
    if testimonial.suspicion:  # what looks like spam waits in the list without a noise
        return False
    _tell_owner(page, testimonial)
    return send_link(testimonial)


def send_link(testimonial: Testimonial) -> bool:
    """Mail the link that confirms the address. Not when the address has had enough of them today: nobody is pestered
    by what a stranger types. Whether it was sent."""
    if not testimonial.email:
        return False
    page = testimonial.page
    token = guest_links.mint(page.account, CONFIRM, testimonial.pk, to=testimonial.email, lasts=LINK_LASTS)
    if token is None:
        return False
    url = f"{page.url}/confirm/{token}"
    context = {"business": page.account.name, "title": page.title, "url": url}
    mail.send("review_confirm", testimonial.email, context, account=page.account)
    return True


def _photo(page: ReviewPage, photo: Picture | None) -> Upload | None:
    if photo is None:
        return None
    try:
        return Upload.claim(page.account, Upload.keep(page.account, photo).pk, "photo")
    except ToolError:  # too many pictures wait to be used: the words are worth more
        return None


def _tell_owner(page: ReviewPage, testimonial: Testimonial) -> None:
    context = {"page": page, "testimonial": testimonial, "business": page.account.name}
    context["stars"] = "★" * (testimonial.rating or 0) + "☆" * (5 - (testimonial.rating or 0))
    context["path"] = f"/app/reviews/{page.pk}/items/{testimonial.pk}"
    news.tell(page.account, RECEIVED, "review_received", context)
