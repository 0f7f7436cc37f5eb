"""Processing emails to support: which ticket they belong to, whether the sender may join it, and the outcome.

The ticket is identified only by values that this service signs: the plus address, In-Reply-To, References from the last
one, or our address in the quoted text. A number in the subject is never used. This identifies the ticket but not the
sender, who must be a participant. Other senders open a new ticket that refers to it, which the administrator sees.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from email.utils import parseaddr

from django.conf import settings
from django.db import Error
from django.db.models import Sum

from workspace.accounts import upload_tools
from workspace.accounts.models import Account, Person
from workspace.lib.errors import OperationNotAllowedError, ToolError
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction
from workspace.support import emails, message_ids, messages, tickets
from workspace.support.mail_parser import MAX_FILES_BYTES, MAX_MAIL_BYTES, ParsedMail, attachment_content, parse_mail
from workspace.support.models import InboundMail, Message, Ticket
from workspace.support.models.inbound_mail import HELD, IGNORED, JOINED, NEW
from workspace.support.models.ticket import YOU

logger = logging.getLogger(__name__)

MAX_STORED_BYTES = 1024 * 1024 * 1024  # of all stored emails
IGNORED_MAIL_BYTES = 64 * 1024  # bytes that are stored of an ignored email
EMPTY_TEXT = "(no text)"


class InboxFullError(Exception):
    """There were too many or too large emails recently. The sender should try again later."""


@dataclass(frozen=True, slots=True)
class MailOutcome:
    status: str
    reason: str = ""
    number: int | None = None
    is_duplicate: bool = False  # it was received before


def receive_mail(raw: bytes, *, recipients: tuple[str, ...] = (), sender: str | None = None) -> MailOutcome:
    """Process one email in its own transaction.

    `recipients` and `sender` are those of the SMTP envelope, if known. Raise ValueError if the email is empty or too
    large, and InboxFullError if it should be sent again later.
    """
    if not raw.strip() or len(raw) > MAX_MAIL_BYTES:
        raise ValueError(f"An email must have content and be at most {MAX_MAIL_BYTES // 1024 // 1024} MB")
    letter = parse_mail(raw, recipients=recipients, sender=sender)
    uploads, missing = _store_files(raw, letter)
    with write_transaction():
        known = InboundMail.objects.filter(digest=letter.digest).first()
        if known is not None:
            return MailOutcome(known.outcome, known.reason, known.ticket_id, is_duplicate=True)
        kept = raw
        found = _decide_outcome(letter, uploads, missing)
        if found.status == IGNORED:
            kept = raw[:IGNORED_MAIL_BYTES]
        _check_quota(len(kept))
        InboundMail.objects.create(
            digest=letter.digest,
            sender=letter.sender,
            subject=letter.subject,
            outcome=found.status,
            reason=found.reason,
            ticket_id=found.number,
            size=len(kept),
            raw=kept,
        )
    return found


def accept_mail(mail: InboundMail) -> Ticket:
    """Open a ticket from a held email, as decided by the administrator.

    Raise OperationNotAllowedError if it is no longer held or has no sender.
    """
    letter = parse_mail(bytes(mail.raw))
    with write_transaction():
        mail = InboundMail.objects.select_for_update().get(pk=mail.pk)
        if mail.outcome != HELD:
            raise OperationNotAllowedError(messages.EMAIL_HANDLED)
        if not letter.sender:
            raise OperationNotAllowedError(messages.EMAIL_WITHOUT_SENDER)
        ticket = _create_ticket(letter, None, is_flagged=False)
        mail.outcome, mail.reason, mail.ticket = NEW, "", ticket
        mail.save(update_fields=["outcome", "reason", "ticket"])
    return ticket


def _decide_outcome(letter: ParsedMail, uploads: list[str], missing: str) -> MailOutcome:
    number = _find_thread(letter)
    if not letter.sender:
        return MailOutcome(HELD, "No sender address", number)
    if reason := letter.automatic_reason or _own_mail_reason(letter):
        return MailOutcome(IGNORED, reason, number)
    if letter.is_refused:
        return MailOutcome(HELD, "Probably forged: it failed the checks of the sender's domain", number)
    ticket = Ticket.objects.filter(pk=number).first() if number else None
    if ticket is not None:
        ticket = tickets.lock_ticket(ticket.pk)
        lately = ticket.messages.filter(author=YOU, created_at__gt=get_limit("ticket-loop").window_start())
        if not (allowance := consume("ticket-loop", used=lately.count())):
            return MailOutcome(HELD, f"More than {allowance.limit} messages in 10 minutes", number)
    is_theirs = ticket is not None and is_participant(ticket, letter.sender)
    try:
        if ticket is not None and is_theirs and tickets.can_reopen(ticket):
            message = _build_message(letter, missing)
            tickets.add_message(ticket, YOU, message.text, upload_ids=uploads, mailed=message)
            return MailOutcome(JOINED, "", ticket.pk)
        made = _create_ticket(letter, ticket, is_flagged=ticket is not None and not is_theirs)
    except OperationNotAllowedError as refusal:
        return MailOutcome(HELD, refusal.message[:200], number)
    return MailOutcome(NEW, "", made.pk)


def _create_ticket(letter: ParsedMail, follows: Ticket | None, *, is_flagged: bool) -> Ticket:
    """Open a ticket. Raise OperationNotAllowedError if the limit is reached."""
    # The sender's address alone proves nothing, but the reply address of a ticket that they wrote does.
    is_proved = letter.is_verified or (follows is not None and is_participant(follows, letter.sender))
    account = _find_account(letter.sender) if is_proved else None
    if account is None:
        _check_unknown_sender()
    message = _build_message(letter, "")
    subject = letter.subject or "(no subject)"
    made = tickets.open_ticket(
        account, letter.sender, subject, message.text, follows=follows, is_flagged=is_flagged, mailed=message
    )
    if not letter.wants_no_reply:
        emails.notify_received(made)
    return made


def _check_unknown_sender() -> None:
    """Raise OperationNotAllowedError if senders without an account have opened too many tickets."""
    opened = Ticket.objects.filter(account=None, created_at__gt=get_limit("ticket-unknown-sender").window_start())
    if not (allowance := consume("ticket-unknown-sender", used=opened.count())):
        raise OperationNotAllowedError(messages.TOO_MANY_UNKNOWN_SENDERS(limit=allowance.limit))


def _build_message(letter: ParsedMail, missing: str) -> Message:
    taken = not letter.own_id or Message.objects.filter(message_id=letter.own_id).exists()
    text = "\n\n".join(filter(None, (letter.text or EMPTY_TEXT, missing)))
    return Message(author=YOU, text=text, quoted=letter.quoted, message_id=None if taken else letter.own_id)


def _find_thread(letter: ParsedMail) -> int | None:
    """Return the number of the first valid reference to a ticket, or None."""
    for address in letter.recipients:
        if number := message_ids.number_in_address(address):
            return number
    for one in letter.replied_ids:
        if number := message_ids.number_in_message_id(one):
            return number
    return message_ids.number_in_address(letter.quoted)


def _own_mail_reason(letter: ParsedMail) -> str:
    own = {parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()}
    return "Sent from our own address" if letter.sender in own or message_ids.is_own_address(letter.sender) else ""


def is_participant(ticket: Ticket, email: str) -> bool:
    """Return whether the address belongs to the sender of the ticket or to a member of the account."""
    if email == ticket.email.lower():
        return True
    return bool(ticket.account and ticket.account.memberships.filter(person__email=email).exists())


def _find_account(email: str) -> Account | None:
    """Return the account of the person with this address if it is their only one, or None."""
    person = Person.objects.filter(email=email).first()
    found = list(Account.objects.filter(memberships__person=person, banned_at=None)[:2]) if person else []
    return found[0].lock() if len(found) == 1 else None


def _store_files(raw: bytes, letter: ParsedMail) -> tuple[list[str], str]:
    """Store the attachments of an email that joins its ticket as uploads.

    Return the ids and a note about files that could not be stored. Files of other senders stay in the email, so that a
    forged sender cannot fill an account's space.
    """
    number = _find_thread(letter) if letter.files and not letter.automatic_reason else None
    ticket = Ticket.objects.filter(pk=number).select_related("account").first() if number else None
    if ticket is None or ticket.account is None or not is_participant(ticket, letter.sender):
        return [], ""
    if InboundMail.objects.filter(digest=letter.digest).exists():
        return [], ""
    kept: list[str] = []
    missing: list[str] = []
    total = 0
    for part in letter.files:
        try:
            name, content = attachment_content(raw, part)
            total += len(content)
            if total > MAX_FILES_BYTES:
                raise ValueError(
                    f"The attachments of an email can be at most {MAX_FILES_BYTES // 1024 // 1024} MB in total"
                )
            received = upload_tools.receive_content(content)
            kept.append(upload_tools.save_upload(ticket.account, received, name).data["upload_id"])
        except Error:
            raise
        except (ValueError, ToolError) as problem:
            reason = problem.message if isinstance(problem, ToolError) else str(problem)
            missing.append(f"({part.name or 'A file'} was not attached. {reason[:200]})")
    return kept, "\n".join(missing)


def _check_quota(size: int) -> None:
    received = InboundMail.objects.filter(received_at__gt=get_limit("support-email").window_start())
    if not (allowance := consume("support-email", used=received.count())):
        raise InboxFullError(f"More than {allowance.limit} emails in 24 hours. Send it again later.")
    if (InboundMail.objects.aggregate(sum=Sum("size"))["sum"] or 0) + size > MAX_STORED_BYTES:
        raise InboxFullError("The storage for emails is full. Send it again later.")
