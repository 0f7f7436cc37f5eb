"""Further guest pages of a form: thanks, resuming unsent answers, and progress reported by the script."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.products.form.api.response_stats import PAGE_EVENT, START_EVENT
from workspace.products.form.domain import save_and_resume
from workspace.products.form.domain.posted_answers import FormPost, default_answers
from workspace.products.form.domain.submissions import today_for
from workspace.products.form.models import Form
from workspace.products.form.public.context import FormView, find_reached_page
from workspace.products.form.public.views import (
    build_context,
    find_version,
    page,
    render_again,
    render_message,
    use_form_language,
)
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.public_site import guest_page
from workspace.public_site.active_frame import current_frame
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing import guest_links
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume


def record_progress(request: HttpRequest, address: Address) -> HttpResponse:
    """Count the first answer, and each page reached after the first. The guest's script reports them."""
    if request.method != "POST":
        return page(request, address)
    key = request.POST.get("page", "")
    if is_same_origin(request) and consume("form-progress", request, item=address.publication_id):
        if not key:
            guest_page.count_visit(request, address.publication, START_EVENT)
        elif any(page["key"] == key for page in Form.from_address(address).definition["pages"]):
            guest_page.count_visit(request, address.publication, PAGE_EVENT, part=key)
    return HttpResponse(status=204)


@require_safe
def thank_you(request: HttpRequest, address: Address) -> HttpResponse:
    form = Form.from_address(address)
    number = request.GET.get("number", "")
    with use_form_language(form):
        context = {**build_context(form), "number": number if number.isalnum() and len(number) <= 12 else ""}
        context |= {"mailed": "mail" in request.GET, "again": not form.closed_reason() and not form.one_per_email}
        # inside a website's iframe, other pages cannot be opened in the frame
        context["onward"] = form.redirect_url if current_frame() is not None else ""
        response = render(request, "form/thank_you.html", context)
        response.headers["Content-Language"] = current_locale().language
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def resume(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """Show the form where the guest stopped: `/f/SLUG/later/TOKEN`."""
    form = Form.from_address(address)
    with use_form_language(form):
        response = (
            save_and_resume.find_unsent_response(form, token) if consume("form-resume", request, item=form.pk) else None
        )
        version = find_version(form, response.version) if response else None
        if response is None or version is None:
            text = gettext("This link is over: the form has been sent, or 30 days have passed.")
            return guest_links.private_response(render_message(form, text, 404))
        today = today_for(form.account)
        answers = {**default_answers(version.body), **response.answers}
        outcome = evaluate_form(version.body, answers, today)
        sheet = FormView(version, answers, outcome, find_reached_page(outcome, response.page), today)
        post = FormPost(answers, resume_token=token)
        return guest_links.private_response(render_again(request, form, version, post, sheet, 200))
