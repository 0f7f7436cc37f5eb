"""Emails about a response: to the owner, to additional recipients, and a receipt to the guest."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings

from workspace.delivery import mail, notifications
from workspace.delivery.notifications import NotificationKind
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.domain.response_data import list_response_data
from workspace.products.form.models import Response
from workspace.publishing.guest_language import guest_language
from workspace.publishing.locale import current_locale

logger = logging.getLogger(__name__)
RESPONSE_NOTIFICATION = NotificationKind(
    "form.response",
    owner_gettext_lazy("Form responses"),
    owner_gettext_lazy("Someone fills out one of your forms"),
    "/app/form",
)
MAX_ANSWERS = 60  # answers in an email


def notify_response(response: Response) -> None:
    """Send the emails about a response. Call it in the transaction that saves the response."""
    form = response.form
    [row] = list_response_data([response])
    context: dict[str, Any] = {
        "form": form,
        "row": row,
        "answers": row["labelled"][:MAX_ANSWERS],
        "business": form.account.name,
        "url": f"{settings.BASE_URL}/app/form/{form.pk}/responses",
    }
    reply_to = response.email or None
    notifications.notify_owner(form.account, RESPONSE_NOTIFICATION, "owner/form_response", context, reply_to=reply_to)
    for address in form.notify:
        _send_email("form_notice", address, context, response, reply_to=reply_to, language=guest_language(form.account))
    if form.receipt and response.email:
        language = form.language or response.language or current_locale().language
        _send_email("form_receipt", response.email, context, response, language=language)


def _send_email(template: str, to: str, context: dict[str, Any], response: Response, **more: Any) -> None:
    """Send an email. If that fails, only log it, because saving the response is more important."""
    dedupe = f"{template}:{response.pk}:{to}"[:200]
    try:
        mail.send(template, to, context, account=response.account, dedupe=dedupe, **more)
    except ValueError:
        logger.info("A mail about the response %s cannot be written", response.pk)
