"""The page that collects at `/r/SLUG`: shown to guests, sent by them, and the thanks after it."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from workspace.products.reviews.form import STARS, Form
from workspace.products.reviews.leaving import leave
from workspace.products.reviews.models import KIND
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.products.reviews.part import page_at
from workspace.publishing import own_code
from workspace.publishing.guest_page import acting, answer, gone, refuse, told
from workspace.publishing.guests import Verdict, allow, hidden_fields, judge, trusted_by_work
from workspace.publishing.models import Address, Gone, State
from workspace.publishing.page_cache import Drawn
from workspace.toolkit import clock

HOUR = 3600
USUAL, MOST = 3, 30  # testimonials an hour from one place: more are marked; forms an hour: more are refused
FRESH = timedelta(days=1)  # the form's stamp is good for a week; a page that is kept is drawn anew long before
_FORM = "review"


# no cookie is set for guests, so there is no token to compare: `judge` looks at where the form came from
@csrf_exempt
def collect(request: HttpRequest, slug: str) -> HttpResponse:
    """`/r/SLUG`: the form, or what it brings. A POST with a password opens a protected page instead."""
    if request.method != "POST" or "password" in request.POST:
        return answer(request, KIND, slug, lambda address: Drawn(_html(address, Form()), clock.now() + FRESH))
    address = Address.find(KIND, slug)
    if (refusal := refuse(request, KIND, address)) is not None or address is None:
        return refusal or told(request, KIND, "unknown")
    verdict = judge(request, _FORM)
    is_welcome = verdict not in (Verdict.FOREIGN, Verdict.STALE)
    is_allowed = is_welcome and allow(request, f"review:{address.publication_id}", limit=MOST, window=HOUR)
    form = Form.of(request, with_photo=is_allowed)
    if not is_welcome:
        form.problems["form"] = verdict.advice
    elif not is_allowed:
        form.problems["form"] = "Many reviews came from this place just now. Please send yours again in an hour."
        return _again(address, form, 429)
    if form.problems:
        return _again(address, form, form.busy.status if form.busy else 400)
    suspicion = _suspicion(request, address, verdict)
    try:
        with acting(address.publication_id):
            mailed = leave(page_at(address), form.words, photo=form.photo, suspicion=suspicion)
    except Gone:
        return gone(request, KIND, slug)
    # a redirect, so that reloading does not send it again
    thanked = reverse("review-thanks", args=[address.slug]) + ("?mail" if mailed else "")
    return HttpResponse(status=303, headers={"Location": thanked})


def thanks(request: HttpRequest, slug: str) -> HttpResponse:
    """What everybody reads after sending, happy or not."""
    address = Address.find(KIND, slug)
    if (refusal := refuse(request, KIND, address)) is not None or address is None:
        return refusal or told(request, KIND, "unknown")
    page = page_at(address)
    context = {"page": page, "business": page.account.name, "mail": "mail" in request.GET}
    response = render(request, "reviews/thanks.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def picture(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """`/r/SLUG.svg` and `.png?size=`: the page's own code, for the counter and the receipt."""
    address = Address.find(KIND, slug)
    if address is None or address.publication.state in (State.BANNED, State.DELETED):
        return told(request, KIND, "unknown")
    page = page_at(address)
    text = page.url.upper()  # in upper case it takes fewer modules
    tag = f"{page.publication_id}-{page.slug}"
    return own_code.picture(request, text, form, etag=tag, file_name=f"reviews-{page.slug}", title=page.title)


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
    return "" if trusted_by_work(request, _FORM) else mark


def _again(address: Address, form: Form, status: int) -> HttpResponse:
    response = HttpResponse(_html(address, form), status=status)
    response.headers["Cache-Control"] = "no-store"
    if form.busy:
        response.headers["Retry-After"] = str(form.busy.retry_after)
    return response


def _html(address: Address, form: Form) -> str:
    page = page_at(address)
    context = {
        "page": page,
        "business": page.account.name,
        "form": form,
        "stars": STARS.items(),
        "relationships": RELATIONSHIPS.items(),
        "hidden_fields": hidden_fields(_FORM),
        "address": address,
    }
    return render_to_string("reviews/collect.html", context)
