"""Submitting a testimonial as a guest.

It is always stored, it is marked if it looks like spam, and the owner is notified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Upload
from workspace.delivery import mail, notifications
from workspace.delivery.mail import PreparedEmail
from workspace.delivery.notifications import NotificationKind, OwnerEmail
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.domain.testimonial_form import TestimonialInput
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM_PURPOSE, SOURCE_PAGE, build_search_text
from workspace.publishing import guest_links
from workspace.publishing.locale import current_locale
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.files.images import ImageData

CONFIRMATION_TEMPLATE = "review_confirm"
LINK_LIFETIME = timedelta(days=7)
DUPLICATE_WINDOW = timedelta(hours=1)  # an identical text within this time counts as a double click
REVIEW_NOTIFICATION = NotificationKind(
    "review.received", owner_gettext_lazy("Reviews"), owner_gettext_lazy("A guest leaves a review"), "/app/reviews"
)
_LINK_PATTERN = re.compile(r"https?://|www\.|\[url", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NewTestimonial:
    """A testimonial before it is stored, and the emails about it.

    `token` belongs to the link in the writer's email.
    """

    page: ReviewPage
    testimonial: Testimonial
    owner_email: OwnerEmail | None = None
    writer_email: PreparedEmail | None = None
    token: str = ""


def prepare_testimonial(
    page: ReviewPage, testimonial_input: TestimonialInput, *, suspicion: str = ""
) -> NewTestimonial:
    """Build a testimonial and render its emails before the transaction. No emails are sent for suspected spam."""
    testimonial = Testimonial(
        account=page.account,
        page=page,
        source=SOURCE_PAGE,
        consented_at=clock.now() if testimonial_input.consent else None,
        consent_text=testimonial_input.words if testimonial_input.consent else "",
        suspicion=suspicion or ("links" if _LINK_PATTERN.search(testimonial_input.text) else ""),
        language=current_locale().language,
        **testimonial_input.model_dump(exclude={"consent", "words"}),
    )
    testimonial.search = build_search_text(testimonial)
    if testimonial.suspicion:
        return NewTestimonial(page, testimonial)
    owner_email = _prepare_owner_email(page, testimonial)
    if not testimonial.email:
        return NewTestimonial(page, testimonial, owner_email)
    token = guest_links.new_token()
    _, context, language = _confirmation_email(page, testimonial, token)
    letter = mail.prepare_email(
        CONFIRMATION_TEMPLATE,
        testimonial.email,
        context,
        account=page.account,
        language=language,
        dedupe=f"review-confirm:{testimonial.pk}",
    )
    return NewTestimonial(page, testimonial, owner_email, letter, token)


def save_testimonial(
    new: NewTestimonial, *, photo: ImageData | None = None, is_flood: Callable[[], bool] = bool
) -> bool:
    """Store the testimonial as pending in the caller's transaction. Return whether a confirmation link was emailed.

    Email the owner, and email the confirmation link to the writer. A repeated submission is stored only once.
    `is_flood` is called only if the testimonial is not suspicious for another reason.
    """
    page, testimonial = new.page, new.testimonial
    since = clock.now() - DUPLICATE_WINDOW
    same = _same_testimonials.fetch(page, since, testimonial.text, testimonial.name, testimonial.email)
    if testimonial.rating in same:
        return bool(testimonial.email)
    testimonial.suspicion = testimonial.suspicion or ("many" if is_flood() else "")
    testimonial.photo = _claim_photo(page, photo)
    testimonial.save(force_insert=True)
    with journal.record_journal():  # the journal shows that no searchable words have changed
        page.mark_changed()
    if testimonial.suspicion:
        return False
    if new.owner_email is not None:
        new.owner_email.queue()
    return new.writer_email is not None and _send_confirmation_link(new, new.writer_email)


def _send_confirmation_link(new: NewTestimonial, letter: PreparedEmail) -> bool:
    """Store the link and email it, unless the address has received enough of them today."""
    testimonial = new.testimonial
    tokens = guest_links.create_links(
        new.page.account,
        CONFIRM_PURPOSE,
        {testimonial.pk: testimonial.email},
        lifetime=LINK_LIFETIME,
        new_tokens={testimonial.pk: new.token},
    )
    if tokens:
        mail.queue_emails([letter], account=new.page.account)
    return bool(tokens)


def send_confirmation_links(page: ReviewPage, testimonials: Sequence[Testimonial]) -> int:
    """Email confirmation links with a few queries. Return the number of emails.

    An address that has already received too many today is skipped. This prevents harassment.
    """
    subjects = {
        testimonial.pk: testimonial.email
        for testimonial in testimonials
        if testimonial.email and testimonial.verified_at is None
    }
    if not subjects:
        return 0
    tokens = guest_links.create_links(page.account, CONFIRM_PURPOSE, subjects, lifetime=LINK_LIFETIME)
    mails = [
        _confirmation_email(page, testimonial, tokens[testimonial.pk])
        for testimonial in testimonials
        if testimonial.pk in tokens
    ]
    mail.send_many(CONFIRMATION_TEMPLATE, mails, account=page.account)
    return len(mails)


def _confirmation_email(page: ReviewPage, testimonial: Testimonial, token: str) -> tuple[str, dict[str, Any], str]:
    """Return the address, the context and the language of the email with the link."""
    language = testimonial.language
    url = f"{page.public_url}/confirm/{token}{f'?lang={language}' if language else ''}"
    return testimonial.email, {"business": page.account.name, "title": page.title, "url": url}, language


def _claim_photo(page: ReviewPage, photo: ImageData | None) -> Upload | None:
    if photo is None:
        return None
    try:
        return Upload.claim(page.account, Upload.create_image(page.account, photo).pk, "photo")
    except OperationNotAllowedError:  # too many unused uploads, but the text is more important
        return None


def _prepare_owner_email(page: ReviewPage, testimonial: Testimonial) -> OwnerEmail:
    context = {"page": page, "testimonial": testimonial, "business": page.account.name}
    context["stars"] = "★" * (testimonial.rating or 0) + "☆" * (5 - (testimonial.rating or 0))
    context["path"] = f"/app/reviews/{page.pk}/items/{testimonial.pk}"
    return notifications.prepare_owner_email(page.account, REVIEW_NOTIFICATION, "owner/review_received", context)


@compile_once
def _same_testimonials(
    page: ReviewPage, since: datetime, text: str, name: str, email: str
) -> QuerySet[Testimonial, int | None]:
    """Return the ratings of testimonials with the same words."""
    same = Testimonial.objects.filter(page=page, created_at__gt=since, text=text, name=name, email=email)
    return same.order_by().values_list("rating", flat=True)
