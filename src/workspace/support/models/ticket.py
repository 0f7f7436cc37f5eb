"""Tickets to support and their messages.

open ──team answers──▶ answered ──owner writes──▶ open
 └────────closed by either, or 7 days after an answer────────▶ closed ──a reply within 30 days──▶ open
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import models
from typing_extensions import override

from workspace.accounts.models import Account, Upload
from workspace.delivery import mail, outbox
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.database.prefix_lookup import starts_with
from workspace.storage.journal import ChangeDisplay, Journaled
from workspace.support import messages

OPEN, ANSWERED, CLOSED = "open", "answered", "closed"
YOU, TEAM = "you", "team"
MAX_SUBJECT_LENGTH = 150
MAX_MESSAGE_LENGTH = 10_000


def _ticket_key() -> str:
    return new_id("tkt")


def _message_id() -> str:
    return new_id("msg")


class Ticket(Journaled):
    """A support ticket.

    - `number`: shown to people, and counted across the instance.
    - `key`: the external id, which cannot be guessed.
    - `account`: None for senders of emails without an account.
    - `email`: the recipient of answers.
    - `previous_ticket`: an earlier ticket that the email answered.
    - `is_flagged`: the sender is not a participant of that ticket.
    - `waiting_since`: since when it has waited for an answer, or None if it is answered or closed.
    """

    journal_display = ChangeDisplay.NOWHERE

    number = models.BigAutoField(primary_key=True)
    key = models.CharField(max_length=40, unique=True, default=_ticket_key, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="tickets")
    email = models.CharField(max_length=254)
    subject = models.CharField(max_length=MAX_SUBJECT_LENGTH)
    product = models.CharField(max_length=20, blank=True)
    status = models.CharField(max_length=10, choices=[(one, one) for one in (OPEN, ANSWERED, CLOSED)], default=OPEN)
    previous_ticket = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="next_tickets")
    is_flagged = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)
    waiting_since = models.DateTimeField(null=True, default=clock.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["account", "-number"], name="tickets_of_an_account"),
            models.Index(fields=["status", "waiting_since"], name="tickets_by_waiting"),
        ]

    def __str__(self) -> str:
        return f"#{self.number} {self.subject}"

    @override
    @classmethod
    def undo_creation_many(cls, tickets: Sequence[Ticket]) -> None:
        """Delete tickets to undo their creation.

        Raise OperationNotAllowedError if a ticket has more than one message.
        """
        for ticket in cls.objects.select_for_update(no_key=True).filter(pk__in=[one.pk for one in tickets]):
            if ticket.messages.count() > 1:
                raise OperationNotAllowedError(messages.TICKET_ANSWERED(number=ticket.number))
            ticket.withdraw_emails()
            ticket.delete()

    @property
    def email_key(self) -> str:
        """The start of the dedupe keys of its emails."""
        return f"support:{self.key}"

    def withdraw_emails(self) -> None:
        """Withdraw the unsent emails when the ticket is withdrawn.

        If an email to the administrator was already sent, they are notified.
        """
        outbox.withdraw(self.email_key)
        sent = Delivery.objects.filter(starts_with("dedupe_key", f"{self.email_key}:operator:"))
        if settings.OPERATOR_EMAIL and sent.exists():
            mail.send("owner/support_ticket_withdrawn", settings.OPERATOR_EMAIL, {"ticket": self})

    def set_status(self, status: str, at: datetime) -> None:
        """Set the status and the time since which the ticket has been waiting, and save the row."""
        if status == OPEN:
            self.waiting_since = self.waiting_since or at
        else:
            self.waiting_since = None
        self.status, self.updated_at, self.closed_at = status, at, at if status == CLOSED else None
        self.save(update_fields=["status", "updated_at", "closed_at", "waiting_since"])


class Message(CompiledModel):
    """A message of a ticket.

    `message_id` is the Message-ID of its email: for an answer, the one with which it is sent; for an inbound email, its
    own, so that repeated delivery adds only one message. `quoted` is the complete text of an email that has more than
    the new text.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_message_id, editable=False)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="messages")
    author = models.CharField(max_length=4, choices=[(YOU, YOU), (TEAM, TEAM)])
    text = models.TextField(max_length=MAX_MESSAGE_LENGTH)
    quoted = models.TextField(blank=True)
    html = models.TextField(blank=True)
    message_id = models.CharField(max_length=250, unique=True, null=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("created_at", "id")

    def __str__(self) -> str:
        return f"{self.author} in #{self.ticket_id}"


class Attachment(models.Model):
    """An image or file of a message: an upload of the account."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="attachments")
    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.upload_id} of {self.message_id}"
