"""Receiving and listing support emails, for the administrator's command."""

from __future__ import annotations

import json
import sys

import click
from django.conf import settings
from django.db import DatabaseError

from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.support import inbound_mail
from workspace.support.mail_parser import MAX_MAIL_BYTES
from workspace.support.models import InboundMail
from workspace.support.models.inbound_mail import HELD

EXIT_RETRY_LATER, EXIT_BAD_DATA = 75, 65  # EX_TEMPFAIL and EX_DATAERR of sysexits.h
MAX_LISTED = 500


def receive_mail(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Receive an email from standard input.

    On an unexpected error, exit with "retry later", because a duplicate email is better than a lost one.
    """
    if not settings.SUPPORT_ADDRESS:
        click.echo("Set WORKSPACE_SUPPORT_ADDRESS first", err=True)
        sys.exit(EXIT_RETRY_LATER)
    raw = sys.stdin.buffer.read(MAX_MAIL_BYTES + 1)
    try:
        found = inbound_mail.receive_mail(raw, recipients=recipients, sender=sender)
    except ValueError as problem:
        click.echo(str(problem), err=True)
        sys.exit(EXIT_BAD_DATA)
    except (inbound_mail.InboxFullError, DatabaseError, OSError) as problem:
        click.echo(f"Try again later: {problem}", err=True)
        sys.exit(EXIT_RETRY_LATER)
    click.echo(
        _format_outcome(found.status, found.reason, found.number) + (", already received" if found.is_duplicate else "")
    )


def list_mails(only_held: bool, as_json: bool) -> None:
    found = InboundMail.objects.order_by("-received_at").defer("raw")
    found = found.filter(outcome=HELD) if only_held else found
    rows = list(found[:MAX_LISTED])
    if as_json:
        mails = [
            {
                "id": one.pk,
                "at": clock.to_iso(one.received_at),
                "from": one.sender,
                "subject": one.subject,
                "outcome": one.outcome,
                "reason": one.reason,
                "number": one.ticket_id,
                "bytes": one.size,
            }
            for one in rows
        ]
        click.echo(json.dumps(mails, ensure_ascii=False))
        return
    for one in rows:
        became = _format_outcome(one.outcome, one.reason, one.ticket_id)
        at = (clock.to_iso(one.received_at) or "")[:16]
        click.echo(f"{one.pk}  {at}  {one.sender or '(nobody)'}  {became}  {one.subject}")
    if not rows:
        click.echo("No emails are waiting for review." if only_held else "No emails in the last 30 days.")


def accept_mail(id: str) -> None:
    mail = InboundMail.objects.filter(pk=id).first()
    if mail is None:
        raise click.ClickException(
            f"Email {id} not found. `mail inbox --held` lists the emails that are waiting for review."
        )
    try:
        ticket = inbound_mail.accept_mail(mail)
    except ToolError as refusal:
        raise click.ClickException(refusal.message) from None
    click.echo(f"Accepted as ticket {ticket.number}.")


def _format_outcome(outcome: str, reason: str, number: int | None) -> str:
    return outcome + (f" #{number}" if number else "") + (f" ({reason})" if reason else "")
