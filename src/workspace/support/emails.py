"""Emails of support: confirmations and answers to the sender, and each message to the administrator."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from workspace.accounts.plans import PRODUCTS
from workspace.delivery import mail
from workspace.lib.ids import new_id
from workspace.support import message_ids
from workspace.support.models import Message, Ticket

REPLY_MARKER = "## Write above this line ##"
MAX_REFERENCES = 20


def outgoing_message_id(ticket: Ticket, message: Message) -> str:
    return message_ids.build_message_id(ticket.pk, message.pk)


def ticket_url(ticket: Ticket) -> str:
    """Return the URL of the ticket for its owner."""
    return f"{settings.BASE_URL}/app/support/{ticket.key}"


def notify_received(ticket: Ticket) -> None:
    """Confirm to the sender that their ticket was received, and state its number."""
    _send_email("owner/support_received", ticket, None, dedupe=f"{ticket.email_key}:received")


def email_answer(ticket: Ticket, message: Message, attachments: Sequence[mail.Attachment] = ()) -> None:
    _send_email("owner/support_answer", ticket, message, attachments=attachments)


def notify_closed(ticket: Ticket, *, is_idle: bool) -> None:
    """Notify the sender that the ticket is closed.

    `is_idle` means that it was closed a week after an answer.
    """
    _send_email("owner/support_closed_idle" if is_idle else "owner/support_closed", ticket, None)


def notify_operator(ticket: Ticket, message: Message, *, is_new: bool) -> None:
    """Notify the administrator immediately, if their address is configured."""
    if not settings.OPERATOR_EMAIL:
        return
    context = {
        "ticket": ticket,
        "text": message.text,
        "product": PRODUCTS[ticket.product].title if ticket.product in PRODUCTS else "",
        "business": ticket.account.name if ticket.account else ticket.email,
        "page": f"{settings.BASE_URL}/app/inbox/{ticket.key}",
    }
    template = "owner/support_ticket_opened" if is_new else "owner/support_ticket_reply"
    mail.send(template, settings.OPERATOR_EMAIL, context, dedupe=f"{ticket.email_key}:operator:{message.pk}")


def _send_email(
    template: str,
    ticket: Ticket,
    message: Message | None,
    *,
    dedupe: str | None = None,
    attachments: Sequence[mail.Attachment] = (),
) -> None:
    known = list(
        ticket.messages.exclude(message_id=None).order_by("created_at", "id").values_list("message_id", flat=True)
    )
    own = message.message_id if message else None
    before = [one for one in known if one and one != own][-MAX_REFERENCES:]
    headers = {"In-Reply-To": before[-1], "References": " ".join(before)} if before else {}
    headers["Message-ID"] = own or message_ids.build_message_id(ticket.pk, new_id("msg"))
    context = {
        "ticket": ticket,
        "text": message.text if message else "",
        "page": ticket_url(ticket) if ticket.account_id else "",
        "above": REPLY_MARKER if message_ids.is_configured() else "",
        "by_mail": message_ids.is_configured(),
    }
    reply_to = message_ids.reply_address(ticket.pk)
    mail.send(
        template,
        ticket.email,
        context,
        account=ticket.account,
        reply_to=reply_to,
        headers=headers,
        dedupe=dedupe,
        attachments=attachments,
    )
