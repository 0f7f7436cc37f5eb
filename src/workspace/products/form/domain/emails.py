"""Mails about a response: to the owner, to others that the owner names, and a receipt to the guest."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings

from workspace.delivery import mail, notifications
from workspace.delivery.notifications import Kind
from workspace.products.form.domain.response_data import response_rows
from workspace.products.form.models import Response
from workspace.publishing.call_to_action import language_of
from workspace.publishing.locale import voice

logger = logging.getLogger(__name__)
RESPONSES = Kind("form.response", "Form responses", "Somebody answered one of your forms", "/app/form")
MOST_SHOWN = 60  # answers in a mail


def tell(response: Response) -> None:
    """Within the transaction that keeps the response."""
    form = response.form
    [row] = response_rows([response])
    context: dict[str, Any] = {
        "form": form,
        "row": row,
        "answers": row["labelled"][:MOST_SHOWN],
        "business": form.account.name,
        "url": f"{settings.BASE_URL}/app/form/{form.pk}/responses",
    }
    reply_to = response.email or None
    notifications.tell(form.account, RESPONSES, "form_response", context, reply_to=reply_to)
    for address in form.notify:
        _send("form_notice", address, context, response, reply_to=reply_to, language=language_of(form.account))
    if form.receipt and response.email:
        language = form.language or response.language or voice().language
        _send("form_receipt", response.email, context, response, language=language)


def _send(template: str, to: str, context: dict[str, Any], response: Response, **more: Any) -> None:
    """A mail that cannot be written is logged: what came in is worth more."""
    dedupe = f"{template}:{response.pk}:{to}"[:200]
    try:
        mail.send(template, to, context, account=response.account, dedupe=dedupe, **more)
    except ValueError:
        logger.info("A mail about the response %s cannot be written", response.pk)
