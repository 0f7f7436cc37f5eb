"""Rules of tickets: opening, answering, closing, and limits.

Callers (tools, pages and inbound email) must have checked that the person is a participant.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import QuerySet

from workspace.accounts.models import Account, Upload
from workspace.accounts.models.upload import FILE, PICTURE
from workspace.delivery.mail import Attachment as Enclosed
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, OperationNotAllowedError
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task
from workspace.support import emails, messages
from workspace.support.models import Attachment, Message, Ticket
from workspace.support.models.ticket import ANSWERED, CLOSED, OPEN, TEAM, YOU

MAX_MESSAGES = 200  # in one ticket
MAX_ATTACHMENTS = 10  # in one message
CLOSE_AFTER = timedelta(days=7)  # after an answer
REOPEN_PERIOD = timedelta(days=30)  # after closing


def open_ticket(
    account: Account | None,
    email: str,
    subject: str,
    text: str,
    *,
    product: str = "",
    follows: Ticket | None = None,
    is_flagged: bool = False,
    mailed: Message | None = None,
) -> Ticket:
    """Open a ticket in the caller's transaction.

    `mailed` is the unsaved first message if it came by email. Raise OperationNotAllowedError after ten tickets within
    a day.
    """
    owner = {"account": account} if account else {"account": None, "email": email}
    opened = Ticket.objects.filter(**owner, created_at__gt=get_limit("ticket").window_start())
    allowance = consume("ticket", used=opened.count())
    if not allowance:
        raise OperationNotAllowedError(messages.TOO_MANY_TICKETS(limit=allowance.limit))
    ticket = Ticket.objects.create(
        account=account, email=email, subject=subject, product=product, previous_ticket=follows, is_flagged=is_flagged
    )
    message = mailed or Message(author=YOU, text=text)
    message.ticket = ticket
    message.save(force_insert=True)
    emails.notify_operator(ticket, message, is_new=True)
    return ticket


def add_message(
    ticket: Ticket,
    author: str,
    text: str,
    *,
    upload_ids: Sequence[str] = (),
    mailed: Message | None = None,
    attachments: Sequence[Enclosed] = (),
) -> Message:
    """Add a message and set the status in the caller's transaction. Emails are sent after the commit.

    `attachments` are sent with the email of an answer. Raise OperationNotAllowedError if the ticket is full or has been
    closed for too long, and InvalidInputError if an upload does not exist.
    """
    if ticket.messages.count() >= MAX_MESSAGES:
        raise OperationNotAllowedError(messages.TICKET_FULL(maximum=MAX_MESSAGES))
    if not can_reopen(ticket):
        raise OperationNotAllowedError(messages.TICKET_CLOSED)
    now = clock.now()
    message = mailed or Message(author=author, text=text)
    message.ticket, message.created_at = ticket, now
    if author == TEAM:
        message.message_id = emails.outgoing_message_id(ticket, message)
    message.save(force_insert=True)
    attach_uploads(ticket, message, upload_ids)
    ticket.set_status(ANSWERED if author == TEAM else OPEN, now)
    if author == TEAM:
        emails.email_answer(ticket, message, attachments)
    else:
        emails.notify_operator(ticket, message, is_new=False)
    return message


def attach_uploads(ticket: Ticket, message: Message, upload_ids: Sequence[str]) -> None:
    """Attach images and files that belong to the ticket's account."""
    ids = list(dict.fromkeys(upload_ids))
    if not ids:
        return
    kinds = dict(Upload.objects.filter(account=ticket.account_id, pk__in=ids).values_list("pk", "kind"))
    if ticket.account is None or len(kinds) < len(ids):
        missing = [Issue(f"upload_ids.{at}", messages.UPLOAD_NOT_FOUND)
                   for at, id in enumerate(upload_ids) if id not in kinds]  # fmt: skip
        raise InvalidInputError(missing)
    for kind in (PICTURE, FILE):
        Upload.claim_many(ticket.account, [(id, "upload_ids") for id in ids if kinds[id] == kind], kind)
    Attachment.objects.bulk_create(Attachment(message=message, upload_id=id) for id in ids)


def can_reopen(ticket: Ticket) -> bool:
    return ticket.status != CLOSED or (ticket.closed_at or clock.now()) > clock.now() - REOPEN_PERIOD


def close_ticket(ticket: Ticket, *, by: str) -> bool:
    """Close a ticket. Return whether it was open. The sender is notified unless they closed it."""
    if ticket.status == CLOSED:
        return False
    ticket.set_status(CLOSED, clock.now())
    if by != YOU:
        emails.notify_closed(ticket, is_idle=by == "")
    return True


def _idle_tickets() -> QuerySet[Ticket]:
    return Ticket.objects.filter(status=ANSWERED, updated_at__lt=clock.now() - CLOSE_AFTER)


@row_task("support.close_idle_tickets", lambda: _idle_tickets().values_list("pk", flat=True), batch_size=500)
def close_idle_ticket(number: int) -> bool:
    """Close a ticket if a week has passed since our answer without a reply. Return whether it was closed."""
    with write_transaction():
        ticket = lock_ticket(number)
        if ticket.status == ANSWERED and ticket.updated_at < clock.now() - CLOSE_AFTER:
            return close_ticket(ticket, by="")
    return False


def lock_ticket(number: int) -> Ticket:
    """Lock the ticket and return it, so that concurrent messages cannot overwrite each other's status.

    Raise Ticket.DoesNotExist if there is none.
    """
    return Ticket.objects.select_for_update(of=("self",), no_key=True).select_related("account").get(pk=number)
