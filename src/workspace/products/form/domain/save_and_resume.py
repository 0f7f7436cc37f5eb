"""Going on later: what was answered is kept under a link that goes to the address which the guest types, once they ask
for it. Consent and signature are of the moment, and are given again."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_urlsafe

from django.http import HttpRequest
from django.utils.translation import gettext

from workspace.delivery import mail
from workspace.products.form.domain.error_messages import words
from workspace.products.form.domain.posted_answers import Posted
from workspace.products.form.domain.submissions import BEGUN_KEPT, begin, resumed
from workspace.products.form.models import PARTIAL, Form, FormVersion, Response
from workspace.products.form.models.response import hashed
from workspace.products.form.rules import answer_validation
from workspace.products.form.rules.form_output import asked
from workspace.public_site.guest_form import HOUR, Declined
from workspace.public_site.guest_page import acting
from workspace.public_site.spam_protection import allow
from workspace.publishing import guest_links
from workspace.publishing.locale import voice

PURPOSE = "form.later"
EMAIL = {"type": "email"}  # the field in which the address stands
HOURLY = 10  # links that one place may ask of a form
LASTS: timedelta = BEGUN_KEPT
_NOT_KEPT = ("consent", "signature")


def keep(request: HttpRequest, form: Form, version: FormVersion, posted: Posted, page: str) -> str:
    """Keep what was answered and mail the link; the address. Raises Declined with words for the guest, or Gone."""
    address, code = answer_validation.read(EMAIL, request.POST.get("later", "")[:300], "")
    if code or not isinstance(address, str):
        told = words(EMAIL, answer_validation.INVALID, "")
        raise Declined(told)
    if not allow(request, f"form-later:{form.pk}", limit=HOURLY, window=HOUR):
        raise Declined(gettext("You have sent this several times just now. Please come back in an hour."), 429)
    moment = {one["key"] for one in asked(version.body) if one["type"] in _NOT_KEPT}
    answers = {key: value for key, value in posted.answers.items() if key not in moment}
    with acting(form.publication_id):
        token = guest_links.mint(form.account, PURPOSE, token_urlsafe(12), to=address, lasts=LASTS)
        if token is None:
            raise Declined(gettext("Several links have gone to this address today. Please look for the last one."), 429)
        if posted.resume:
            Response.objects.filter(form=form, folder=PARTIAL, once=hashed(posted.resume)).delete()
        begin(form, version.number, answers, page, resume=token, language=voice().language, email=address)
        url = voice().along(f"{form.public_url}/later/{token}")
        context = {"form": form, "business": form.account.name, "url": url}
        mail.send("form_later", address, context, account=form.account, language=voice().language)
    return address


def found(form: Form, token: str) -> Response | None:
    """What was begun, by the token of its link, until it is sent."""
    return resumed(form, token) if guest_links.peek(token, PURPOSE) else None
