"""A guest leaves a testimonial: kept whatever it looks like, marked where it looks like spam, told to the owner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from workspace.accounts.models import Upload
from workspace.delivery import mail, notifications
from workspace.delivery.notifications import Kind
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.products.reviews.domain.testimonial_form import Words
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM, PAGE, searchable
from workspace.publishing import guest_links
from workspace.publishing.locale import voice
from workspace.storage.files.images import Picture

LINK_LASTS = timedelta(days=7)
TWICE = timedelta(hours=1)  # within which the very same words are a second click
RECEIVED = Kind("review.received", "Reviews", "A guest wrote you a review", "/app/reviews")
_LINK = re.compile(r"https?://|www\.|\[url", re.IGNORECASE)


def leave(page: ReviewPage, words: Words, *, photo: Picture | None, suspicion: str = "") -> bool:
    """Keep it as pending, within the caller's transaction; write to the owner and, for confirming, to the address. A
    form that was sent twice is kept once. Whether a link for confirming was mailed."""
    same = words.model_dump(include={"rating", "text", "name", "email"})
    if Testimonial.objects.filter(page=page, created_at__gt=clock.now() - TWICE, **same).exists():
        return bool(words.email)
    testimonial = Testimonial(
        account=page.account,
        page=page,
        source=PAGE,
        consented_at=clock.now() if words.consent else None,
        consent_text=words.words if words.consent else "",
        suspicion=suspicion or ("links" if _LINK.search(words.text) else ""),
        photo=_photo(page, photo),
        language=voice().language,
        **words.model_dump(exclude={"consent", "words"}),
    )
    testimonial.search = searchable(testimonial)
    testimonial.save(force_insert=True)
    page.touched()
    if testimonial.suspicion:  # what looks like spam waits in the list without a noise
        return False
    _tell_owner(page, testimonial)
    return send_links(page, [testimonial]) > 0


def send_links(page: ReviewPage, found: Sequence[Testimonial]) -> int:
    """Mail the links that confirm addresses, by a few queries however many they are; how many were mailed. None goes to
    an address that has had enough of them today: nobody is pestered by what a stranger types."""
    subjects = {one.pk: one.email for one in found if one.email and one.verified_at is None}
    if not subjects:
        return 0
    tokens = guest_links.mint_many(page.account, CONFIRM, subjects, lasts=LINK_LASTS)
    about = {"business": page.account.name, "title": page.title}
    languages = {one.pk: one.language for one in found}
    mails = [
        (subjects[id], {**about, "url": _confirming(page, token, languages[id])}, languages[id])
        for id, token in tokens.items()
    ]
    mail.send_many("review_confirm", mails, account=page.account)
    return len(mails)


def _confirming(page: ReviewPage, token: str, language: str) -> str:
    return f"{page.public_url}/confirm/{token}{f'?lang={language}' if language else ''}"


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
    notifications.tell(page.account, RECEIVED, "review_received", context)
