"""What waits in the outbox or was sent a moment ago, and what jobs were given, of one person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from workspace.accounts.models import Account
from workspace.accounts.privacy.account_data import holds
from workspace.accounts.privacy.data_subjects import Held, Trail
from workspace.accounts.privacy.text_mentions import Trace, naming
from workspace.delivery import mail, outbox, webhooks
from workspace.delivery.contacts import sync_state, wake_event
from workspace.delivery.models import (
    AddressBook,
    BusyTime,
    Calendar,
    ContactCopy,
    Delivery,
    Endpoint,
    EventCopy,
    Job,
    JobItem,
    Message,
    State,
)
from workspace.lib import clock
from workspace.storage.files import store

_LINES = ("dedupe", "last_error")
_UNSENT = (State.WAITING, State.LEASED, State.PARKED)
_CHUNK = 20  # mails of up to 4 MB


def _mails(account: Account | None, trace: Trace) -> list[str]:
    mine = Delivery.objects.filter(account=account)
    found = {one.pk: None for one in naming(mine, _LINES, trace)}
    for one in mine.filter(payload__isnull=False).iterator(chunk_size=_CHUNK):
        if one.pk not in found and any(map(trace.is_in, texts(one))):
            found[one.pk] = None
    return list(found)


def texts(delivery: Delivery) -> Iterator[Any]:
    """What a delivery says: of a mail its head and its parts as they are read, of others all that they hold."""
    told = delivery.payload or {}
    yield from (value for name, value in told.items() if name != "message")
    if delivery.kind == mail.KIND:
        message = mail.parse(delivery)
        yield from (str(text) for text in message.values())
        for part in message.walk():
            yield part.get_filename() or ""
            if part.get_content_maintype() == "text":
                yield _content(part)


def _content(part: Any) -> str:
    try:
        return str(part.get_content())
    except (LookupError, ValueError):  # a charset that nobody knows
        raw = part.get_payload(decode=True)
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""


def _forget_mails(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    """What has not left does not leave; of what has, the row stays without its words."""
    found = Delivery.objects.filter(pk__in=keys)
    found.filter(state__in=_UNSENT).update(state=State.WITHDRAWN, lease_token=None)
    found.update(payload=None, dedupe=None, last_error="")


def _tell_mails(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = Delivery.objects.filter(pk__in=keys).order_by("id").iterator(chunk_size=_CHUNK)
    return [
        {
            "at": one.created_at.isoformat(),
            "state": one.state,
            "to": (one.payload or {}).get("to", ""),
            "subject": (one.payload or {}).get("subject", ""),
        }
        for one in found
    ]


def _jobs(account: Account | None, trace: Trace) -> list[str]:
    assert account is not None
    found = {job.pk for job in naming(account.jobs.all(), ("last_error", "file_name", "dedupe"), trace)}
    items = JobItem.objects.filter(job__account=account)
    found |= {item.job_id for item in naming(items, ("name", "body", "result", "fault"), trace)}
    with_files = account.jobs.exclude(file_name="").exclude(pk__in=found)
    return sorted(found | {job.pk for job in with_files if holds(job.file_key, trace)})


def _forget_jobs(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    """With items and file; one that goes on ends, and what it has made so far stays."""
    for job in Job.objects.filter(pk__in=keys).exclude(file_name=""):
        transaction.on_commit(partial(store.delete, job.file_key))
    JobItem.objects.filter(job__in=keys).delete()
    Job.objects.filter(pk__in=keys).delete()


def _tell_jobs(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = Job.objects.filter(pk__in=keys).order_by("id")
    return [{"id": job.pk, "title": job.title, "at": job.created_at.isoformat()} for job in found]


def _pushed(account: Account | None, trace: Trace) -> list[str]:
    found = naming(Message.objects.filter(account=account), ("body", "problem"), trace)
    return [one.pk for one in found]


def _forget_pushed(account: Account | None, keys: Sequence[str], trace: Trace) -> None:
    """What has not left does not leave."""
    for one in Message.objects.filter(pk__in=keys).select_related("endpoint"):
        outbox.withdraw(f"{webhooks.keys_of(one.endpoint)}:{one.pk}")
    Message.objects.filter(pk__in=keys).delete()


def _tell_pushed(keys: Sequence[str], trace: Trace) -> list[dict[str, Any]]:
    found = Message.objects.filter(pk__in=keys).order_by("id").iterator(chunk_size=_CHUNK)
    return [{"at": one.created_at.isoformat(), "event": one.event, "body": one.body} for one in found]


def _copies(account: Account | None, trace: Trace) -> list[int]:
    mine = ContactCopy.objects.filter(address_book__account=account, erased=False)
    return list(mine.filter(subject__in=trace.ids).values_list("pk", flat=True))


def _forget_copies(account: Account | None, keys: Sequence[int], trace: Trace) -> None:
    """Out of the owner's address book too, whatever was done to them there, and whether more go there or not."""
    now = clock.now()
    found = ContactCopy.objects.filter(pk__in=keys)
    books = set(found.values_list("address_book_id", flat=True))
    found.update(erased=True, leaves=True, state="waiting", tries=0, problem="", next_at=now)
    AddressBook.objects.filter(pk__in=books).update(next_at=now)
    transaction.on_commit(wake_event.wake.set)


def _tell_copies(keys: Sequence[int], trace: Trace) -> list[dict[str, Any]]:
    found = ContactCopy.objects.filter(pk__in=keys).select_related("address_book").order_by("pk")
    return [{"address_book": one.address_book.name, "host": one.address_book.host} for one in found]


TRAILS = (
    # reports go to the operator by mails that are nobody's
    Trail(noun="mail", models=[Delivery], find=_mails, erase=_forget_mails, tell=_tell_mails, of_installation=True),
    Held(
        model=Endpoint,
        noun="webhook",
        rows=lambda account: Endpoint.objects.filter(account=account),
        page=lambda row: f"{webhooks.PAGE}/{row.pk}",
    ),
    Trail(noun="webhook message", models=[Message], find=_pushed, erase=_forget_pushed, tell=_tell_pushed),
    Held(
        model=Calendar,
        noun="calendar",
        rows=lambda account: Calendar.objects.filter(account=account),
        page=lambda row: "/app/account/calendars",
    ),
    # titles of the owner's own calendar: the next reading brings back what stands there
    Held(
        model=BusyTime,
        noun="busy time of a calendar",
        rows=lambda account: BusyTime.objects.filter(calendar__account=account),
    ),
    Held(
        model=EventCopy,
        noun="event for a calendar",
        rows=lambda account: EventCopy.objects.filter(calendar__account=account),
    ),
    Held(
        model=AddressBook,
        noun="address book",
        rows=lambda account: AddressBook.objects.filter(account=account),
        page=lambda row: f"{sync_state.PAGE}/{row.pk}",
    ),
    Trail(noun="address book entry", models=[ContactCopy], find=_copies, erase=_forget_copies, tell=_tell_copies),
    Trail(noun="job", models=[Job, JobItem], find=_jobs, erase=_forget_jobs, tell=_tell_jobs),
)
