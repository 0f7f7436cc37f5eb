"""Saving unsent answers under a link that is emailed to the address which the guest enters.

Consents and signatures are not saved. They must be given again.
"""

from __future__ import annotations

from datetime import timedelta
from secrets import token_urlsafe

from django.http import HttpRequest
from django.utils.translation import gettext

from workspace.delivery import mail
from workspace.products.form.domain.error_messages import error_message
from workspace.products.form.domain.posted_answers import FormPost
from workspace.products.form.domain.submissions import UNSENT_RETENTION, find_unsent, save_unsent
from workspace.products.form.models import PARTIAL, Form, FormVersion, Response
from workspace.products.form.models.response import hash_token
from workspace.products.form.rules import answer_validation
from workspace.products.form.rules.definition_fields import answerable_fields
from workspace.public_site.guest_page import GuestActionDeclinedError, guest_transaction
from workspace.publishing import guest_links
from workspace.publishing.locale import current_locale
from workspace.rate_limits.counter import consume

LINK_PURPOSE = "form.later"
EMAIL_FIELD = {"type": "email"}  # the field type of the address
LIFETIME: timedelta = UNSENT_RETENTION
_UNSAVED_TYPES = ("consent", "signature")


def save_for_later(request: HttpRequest, form: Form, version: FormVersion, post: FormPost, page: str) -> str:
    """Save the answers and email the link. Return the email address.

    Raise GuestActionDeclinedError with a message for the guest, or ItemGoneError.
    """
    address, code = answer_validation.parse_answer(EMAIL_FIELD, request.POST.get("later", "")[:300], "")
    if code or not isinstance(address, str):
        text = error_message(EMAIL_FIELD, answer_validation.INVALID, "")
        raise GuestActionDeclinedError(text)
    if not consume("form-save", request, item=form.pk):
        raise GuestActionDeclinedError(gettext("You’ve sent this form several times. Try again in an hour."), 429)
    moment = {field["key"] for field in answerable_fields(version.body) if field["type"] in _UNSAVED_TYPES}
    answers = {key: value for key, value in post.answers.items() if key not in moment}
    with guest_transaction(form.publication_id):
        token = guest_links.create_link(form.account, LINK_PURPOSE, token_urlsafe(12), to=address, lifetime=LIFETIME)
        if token is None:
            raise GuestActionDeclinedError(
                gettext("We’ve already sent several links to this address today. Use the latest one."), 429
            )
        if post.resume_token:
            Response.objects.filter(form=form, folder=PARTIAL, dedupe_key=hash_token(post.resume_token)).delete()
        save_unsent(
            form, version.number, answers, page, resume=token, language=current_locale().language, email=address
        )
        url = current_locale().localize_url(f"{form.public_url}/later/{token}")
        context = {"form": form, "business": form.account.name, "url": url}
        mail.send("form_resume", address, context, account=form.account, language=current_locale().language)
    return address


def find_unsent_response(form: Form, token: str) -> Response | None:
    """Return the unsent response with the token of this link, or None."""
    return find_unsent(form, token) if guest_links.find_subject(token, LINK_PURPOSE) else None
