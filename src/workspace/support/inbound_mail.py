"""Mail to support: which thread it belongs to, whether it may join, and what becomes of it.

The thread is told by what only we can have made: the plus address, In-Reply-To, References from the last, an address of
ours within the quoted text. A number in the subject never tells it. That proves the thread and not the sender, who must
take part: anybody else begins a new ticket that refers to it, and the operator sees that.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.db import Error
from django.db.models import Sum

from workspace.accounts import upload_tools
from workspace.accounts.models import Account, Person
from workspace.lib import clock
from workspace.lib.errors import Refusal, ToolError
from workspace.storage.database.transactions import writing
from workspace.support import emails, message_ids, tickets
from workspace.support.mail_reader import MOST_BYTES, MOST_OF_FILES, Letter, content_of, read
from workspace.support.models import MailIn, Message, Ticket
from workspace.support.models.inbound_mail import HELD, IGNORED, JOINED, NEW
from workspace.support.models.ticket import YOU

logger = logging.getLogger(__name__)

LOOP, LOOP_WITHIN = 5, timedelta(minutes=10)
STRANGERS_A_DAY = 200  # tickets of people without an account, over the whole installation
MAILS_A_DAY = 5000
MOST_KEPT = 1024 * 1024 * 1024  # bytes of all mails together
BEGINNING = 64 * 1024  # bytes that are kept of a mail that is ignored
NOTHING = "(nothing was written)"


class NoRoom(Exception):
    """Too many mails, or too large ones, came lately: to be brought again later."""


@dataclass(frozen=True, slots=True)
class Outcome:
    what: str
    reason: str = ""
    number: int | None = None
    is_known: bool = False  # it came before


def take(raw: bytes, *, recipients: tuple[str, ...] = (), sender: str | None = None) -> Outcome:
    """One mail, in a transaction of its own. `recipients` and `sender` are the envelope's where the way in knows them.
    Raises ValueError for one that is empty or too large, NoRoom when it should come again later."""
    if not raw.strip() or len(raw) > MOST_BYTES:
        raise ValueError(f"A mail has 1 byte to {MOST_BYTES // 1024 // 1024} MB")
    letter = read(raw, recipients=recipients, sender=sender)
    uploads, missing = _files(raw, letter)
    with writing():
        known = MailIn.objects.filter(digest=letter.digest).first()
        if known is not None:
            return Outcome(known.outcome, known.reason, known.ticket_id, is_known=True)
        kept = raw
        found = _decided(letter, uploads, missing)
        if found.what == IGNORED:
            kept = raw[:BEGINNING]
        _check_room(len(kept))
        MailIn.objects.create(
            digest=letter.digest,
            sender=letter.sender,
            subject=letter.subject,
            outcome=found.what,
            reason=found.reason,
            ticket_id=found.number,
            size=len(kept),
            raw=kept,
        )
    return found


def accept(mail: MailIn) -> Ticket:
    """Make a new ticket of one that was held, as the operator wishes; in a transaction of its own. Raises ToolError."""
    letter = read(bytes(mail.raw))
    with writing():
        mail = MailIn.objects.select_for_update().get(pk=mail.pk)
        if mail.outcome != HELD:
            raise ToolError("This was taken meanwhile")
        if not letter.sender:
            raise ToolError("This names no sender whom an answer could reach")
        ticket = _new(letter, None, is_flagged=False)
        mail.outcome, mail.reason, mail.ticket = NEW, "", ticket
        mail.save(update_fields=["outcome", "reason", "ticket"])
    return ticket


def _decided(letter: Letter, uploads: list[str], missing: str) -> Outcome:
    number = _thread(letter)
    if not letter.sender:
        return Outcome(HELD, "it names no sender", number)
    if reason := letter.automatic or _ours(letter):
        return Outcome(IGNORED, reason, number)
    if letter.is_refused:
        return Outcome(HELD, "the sender's own rules call it forged", number)
    ticket = Ticket.objects.filter(pk=number).first() if number else None
    if ticket is not None:
        ticket = tickets.hold(ticket.pk)
        lately = ticket.messages.filter(author=YOU, at__gt=clock.now() - LOOP_WITHIN).count()
        if lately >= LOOP:
            return Outcome(HELD, f"more than {LOOP} within ten minutes", number)
    is_theirs = ticket is not None and takes_part(ticket, letter.sender)
    try:
        if ticket is not None and is_theirs and tickets.may_reopen(ticket):
            message = _message(letter, missing)
            tickets.add(ticket, YOU, message.text, upload_ids=uploads, mailed=message)
            return Outcome(JOINED, "", ticket.pk)
        made = _new(letter, ticket, is_flagged=ticket is not None and not is_theirs)
    except ToolError as refusal:
        return Outcome(HELD, refusal.message[:200], number)
    return Outcome(NEW, "", made.pk)


def _new(letter: Letter, follows: Ticket | None, *, is_flagged: bool) -> Ticket:
    """Raises ToolError when there are too many."""
    # an address alone proves nobody; the address of their own thread does
    is_proved = letter.is_verified or (follows is not None and takes_part(follows, letter.sender))
    account = _account_of(letter.sender) if is_proved else None
    day = clock.now() - timedelta(days=1)
    if account is None and Ticket.objects.filter(account=None, created_at__gt=day).count() >= STRANGERS_A_DAY:
        raise ToolError(f"more than {STRANGERS_A_DAY} mails of strangers within a day")
    message = _message(letter, "")
    subject = letter.subject or "(no subject)"
    made = tickets.ask(
        account, letter.sender, subject, message.text, follows=follows, is_flagged=is_flagged, mailed=message
    )
    if not letter.wants_no_reply:
        emails.tell_received(made)
    return made


def _message(letter: Letter, missing: str) -> Message:
    taken = not letter.own_id or Message.objects.filter(message_id=letter.own_id).exists()
    text = "\n\n".join(filter(None, (letter.text or NOTHING, missing)))
    return Message(author=YOU, text=text, quoted=letter.quoted, message_id=None if taken else letter.own_id)


def _thread(letter: Letter) -> int | None:
    """The first that verifies."""
    for address in letter.recipients:
        if number := message_ids.number_in_address(address):
            return number
    for one in letter.answers:
        if number := message_ids.number_in_message_id(one):
            return number
    return message_ids.number_in_address(letter.quoted)


def _ours(letter: Letter) -> str:
    own = {parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()}
    return "it is our own" if letter.sender in own or message_ids.is_ours(letter.sender) else ""


def takes_part(ticket: Ticket, email: str) -> bool:
    """Who asked, and who signs in to the account."""
    if email == ticket.email.lower():
        return True
    return bool(ticket.account and ticket.account.memberships.filter(person__email=email).exists())


def _account_of(email: str) -> Account | None:
    """Of who signs in under the address, when that is clear."""
    person = Person.objects.filter(email=email).first()
    found = list(Account.objects.filter(memberships__person=person, banned_at=None)[:2]) if person else []
    return found[0].lock() if len(found) == 1 else None


def _files(raw: bytes, letter: Letter) -> tuple[list[str], str]:
    """The files of a mail that joins its thread, as uploads of its account, and what is said of those that could not be
    kept. Others' files stay in the mail itself: whoever names an owner as sender does not fill their room."""
    number = _thread(letter) if letter.files and not letter.automatic else None
    ticket = Ticket.objects.filter(pk=number).select_related("account").first() if number else None
    if ticket is None or ticket.account is None or not takes_part(ticket, letter.sender):
        return [], ""
    if MailIn.objects.filter(digest=letter.digest).exists():
        return [], ""
    kept: list[str] = []
    missing: list[str] = []
    total = 0
    for part in letter.files:
        try:
            name, content = content_of(raw, part)
            total += len(content)
            if total > MOST_OF_FILES:
                raise ValueError(f"The files of a mail may have up to {MOST_OF_FILES // 1024 // 1024} MB")
            received = upload_tools.receive(content)
            kept.append(upload_tools.keep(ticket.account, received, name).data["upload_id"])
        except Error:
            raise
        except (ValueError, Refusal) as problem:
            told = problem.message if isinstance(problem, Refusal) else str(problem)
            missing.append(f"({part.name or 'A file'} was left out: {told[:200]})")
    return kept, "\n".join(missing)


def _check_room(size: int) -> None:
    day = clock.now() - timedelta(days=1)
    if MailIn.objects.filter(at__gt=day).count() >= MAILS_A_DAY:
        raise NoRoom(f"{MAILS_A_DAY} mails came within a day")
    if (MailIn.objects.aggregate(sum=Sum("size"))["sum"] or 0) + size > MOST_KEPT:
        raise NoRoom("The mails of a month fill their room")
