"""Emails about a response: to the owner, to additional recipients, and a receipt to the guest."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery import mail, notifications
from workspace.delivery.mail import PreparedEmail
from workspace.delivery.notifications import NotificationKind, OwnerEmail
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.form.domain.response_data import ResponseData
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


@dataclass(frozen=True, slots=True)
class ResponseEmails:
    """The rendered emails about a response."""

    account: Account
    to_owner: OwnerEmail
    others: list[PreparedEmail]

    def queue(self) -> None:
        """Send the emails in the transaction that saves the response."""
        self.to_owner.queue()
        if self.others:
            mail.queue_emails(self.others, account=self.account)


def prepare_response_emails(response: Response, row: ResponseData) -> ResponseEmails:
    """Render the emails about a response, even if it is not saved yet."""
    form = response.form
    context: dict[str, Any] = {
        "form": form,
        "row": row,
        "answers": row["labelled"][:MAX_ANSWERS],
        "business": form.account.name,
        "url": f"{settings.BASE_URL}/app/form/{form.pk}/responses",
    }
    reply_to = response.email or None
    to_owner = notifications.prepare_owner_email(
        form.account, RESPONSE_NOTIFICATION, "owner/form_response", context, reply_to=reply_to
    )
    language = guest_language(form.account)
    others = [
        _prepare_email("form_notice", address, context, response, reply_to=reply_to, language=language)
        for address in form.notify
    ]
    if form.receipt and response.email:
        language = form.language or response.language or current_locale().language
        others.append(_prepare_email("form_receipt", response.email, context, response, language=language))
    return ResponseEmails(form.account, to_owner, [email for email in others if email is not None])


def _prepare_email(
    template: str, to: str, context: dict[str, Any], response: Response, **more: Any
) -> PreparedEmail | None:
    """Render an email. If that fails, only log it, because saving the response is more important."""
    dedupe = f"{template}:{response.pk}:{to}"[:200]
    try:
        return mail.prepare_email(template, to, context, account=response.account, dedupe=dedupe, **more)
    except ValueError:
        logger.info("A mail about the response %s cannot be written", response.pk)
        return None
