"""A guest leaves a testimonial: kept whatever it looks like, marked where it looks like spam, told to the owner."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from workspace.accounts.models import Upload
from workspace.delivery import mail
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import PAGE, searchable
from workspace.storage.pictures import Picture
from workspace.toolkit import clock
from workspace.toolkit.errors import ToolError

MAILS_AN_HOUR = 20  # to an owner, for one page
LINKS_A_DAY = 3  # to one address, whoever typed it
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


def leave(page: ReviewPage, words: Words, *, photo: Picture | None, suspicion: str = "") -> Testimonial:
    """Keep it as pending, within the caller's transaction; write to the owner and, for confirming, to the address."""
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
    if not testimonial.suspicion:  # what looks like spam waits in the list without a noise
        _tell_owner(page, testimonial)
        send_link(testimonial)
    return testimonial


def send_link(testimonial: Testimonial) -> bool:
    """Mail the link that confirms the address. Not when the address has had enough of them today: nobody is pestered
    by what a stranger types. Whether it was sent."""
    if not testimonial.email:
        return False
    day = clock.now() - timedelta(days=1)
    alive = Testimonial.objects.filter(email__iexact=testimonial.email, link_ends_at__gt=clock.now())
    earlier = alive.filter(created_at__gt=day)
    if earlier.exclude(pk=testimonial.pk).count() >= LINKS_A_DAY:
        return False
    page = testimonial.page
    url = f"{page.url}/confirm/{testimonial.new_link()}"
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
    hour = clock.now() - timedelta(hours=1)
    if page.testimonials.filter(source=PAGE, created_at__gt=hour).count() > MAILS_AN_HOUR:
        return
    context = {"page": page, "testimonial": testimonial, "business": page.account.name}
    context["stars"] = "★" * (testimonial.rating or 0) + "☆" * (5 - (testimonial.rating or 0))
    context["path"] = f"/app/reviews/{page.pk}/items/{testimonial.pk}"
    mail.send("review_received", page.account.owner.email, context, account=page.account)
