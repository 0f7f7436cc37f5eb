"""Personal data in support: tickets and emails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions, text_columns
from workspace.support.models import Attachment, InboundMail, Message, Ticket


def _delete_tickets(account: Account, tickets: Sequence[Any]) -> None:
    numbers = [one.pk for one in tickets]
    used = list(Attachment.objects.filter(message__ticket__in=numbers).values_list("upload_id", flat=True))
    Ticket.objects.filter(pk__in=numbers).delete()
    Upload.release_and_delete(used)


def _find_mails(account: Account | None, trace: MentionMatcher) -> list[str]:
    """Return the emails that mention the person, searching their complete content.

    Emails in tickets of an account belong to it. All others belong to the instance.
    """
    mine = InboundMail.objects.filter(ticket__account=account)
    found = {one.pk: None for one in find_mentions(mine, ("sender", "subject", "reason"), trace)}
    for pk, raw in mine.exclude(pk__in=found).values_list("pk", "raw").iterator(chunk_size=1):
        if trace.matches(bytes(raw).decode("utf-8", "replace")):
            found[pk] = None
    return list(found)


def _erase_mails(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    InboundMail.objects.filter(pk__in=keys).delete()


def _export_mails(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = InboundMail.objects.filter(pk__in=keys).order_by("received_at").only("received_at", "sender", "subject")
    return [{"at": one.received_at.isoformat(), "from": one.sender, "subject": one.subject} for one in found]


def _find_anonymous_tickets(account: Account | None, trace: MentionMatcher) -> list[int]:
    """Return the tickets of senders without an account that mention the person."""
    tickets = Ticket.objects.filter(account=None)
    found = {one.pk for one in find_mentions(tickets, text_columns(Ticket), trace)}
    said = find_mentions(Message.objects.filter(ticket__account=None), ("text", "quoted"), trace)
    return sorted(found | {one.ticket_id for one in said})


def _erase_anonymous_tickets(account: Account | None, keys: Sequence[int], trace: MentionMatcher) -> None:
    Ticket.objects.filter(pk__in=keys).delete()


def _export_anonymous_tickets(keys: Sequence[int], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Ticket.objects.filter(pk__in=keys).prefetch_related("messages")
    return [
        {"at": one.created_at.isoformat(), "email": one.email, "text": [each.text for each in one.messages.all()]}
        for one in found
    ]


PERSONAL_DATA = (
    PersonalText(
        noun="support email",
        models=[InboundMail],
        find=_find_mails,
        erase=_erase_mails,
        export=_export_mails,
        of_installation=True,
    ),
    PersonalText(
        noun="anonymous support ticket",
        models=[],
        find=_find_anonymous_tickets,
        erase=_erase_anonymous_tickets,
        export=_export_anonymous_tickets,
        of_account=False,
        of_installation=True,
    ),
    PersonalTable(
        model=Ticket,
        noun="support ticket",
        rows=lambda account: Ticket.objects.filter(account=account),
        delete_rows=_delete_tickets,
        page_url=lambda row: f"/app/support/{row.key}",
    ),
    PersonalTable(
        model=Message,
        noun="support message",
        rows=lambda account: Message.objects.filter(ticket__account=account),
    ),
)
