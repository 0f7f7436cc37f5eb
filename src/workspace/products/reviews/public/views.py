"""The page that collects at `/r/SLUG`: shown to guests, sent by them, and the thanks after it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from workspace.lib import clock
from workspace.products.reviews.domain.submission import leave
from workspace.products.reviews.domain.testimonial_form import FORM, STARS, Words, photo_of
from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.public_site import guest_form, guest_page
from workspace.public_site.guest_form import HOUR, WHOLE, Sheet, signed_words
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.public_site.spam_protection import Verdict, allow, hidden_fields, judge, trusted_by_work
from workspace.publishing.locale import voice
from workspace.publishing.models import Address

SECOND = "words"  # the step after the stars
USUAL = 3  # testimonials an hour from one place: more are marked, and beyond the form's own limit refused
FRESH = timedelta(days=1)  # the form's stamp is good for a week; a page that is kept is drawn anew long before


def collect(request: HttpRequest, address: Address) -> HttpResponse:
    """`/r/SLUG`: the form, or what it brings."""
    if request.method != "POST":
        # its owner may look at the second step, which guests see once they have chosen their stars
        is_second = guest_page.is_preview(request, address.publication) and request.GET.get("step") == SECOND
        return guest_page.show(request, address, partial(_drawn, rating=STARS[-1] if is_second else ""))
    return _take(request, address)


def _take(request: HttpRequest, address: Address) -> HttpResponse:
    """What looks like spam is kept and marked, so the steps are not those of every form: who comes too often is refused
    before the photo, which costs something, is looked at."""
    page = ReviewPage.at(address)
    verdict = judge(request, FORM.name, waits=False)
    sheet = guest_form.read(request, Words)
    if verdict in (Verdict.FOREIGN, Verdict.STALE):
        sheet.problems[WHOLE] = verdict.advice
        return _again(request, page, sheet, 400)
    if not allow(request, f"review:{address.publication_id}", limit=FORM.hourly, window=HOUR):
        sheet.problems[WHOLE] = gettext(
            "Many reviews came from this place just now. Please send yours again in an hour."
        )
        return _again(request, page, sheet, 429)
    photo = photo_of(request)
    if photo.problem:
        sheet.problems["photo"] = photo.problem
    if sheet.said is None or sheet.problems:
        response = _again(request, page, sheet, photo.status, has_photo=photo.picture is not None)
        if photo.retry_after:
            response.headers["Retry-After"] = photo.retry_after
        return response
    suspicion = _suspicion(request, address, verdict)
    with guest_page.acting(address.publication_id):
        mailed = leave(page, sheet.said, photo=photo.picture, suspicion=suspicion)
    # a redirect, so that reloading does not send it again
    return HttpResponseRedirect(voice().along(f"/r/{address.slug}/thanks{'?mail' if mailed else ''}"), status=303)


@require_safe
def thanks(request: HttpRequest, address: Address) -> HttpResponse:
    """What everybody reads after sending, happy or not."""
    page = ReviewPage.at(address)
    context = {"page": page, "look": page.look, "business": page.account.name, "thanks": page.spoken(page.thanks)}
    context["mail"] = "mail" in request.GET
    response = render(request, "reviews/thanks.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _suspicion(request: HttpRequest, address: Address, verdict: Verdict) -> str:
    """Why this may be spam. It is kept all the same: a person who types fast is still a person."""
    if verdict is Verdict.TRAPPED:
        return "trap"
    if verdict is Verdict.HASTY:
        mark = "hasty"
    elif allow(request, f"review-usual:{address.publication_id}", limit=USUAL, window=HOUR):
        return ""
    else:
        mark = "many"
    return "" if trusted_by_work(request, FORM.name) else mark


def _again(
    request: HttpRequest, page: ReviewPage, sheet: Sheet[Words], status: int, *, has_photo: bool = False
) -> HttpResponse:
    return guest_form.show(request, FORM, context_of(page), sheet, status=status, has_photo=has_photo)


def _drawn(address: Address, *, rating: str) -> Drawn:
    page = ReviewPage.at(address)
    context = {
        **context_of(page),
        "share": sharing(address, face_of(page)),
        "sheet": Sheet(Words, {"rating": rating} if rating else {}),
        "hidden_fields": hidden_fields(FORM.name),
    }
    return Drawn(render_to_string(FORM.template, context), clock.now() + FRESH)


def face_at(address: Address) -> Face:
    return face_of(ReviewPage.at(address))


def face_of(page: ReviewPage) -> Face:
    """What is seen of it where its address is sent."""
    return Face.of(page.account, page.title, page.intro, look=page.look)


def context_of(page: ReviewPage) -> dict[str, object]:
    consent = page.spoken(page.consent_text)
    return {
        "page": page,
        "look": page.look,
        "business": page.account.name,
        "stars": [(stars, ngettext("%(n)s star", "%(n)s stars", int(stars)) % {"n": stars}) for stars in STARS],
        "relationships": [(tie, gettext(words)) for tie, words in RELATIONSHIPS.items()],
        "questions": [page.spoken(question) for question in page.questions],
        "consent": consent,
        "words": signed_words(consent),
    }
