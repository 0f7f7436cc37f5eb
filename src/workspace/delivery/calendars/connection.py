"""Connecting a calendar: probing the server outside of any transaction, and applying changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workspace.accounts.models import Account
from workspace.delivery import messages
from workspace.delivery.calendars import caldav, event_push
from workspace.delivery.calendars.caldav import MAX_CALENDAR_BYTES
from workspace.delivery.dav import client
from workspace.delivery.dav.client import DavError, DavSession, describe_status, url_host
from workspace.delivery.models import BusyTime, Calendar
from workspace.delivery.models.calendar import ADDRESS, PASSWORD, CalendarHealth, CalendarKind, CalendarPart
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.ics.event_splitter import CalendarParts, split_calendar
from workspace.owner_translation import owner_gettext
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_query import CompiledQuery, parameter

MAX_CALENDARS = 20
REPLACED_REASON = "A replaced address or password can't be restored"
REMOVED_REASON = "The password of a removed calendar isn't stored. Connect it again"
_HEAD_LENGTH = 20_000  # characters in which the calendar's name is looked for


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A server's calendars, found by a probe. `name` is the calendar's own name."""

    kind: str
    parts: list[CalendarPart]
    name: str


# results of probes made just before the transaction of the call, by position in its list
probed_calendars: ContextVar[dict[int, ProbeResult] | None] = ContextVar("probed_calendars", default=None)


def clean_url(url: str) -> str:
    """Return a URL in its stored form, with `webcal://` replaced by `https://`.

    Raise ValueError if the URL is invalid or may not be requested.
    """
    text = url.strip()
    for scheme in ("webcals://", "webcal://"):
        if text[: len(scheme)].lower() == scheme:
            text = "https://" + text[len(scheme) :]
    return client.clean_url(text)


def guess_kind(url: str, username: str) -> str:
    """Return the most likely kind of calendar at a URL."""
    path = urlsplit(url).path.lower()
    return CalendarKind.ICS if path.endswith((".ics", ".ical")) or not username else CalendarKind.CALDAV


def probe_server(kind: str, url: str, credentials: tuple[str, str] | None) -> ProbeResult:
    """Request a URL and return the calendars found there.

    This takes at most about 20 seconds. Raise DavError if there is no calendar or the server fails.
    """
    session = DavSession(credentials, credential_host=url_host(url))
    if kind == CalendarKind.CALDAV:
        parts = caldav.find_calendars(session, url)
        return ProbeResult(kind, parts, parts[0]["name"] if len(parts) == 1 else "")
    reply, _ = session.request("GET", url, headers={"Accept": "text/calendar, */*;q=0.1"}, max_bytes=MAX_CALENDAR_BYTES)
    if reply.status != 200:
        raise DavError(describe_status(reply.status), status=reply.status)
    head = reply.body[:_HEAD_LENGTH].decode("utf-8", "replace")
    if "BEGIN:VCALENDAR" not in head.upper():
        if re.search(r"(?i)<(!doctype html|html|head|body)", head):
            raise DavError(messages.PAGE_INSTEAD_OF_CALENDAR)
        raise DavError(messages.NO_CALENDAR)
    whole = CalendarParts()
    split_calendar(head, whole)
    return ProbeResult(
        kind,
        [{"url": "", "name": whole.name[:120] or owner_gettext("Calendar"), "reads": True, "writes": False}],
        whole.name,
    )


def connect_calendar(
    account: Account, probe: ProbeResult, url: str, username: str, password: str, **fields: Any
) -> Calendar:
    """Connect a calendar that a probe found. Raise OperationNotAllowedError if the account is at its limit."""
    if account.calendars.count() >= MAX_CALENDARS:
        raise OperationNotAllowedError(messages.CALENDAR_LIMIT(most=MAX_CALENDARS))
    host = urlsplit(url).netloc
    name = fields.pop("name", "") or probe.name or host
    made = Calendar.objects.create(
        account=account,
        kind=probe.kind,
        name=name[:120],
        host=host,
        parts=probe.parts,
        username=username,
        **_encrypt_credentials(account, url, password),
        **fields,
    )
    journal.record_new_rows(made)
    event_push.push_upcoming(made)
    return made


