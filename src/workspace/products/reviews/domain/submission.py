"""Submitting a testimonial as a guest.

It is always stored, it is marked if it looks like spam, and the owner is notified.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from workspace.accounts.models import Upload
from workspace.delivery import mail, notifications
from workspace.delivery.notifications import NotificationKind
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.domain.testimonial_form import TestimonialInput
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM_PURPOSE, SOURCE_PAGE, build_search_text
from workspace.publishing import guest_links
from workspace.publishing.locale import current_locale
from workspace.storage.files.images import ImageData

LINK_LIFETIME = timedelta(days=7)
DUPLICATE_WINDOW = timedelta(hours=1)  # an identical text within this time counts as a double click
REVIEW_NOTIFICATION = NotificationKind(
    "review.received", owner_gettext_lazy("Reviews"), owner_gettext_lazy("A guest leaves a review"), "/app/reviews"
)
_LINK_PATTERN = re.compile(r"https?://|www\.|\[url", re.IGNORECASE)


def save_testimonial(
    page: ReviewPage, testimonial_input: TestimonialInput, *, photo: ImageData | None, suspicion: str = ""
) -> bool:
    """Store the testimonial as pending in the caller's transaction. Return whether a confirmation link was emailed.

    Email the owner, and email the confirmation link to the writer. A repeated submission is stored only once.
    """
    same = testimonial_input.model_dump(include={"rating", "text", "name", "email"})
    if Testimonial.objects.filter(page=page, created_at__gt=clock.now() - DUPLICATE_WINDOW, **same).exists():
        return bool(testimonial_input.email)
    testimonial = Testimonial(
        account=page.account,
        page=page,
        source=SOURCE_PAGE,
        consented_at=clock.now() if testimonial_input.consent else None,
        consent_text=testimonial_input.words if testimonial_input.consent else "",
        suspicion=suspicion or ("links" if _LINK_PATTERN.search(testimonial_input.text) else ""),
        photo=_claim_photo(page, photo),
        language=current_locale().language,
        **testimonial_input.model_dump(exclude={"consent", "words"}),
    )
    testimonial.search = build_search_text(testimonial)
    testimonial.save(force_insert=True)
    page.mark_changed()
    if testimonial.suspicion:  # suspected spam sends no emails
        return False
    _notify_owner(page, testimonial)
    return send_confirmation_links(page, [testimonial]) > 0


def send_confirmation_links(page: ReviewPage, testimonials: Sequence[Testimonial]) -> int:
    """Email confirmation links with a few queries. Return the number of emails.

    An address that has received enough of them today is skipped, so that no one can harass a stranger.
    """
    subjects = {
        testimonial.pk: testimonial.email
        for testimonial in testimonials
        if testimonial.email and testimonial.verified_at is None
    }
    if not subjects:
        return 0
    tokens = guest_links.create_links(page.account, CONFIRM_PURPOSE, subjects, lifetime=LINK_LIFETIME)
    about = {"business": page.account.name, "title": page.title}
    languages = {testimonial.pk: testimonial.language for testimonial in testimonials}
    mails = [
        (subjects[id], {**about, "url": _confirmation_url(page, token, languages[id])}, languages[id])
        for id, token in tokens.items()
    ]
    mail.send_many("review_confirm", mails, account=page.account)
    return len(mails)


def _confirmation_url(page: ReviewPage, token: str, language: str) -> str:
    return f"{page.public_url}/confirm/{token}{f'?lang={language}' if language else ''}"


def _claim_photo(page: ReviewPage, photo: ImageData | None) -> Upload | None:
    if photo is None:
        return None
    try:
        return Upload.claim(page.account, Upload.create_image(page.account, photo).pk, "photo")
    except OperationNotAllowedError:  # too many unused uploads, but the text is more important
        return None


def _notify_owner(page: ReviewPage, testimonial: Testimonial) -> None:
    context = {"page": page, "testimonial": testimonial, "business": page.account.name}
    context["stars"] = "★" * (testimonial.rating or 0) + "☆" * (5 - (testimonial.rating or 0))
    context["path"] = f"/app/reviews/{page.pk}/items/{testimonial.pk}"
    notifications.notify_owner(page.account, REVIEW_NOTIFICATION, "owner/review_received", context)
