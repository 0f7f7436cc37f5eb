"""What stands beside a form's page: the thanks behind it, the way back to what was begun, and what its script tells."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.products.form.api.response_stats import PAGE, START
from workspace.products.form.domain import save_and_resume
from workspace.products.form.domain.posted_answers import Posted, begun
from workspace.products.form.domain.submissions import today_of
from workspace.products.form.models import Form
from workspace.products.form.public.context import Sheet, placed
from workspace.products.form.public.views import (
    STEPS,
    context_of,
    drawn_again,
    in_its_language,
    page,
    told_page,
    version_of,
)
from workspace.products.form.rules.evaluation import evaluate
from workspace.public_site import guest_page
from workspace.public_site.active_frame import frame
from workspace.public_site.guest_form import HOUR
from workspace.public_site.spam_protection import allow, same_origin
from workspace.publishing import guest_links
from workspace.publishing.locale import voice
from workspace.publishing.models import Address


def started(request: HttpRequest, address: Address) -> HttpResponse:
    """A guest's script tells of the first answer, and of each page that is reached behind the first one."""
    if request.method != "POST":
        return page(request, address)
    key = request.POST.get("page", "")
    if same_origin(request) and allow(request, f"form-starts:{address.publication_id}", limit=STEPS, window=HOUR):
        if not key:
            guest_page.count(request, address.publication, START)
        elif any(one["key"] == key for one in Form.at(address).definition["pages"]):
            guest_page.count(request, address.publication, PAGE, part=key)
    return HttpResponse(status=204)


@require_safe
def thanks(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.at(address)
    number = request.GET.get("number", "")
    with in_its_language(form):
        context = {**context_of(form), "number": number if number.isalnum() and len(number) <= 12 else ""}
        context |= {"mailed": "mail" in request.GET, "again": not form.closed() and not form.one_per_email}
        # beside a website's own words another page does not come up in the frame
        context["onward"] = form.redirect_url if frame() is not None else ""
        response = render(request, "form/thanks.html", context)
        response.headers["Content-Language"] = voice().language
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def resume(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """`/f/SLUG/later/TOKEN`: the form where somebody stopped."""
    form = Form.at(address)
    with in_its_language(form):
        kept = (
            save_and_resume.found(form, token)
            if allow(request, f"form-resume:{form.pk}", limit=STEPS, window=HOUR)
            else None
        )
        version = version_of(form, kept.version) if kept else None
        if kept is None or version is None:
            told = gettext("This link is over: the form has been sent, or 30 days have passed.")
            return guest_links.sealed(told_page(form, told, 404))
        today = today_of(form.account)
        answers = {**begun(version.body), **kept.answers}
        outcome = evaluate(version.body, answers, today)
        sheet = Sheet(version, answers, outcome, placed(outcome, kept.page), today)
        posted = Posted(answers, resume=token)
        return guest_links.sealed(drawn_again(request, form, version, posted, sheet, 200))
