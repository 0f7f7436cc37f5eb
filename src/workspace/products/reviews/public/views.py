"""The review page at `/r/SLUG`: the form, its submission, and the thank-you page."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from workspace.lib import clock
from workspace.products.reviews.domain.submission import prepare_testimonial, save_testimonial
from workspace.products.reviews.domain.testimonial_form import REVIEW_FORM, STAR_VALUES, TestimonialInput, read_photo
from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.public_site import guest_form, guest_page
from workspace.public_site.guest_form import WHOLE_FORM, FormState, sign_words
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.public_site.spam_protection import (
    SpamVerdict,
    check_submission,
    has_proof_of_work,
    render_hidden_fields,
)
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume

SECOND_STEP = "words"  # the step after the stars
MAX_AGE = timedelta(days=1)  # the form's stamp is valid for a week; a cached page is rendered again earlier


def collect(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the form at `/r/SLUG`, or the result of its submission."""
    if request.method != "POST":
        # the owner can preview the second step, which guests see after choosing stars
        is_second = guest_page.is_preview(request, address.publication) and request.GET.get("step") == SECOND_STEP
        return guest_page.render_page(
            request, address, partial(_render_page, rating=STAR_VALUES[-1] if is_second else "")
        )
    return _handle_submission(request, address)


def _handle_submission(request: HttpRequest, address: Address) -> HttpResponse:
    """Handle a submission.

    Suspected spam is stored and marked, so the steps differ from those of other forms. The rate limit is checked before
    the photo, which is expensive to read.
    """
    page = ReviewPage.from_address(address)
    verdict = check_submission(request, REVIEW_FORM.name, delays_hasty=False)
    sheet = guest_form.parse_form(request, TestimonialInput)
    if verdict in (SpamVerdict.FOREIGN, SpamVerdict.STALE):
        sheet.problems[WHOLE_FORM] = verdict.advice
        return _render_form(request, page, sheet, 400)
    # without a photo, no step before the write is expensive
    if not consume(REVIEW_FORM.name, request, item=address.publication_id, joins_write=not request.FILES):
        sheet.problems[WHOLE_FORM] = gettext("Too many reviews were sent from this network. Try again in an hour.")
        return _render_form(request, page, sheet, 429)
    photo = read_photo(request)
    if photo.problem:
        sheet.problems["photo"] = photo.problem
    if sheet.data is None or sheet.problems:
        response = _render_form(request, page, sheet, photo.status, has_photo=photo.picture is not None)
        if photo.retry_after:
            response.headers["Retry-After"] = photo.retry_after
        return response
    new = prepare_testimonial(page, sheet.data, suspicion=_find_suspicion(request, verdict))
    is_flood = partial(_is_flood, request, address) if verdict is SpamVerdict.FINE else bool
    try:
        with guest_page.guest_transaction(address.publication_id):
            mailed = save_testimonial(new, photo=photo.picture, is_flood=is_flood)
    except GuestActionDeclinedError as declined:
        sheet.problems[WHOLE_FORM] = declined.message
        return _render_form(request, page, sheet, declined.status)
    # redirect, so that a reload does not submit again
    return HttpResponseRedirect(
        current_locale().localize_url(f"/r/{address.slug}/thanks{'?mail' if mailed else ''}"), status=303
    )


@require_safe
def thanks(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the thank-you page, which is the same for all ratings."""
    page = ReviewPage.from_address(address)
    context = {
        "page": page,
        "look": page.style,
        "business": page.account.name,
        "thanks": page.translate_default(page.thank_you),
    }
    context["mail"] = "mail" in request.GET
    response = render(request, "reviews/thank_you.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _find_suspicion(request: HttpRequest, verdict: SpamVerdict) -> str:
    """Return why this may be spam. The review is stored anyway, because some people type fast."""
    if verdict is SpamVerdict.TRAPPED:
        return "trap"
    return "hasty" if verdict is SpamVerdict.HASTY and not has_proof_of_work(request, REVIEW_FORM.name) else ""


def _is_flood(request: HttpRequest, address: Address) -> bool:
    """Count a review that is not suspicious, and return whether there were too many of them."""
    granted = consume("review-unsuspected", request, item=address.publication_id)
    return not granted and not has_proof_of_work(request, REVIEW_FORM.name)


def _render_form(
    request: HttpRequest, page: ReviewPage, sheet: FormState[TestimonialInput], status: int, *, has_photo: bool = False
) -> HttpResponse:
    return guest_form.render_form(request, REVIEW_FORM, build_context(page), sheet, status=status, has_photo=has_photo)


def _render_page(address: Address, *, rating: str) -> RenderedPage:
    page = ReviewPage.from_address(address)
    context = {
        **build_context(page),
        "share": build_metadata(address, share_preview(page)),
        "sheet": FormState(TestimonialInput, {"rating": rating} if rating else {}),
        "hidden_fields": render_hidden_fields(REVIEW_FORM.name),
    }
    return RenderedPage(render_to_string(REVIEW_FORM.template, context), clock.now() + MAX_AGE)


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(ReviewPage.from_address(address))


def share_preview(page: ReviewPage) -> SharePreview:
    """Return the share preview of a page."""
    return SharePreview.from_brand(page.account, page.title, page.intro, style=page.style)


def build_context(page: ReviewPage) -> dict[str, object]:
    consent = page.translate_default(page.consent_text)
    return {
        "page": page,
        "look": page.style,
        "business": page.account.name,
        "stars": [(stars, ngettext("%(n)s star", "%(n)s stars", int(stars)) % {"n": stars}) for stars in STAR_VALUES],
        "relationships": [(tie, gettext(words)) for tie, words in RELATIONSHIPS.items()],
        "questions": [page.translate_default(question) for question in page.questions],
        "consent": consent,
        "words": sign_words(consent),
    }
