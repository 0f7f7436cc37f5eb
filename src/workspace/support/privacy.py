"""What is kept of people here: threads in which an owner names somebody, and who wrote by mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.accounts.privacy.data_subjects import Held, Trail
from workspace.accounts.privacy.text_mentions import Trace, columns_of, naming
from workspace.support.models import Attachment, MailIn, Message, Ticket


def _drop(account: Account, tickets: Sequence[Any]) -> None:
    numbers = [one.pk for one in tickets]
    used = list(Attachment.objects.filter(message__ticket__in=numbers).values_list("upload_id", flat=True))
    Ticket.objects.filter(pk__in=numbers).delete()
    Upload.erase_many(used)


def _mails(account: Account | None, trace: Trace) -> list[str]:
    """Those of an account are what came to its threads; all others are the installation's. Each is looked at whole."""
    mine = MailIn.objects.filter(ticket__account=account)
    found = {one.pk: None for one in naming(mine, ("sender", "subject", "reason"), trace)}
    for pk, raw in mine.exclude(pk__in=found).values_list("pk", "raw").iterator(chunk_size=1):
        if trace.is_in(bytes(raw).decode("utf-8", "replace")):
            found[pk] = None
    return list(found)


def _forget_mails(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    MailIn.objects.filter(pk__in=keys).delete()


def _tell_mails(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = MailIn.objects.filter(pk__in=keys).order_by("at").only("at", "sender", "subject")
    return [{"at": one.at.isoformat(), "from": one.sender, "subject": one.subject} for one in found]


def _strangers(account: Account | None, trace: Trace) -> list[int]:
    """Questions of people without an account that name the person."""
    theirs = Ticket.objects.filter(account=None)
    found = {one.pk for one in naming(theirs, columns_of(Ticket), trace)}
    said = naming(Message.objects.filter(ticket__account=None), ("text", "quoted"), trace)
    return sorted(found | {one.ticket_id for one in said})


def _forget_strangers(account: Account | None, keys: Sequence[int], trace: Trace) -> None:
    Ticket.objects.filter(pk__in=keys).delete()


def _tell_strangers(keys: Sequence[int], trace: Trace) -> list[dict[str, Any]]:
    found = Ticket.objects.filter(pk__in=keys).prefetch_related("messages")
    return [
        {"at": one.created_at.isoformat(), "email": one.email, "text": [each.text for each in one.messages.all()]}
        for one in found
    ]


PERSONAL = (
    Trail(
        noun="mail to support",
        models=[MailIn],
        find=_mails,
        erase=_forget_mails,
        tell=_tell_mails,
        of_installation=True,
    ),
    Trail(
        noun="question of a stranger",
        models=[],
        find=_strangers,
        erase=_forget_strangers,
        tell=_tell_strangers,
        of_account=False,
        of_installation=True,
    ),
    Held(
        model=Ticket,
        noun="question to support",
        rows=lambda account: Ticket.objects.filter(account=account),
        drop=_drop,
        page=lambda row: f"/app/support/{row.key}",
    ),
    Held(
        model=Message,
        noun="message to support",
        rows=lambda account: Message.objects.filter(ticket__account=account),
    ),
)