def update_connection(calendar: Calendar, probe: ProbeResult, url: str, username: str, password: str) -> None:
    """Change the URL or the password of a connection. Selected calendars remain selected if they still exist."""
    chosen = {part["url"]: part["reads"] for part in calendar.parts}
    parts: list[CalendarPart] = [{**part, "reads": chosen.get(part["url"], True)} for part in probe.parts]
    if not any(part["reads"] for part in parts):
        parts = probe.parts
    kept = calendar.write_to if calendar.write_to in {part["url"] for part in parts if part["writes"]} else ""
    fields = {"kind": probe.kind, "parts": parts, "username": username, "host": urlsplit(url).netloc, "write_to": kept}
    journal.update_row(calendar, **fields, **_encrypt_credentials(calendar.account, url, password))
    if [one["url"] for one in parts] != list(chosen):
        BusyTime.objects.filter(calendar=calendar, part__gte=len(parts)).delete()
    Calendar.objects.filter(pk=calendar.pk).update(etags={}, health=CalendarHealth.NEW, problem="")
    calendar.refresh_from_db()
    calendar.schedule_full_read()
    journal.mark_irreversible(REPLACED_REASON)


def change_settings(calendar: Calendar, **fields: Any) -> None:
    """Change settings of a connection. Calendars that are no longer read stop blocking times immediately."""
    before = journal.update_row(calendar, **fields)
    if "parts" in before:
        unread = [place for place, part in enumerate(calendar.parts) if not part["reads"]]
        BusyTime.objects.filter(calendar=calendar, part__in=unread).delete()
    if before.keys() & {"parts", "my_addresses", "block_tentative"}:
        calendar.schedule_full_read()
    if fields.get("write_to") and "write_to" in before:
        event_push.push_upcoming(calendar)


def select_calendar_parts(calendar: Calendar, names: Sequence[str], path: str) -> list[CalendarPart]:
    """Return the parts, with `reads` set for those with the given names or URLs.

    Raise InvalidInputError if a name is unknown or ambiguous, or if none is given.
    """
    found = {part["url"] for one in names for part in [get_calendar_part(calendar, one, path)]}
    if not found:
        raise InvalidInputError.at_path(path, messages.CALENDAR_NEEDED)
    return [{**part, "reads": part["url"] in found} for part in calendar.parts]


def get_calendar_part(calendar: Calendar, name: str, path: str) -> CalendarPart:
    """Return the connection's part with this name or URL. Raise InvalidInputError if there is none or several."""
    found = [part for part in calendar.parts if name in (part["url"], part["name"])]
    if len(found) == 1:
        return found[0]
    names = ", ".join(part["name"] for part in calendar.parts)
    if found:
        raise InvalidInputError.at_path(path, messages.NAME_AMBIGUOUS(name=name))
    raise InvalidInputError.at_path(path, messages.CALENDAR_NOT_FOUND(names=names))


def remove_calendars(account: Account, ids: Sequence[str]) -> int:
    """Remove connections permanently. Events that we wrote to the calendars are kept there."""
    gone, _ = account.calendars.filter(pk__in=ids).delete()
    if gone:
        journal.mark_irreversible(REMOVED_REASON)
    return gone


_ANY_CALENDAR = CompiledQuery(lambda: Calendar.objects.filter(account_id=parameter("account")).values_list("pk"))


def is_connected(account: Account) -> bool:
    """Return whether the account has a connected calendar."""
    return _ANY_CALENDAR.fetch_first(account=account.pk) is not None


encryption.register_encrypted_columns(Calendar, address=ADDRESS, password=PASSWORD)


def _encrypt_credentials(account: Account, url: str, password: str) -> dict[str, str]:
    kept = encryption.encrypt_secret(password, account.pk, PASSWORD) if password else ""
    return {"address": encryption.encrypt_secret(url, account.pk, ADDRESS), "password": kept}
