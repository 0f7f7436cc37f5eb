"""The mails of support: received, answer and closed to who asked, and each question to the operator at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery
from workspace.lib.ids import new_id
from workspace.storage.database.prefix_lookup import begins
from workspace.support import message_ids
from workspace.support.models import Message, Ticket

ABOVE = "## Write above this line ##"
MOST_REFERENCES = 20


def outgoing_id(ticket: Ticket, message: Message) -> str:
    return message_ids.message_id(ticket.pk, message.pk)


def page_of(ticket: Ticket) -> str:
    return f"{settings.BASE_URL}/app/support/{ticket.key}"


def tell_received(ticket: Ticket) -> None:
    """To who asked: their number, and how it goes on."""
    _send("support_received", ticket, None, dedupe=f"{_of(ticket)}:received")


def tell_answer(ticket: Ticket, message: Message, enclosed: Sequence[mail.Attachment] = ()) -> None:
    _send("support_answer", ticket, message, enclosed=enclosed)


def tell_closed(ticket: Ticket, *, rested: bool) -> None:
    """`rested`: nobody closed it, it was answered a week ago."""
    _send("support_closed", ticket, None, rested=rested)


def tell_operator(ticket: Ticket, message: Message, *, is_new: bool) -> None:
    """At once, where the installation says to whom."""
    if not settings.OPERATOR_EMAIL:
        return
    told = {
        "ticket": ticket,
        "text": message.text,
        "is_new": is_new,
        "business": ticket.account.name if ticket.account else ticket.email,
        "page": f"{settings.BASE_URL}/app/inbox/{ticket.key}",
    }
    mail.send("support_operator", settings.OPERATOR_EMAIL, told, dedupe=f"{_of(ticket)}:operator:{message.pk}")


def take_back(ticket: Ticket) -> None:
    """Of a ticket that is withdrawn: its mails do not leave, and the operator hears of it where theirs had left."""
    outbox.withdraw(_of(ticket))
    if settings.OPERATOR_EMAIL and Delivery.objects.filter(begins("dedupe", f"{_of(ticket)}:operator:")).exists():
        mail.send("support_withdrawn", settings.OPERATOR_EMAIL, {"ticket": ticket})


def _of(ticket: Ticket) -> str:
    return f"support:{ticket.key}"


def _send(
    template: str,
    ticket: Ticket,
    message: Message | None,
    *,
    dedupe: str | None = None,
    enclosed: Sequence[mail.Attachment] = (),
    **more: object,
) -> None:
    known = list(ticket.messages.exclude(message_id=None).order_by("at", "id").values_list("message_id", flat=True))
    own = message.message_id if message else None
    before = [one for one in known if one and one != own][-MOST_REFERENCES:]
    headers = {"In-Reply-To": before[-1], "References": " ".join(before)} if before else {}
    headers["Message-ID"] = own or message_ids.message_id(ticket.pk, new_id("msg"))
    told = {
        "ticket": ticket,
        "text": message.text if message else "",
        "page": page_of(ticket) if ticket.account_id else "",
        "above": ABOVE if message_ids.is_set_up() else "",
        "by_mail": message_ids.is_set_up(),
        **more,
    }
    reply_to = message_ids.reply_to(ticket.pk)
    mail.send(
        template,
        ticket.email,
        told,
        account=ticket.account,
        reply_to=reply_to,
        headers=headers,
        dedupe=dedupe,
        attachments=enclosed,
    )
