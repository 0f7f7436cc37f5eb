"""The page where guests resume unsent answers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from workspace.products.form.domain import save_and_resume
from workspace.products.form.domain.posted_answers import FormPost, default_answers
from workspace.products.form.domain.submissions import today_for
from workspace.products.form.models import Form
from workspace.products.form.public.context import FormView, find_reached_page
from workspace.products.form.public.views import (
    find_version,
    render_again,
    render_message,
    use_form_language,
)
from workspace.products.form.rules.evaluation import evaluate_form
from workspace.publishing import guest_links
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume


def resume(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """Show the form at the page on which the guest stopped: `/f/SLUG/later/TOKEN`."""
    form = Form.from_address(address)
    with use_form_language(form):
        response = (
            save_and_resume.find_unsent_response(form, token) if consume("form-resume", request, item=form.pk) else None
        )
        version = find_version(form, response.version) if response else None
        if response is None or version is None:
            text = gettext("This link has expired. The form was already submitted, or 30 days have passed.")
            return guest_links.private_response(render_message(form, text, 404))
        today = today_for(form.account)
        answers = {**default_answers(version.body), **response.answers}
        outcome = evaluate_form(version.body, answers, today)
        sheet = FormView(version, answers, outcome, find_reached_page(outcome, response.page), today)
        post = FormPost(answers, resume_token=token)
        return guest_links.private_response(render_again(request, form, version, post, sheet, 200))
