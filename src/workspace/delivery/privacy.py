"""Personal data in the outbox, in jobs, in webhook messages and in copies of contacts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from workspace.accounts.models import Account
from workspace.accounts.privacy.account_data import has_mention
from workspace.accounts.privacy.data_subjects import PersonalTable, PersonalText
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions
from workspace.delivery import mail, outbox, webhooks
from workspace.delivery.address_books import sync_state, wake_event
from workspace.delivery.models import (
    AddressBook,
    BusyTime,
    Calendar,
    ContactCopy,
    Delivery,
    DeliveryState,
    Endpoint,
    EventCopy,
    Job,
    JobItem,
    Message,
)
from workspace.lib import clock
from workspace.storage.files import store

_TEXT_COLUMNS = ("dedupe_key", "last_error")
_UNSENT_STATES = (DeliveryState.WAITING, DeliveryState.LEASED, DeliveryState.PARKED)
_CHUNK_SIZE = 20  # emails of up to 4 MB


def _find_emails(account: Account | None, trace: MentionMatcher) -> list[str]:
    mine = Delivery.objects.filter(account=account)
    found = {one.pk: None for one in find_mentions(mine, _TEXT_COLUMNS, trace)}
    for one in mine.filter(payload__isnull=False).iterator(chunk_size=_CHUNK_SIZE):
        if one.pk not in found and any(map(trace.matches, delivery_texts(one))):
            found[one.pk] = None
    return list(found)


def delivery_texts(delivery: Delivery) -> Iterator[Any]:
    """Return the text of a delivery: the headers and readable parts of an email, or all values of other kinds."""
    payload = delivery.payload or {}
    yield from (value for name, value in payload.items() if name != "message")
    if delivery.kind == mail.KIND:
        message = mail.parse_message(delivery)
        yield from (str(text) for text in message.values())
        for part in message.walk():
            yield part.get_filename() or ""
            if part.get_content_maintype() == "text":
                yield _decode_part(part)


def _decode_part(part: Any) -> str:
    try:
        return str(part.get_content())
    except (LookupError, ValueError):  # unknown charset
        raw = part.get_payload(decode=True)
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""


def _erase_emails(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    """Withdraw unsent deliveries. Delete the content of all, but keep the rows."""
    found = Delivery.objects.filter(pk__in=keys)
    found.filter(state__in=_UNSENT_STATES).update(state=DeliveryState.WITHDRAWN, lease_token=None)
    found.update(payload=None, dedupe_key=None, last_error="")


def _export_emails(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Delivery.objects.filter(pk__in=keys).order_by("id").iterator(chunk_size=_CHUNK_SIZE)
    return [
        {
            "at": one.created_at.isoformat(),
            "state": one.state,
            "to": (one.payload or {}).get("to", ""),
            "subject": (one.payload or {}).get("subject", ""),
        }
        for one in found
    ]


def _find_jobs(account: Account | None, trace: MentionMatcher) -> list[str]:
    assert account is not None
    found = {job.pk for job in find_mentions(account.jobs.all(), ("last_error", "file_name", "dedupe_key"), trace)}
    items = JobItem.objects.filter(job__account=account)
    found |= {item.job_id for item in find_mentions(items, ("name", "body", "result", "error"), trace)}
    with_files = account.jobs.exclude(file_name="").exclude(pk__in=found)
    return sorted(found | {job.pk for job in with_files if has_mention(job.file_key, trace)})


def _erase_jobs(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    """Delete jobs with their items and files. A running job ends. Everything that it has created stays."""
    for job in Job.objects.filter(pk__in=keys).exclude(file_name=""):
        transaction.on_commit(partial(store.delete, job.file_key))
    JobItem.objects.filter(job__in=keys).delete()
    Job.objects.filter(pk__in=keys).delete()


def _export_jobs(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Job.objects.filter(pk__in=keys).order_by("id")
    return [{"id": job.pk, "title": job.title, "at": job.created_at.isoformat()} for job in found]


def _find_messages(account: Account | None, trace: MentionMatcher) -> list[str]:
    found = find_mentions(Message.objects.filter(account=account), ("body", "problem"), trace)
    return [one.pk for one in found]


def _erase_messages(account: Account | None, keys: Sequence[str], trace: MentionMatcher) -> None:
    """Delete messages and withdraw unsent ones."""
    for one in Message.objects.filter(pk__in=keys).select_related("endpoint"):
        outbox.withdraw(f"{webhooks.dedupe_prefix(one.endpoint)}:{one.pk}")
    Message.objects.filter(pk__in=keys).delete()


def _export_messages(keys: Sequence[str], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = Message.objects.filter(pk__in=keys).order_by("id").iterator(chunk_size=_CHUNK_SIZE)
    return [{"at": one.created_at.isoformat(), "event": one.event, "body": one.body} for one in found]


def _find_contact_copies(account: Account | None, trace: MentionMatcher) -> list[int]:
    mine = ContactCopy.objects.filter(address_book__account=account, erased=False)
    return list(mine.filter(subject__in=trace.ids).values_list("pk", flat=True))


def _erase_contact_copies(account: Account | None, keys: Sequence[int], trace: MentionMatcher) -> None:
    """Remove the contacts from the owner's address book too, even if they were changed there or sync is off."""
    now = clock.now()
    found = ContactCopy.objects.filter(pk__in=keys)
    books = set(found.values_list("address_book_id", flat=True))
    found.update(erased=True, pending_removal=True, state="waiting", attempts=0, problem="", next_at=now)
    AddressBook.objects.filter(pk__in=books).update(next_at=now)
    transaction.on_commit(wake_event.event.set)


def _export_contact_copies(keys: Sequence[int], trace: MentionMatcher) -> list[dict[str, Any]]:
    found = ContactCopy.objects.filter(pk__in=keys).select_related("address_book").order_by("pk")
    return [{"address_book": one.address_book.name, "host": one.address_book.host} for one in found]


PERSONAL_DATA = (
    # emails without an account are reports to the administrator
    PersonalText(
        noun="mail",
        models=[Delivery],
        find=_find_emails,
        erase=_erase_emails,
        export=_export_emails,
        of_installation=True,
    ),
    PersonalTable(
        model=Endpoint,
        noun="webhook",
        rows=lambda account: Endpoint.objects.filter(account=account),
        page_url=lambda row: f"{webhooks.PAGE_PATH}/{row.pk}",
    ),
    PersonalText(
        noun="webhook message", models=[Message], find=_find_messages, erase=_erase_messages, export=_export_messages
    ),
    PersonalTable(
        model=Calendar,
        noun="calendar",
        rows=lambda account: Calendar.objects.filter(account=account),
        page_url=lambda row: "/app/account/calendars",
    ),
    # titles in the owner's own calendar: the next read restores what is there
    PersonalTable(
        model=BusyTime,
        noun="busy time of a calendar",
        rows=lambda account: BusyTime.objects.filter(calendar__account=account),
    ),
    PersonalTable(
        model=EventCopy,
        noun="event for a calendar",
        rows=lambda account: EventCopy.objects.filter(calendar__account=account),
    ),
    PersonalTable(
        model=AddressBook,
        noun="address book",
        rows=lambda account: AddressBook.objects.filter(account=account),
        page_url=lambda row: f"{sync_state.PAGE}/{row.pk}",
    ),
    PersonalText(
        noun="address book entry",
        models=[ContactCopy],
        find=_find_contact_copies,
        erase=_erase_contact_copies,
        export=_export_contact_copies,
    ),
    PersonalText(noun="job", models=[Job, JobItem], find=_find_jobs, erase=_erase_jobs, export=_export_jobs),
)
