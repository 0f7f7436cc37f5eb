"""What is kept of people here: threads in which an owner names somebody, and who wrote by mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.accounts.personal import Held
from workspace.support.models import Attachment, Message, Ticket


def _drop(account: Account, tickets: Sequence[Any]) -> None:
    numbers = [one.pk for one in tickets]
    used = list(Attachment.objects.filter(message__ticket__in=numbers).values_list("upload_id", flat=True))
    Ticket.objects.filter(pk__in=numbers).delete()
    Upload.erase_many(used)


PERSONAL = (
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
