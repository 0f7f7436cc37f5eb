"""Connecting a calendar: looking whether there is one, outside of any transaction, and what follows from a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workspace.accounts.models import Account
from workspace.delivery.calendars import caldav, event_push
from workspace.delivery.calendars.caldav import MOST
from workspace.delivery.dav import client
from workspace.delivery.dav.client import Conversation, Trouble, host_of, in_words
from workspace.delivery.models import BusyTime, Calendar
from workspace.delivery.models.calendar import ADDRESS, PASSWORD, Health, Kind, Part
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.ics.content_lines import Cut, cut
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_query import Statement, given

MOST_CALENDARS = 20
REPLACED = "An address or a password that was replaced does not come back"
NOT_KEPT = "The password of a calendar that was removed is not kept: connect it again"
_HEAD = 20_000  # characters in which the name of a calendar stands


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found at an address; `name` is the calendar's own."""

    kind: str
    parts: list[Part]
    name: str


# what was found just before the transaction of the call, by place in its list
probed: ContextVar[dict[int, Probe] | None] = ContextVar("probed", default=None)


def clean(url: str) -> str:
    """An address that may be asked, as it is kept; `webcal://` is one for calendars. Raises ValueError."""
    text = url.strip()
    for scheme in ("webcals://", "webcal://"):
        if text[: len(scheme)].lower() == scheme:
            text = "https://" + text[len(scheme) :]
    return client.clean(text)


def kind_of(url: str, username: str) -> str:
    """What an address most likely is."""
    path = urlsplit(url).path.lower()
    return Kind.ICS if path.endswith((".ics", ".ical")) or not username else Kind.CALDAV


def probe(kind: str, url: str, credentials: tuple[str, str] | None) -> Probe:
    """Ask the address, for at most some twenty seconds. Raises Trouble."""
    talk = Conversation(credentials, home=host_of(url))
    if kind == Kind.CALDAV:
        parts = caldav.calendars_at(talk, url)
        return Probe(kind, parts, parts[0]["name"] if len(parts) == 1 else "")
    reply, _ = talk.ask("GET", url, headers={"Accept": "text/calendar, */*;q=0.1"}, most=MOST)
    if reply.status != 200:
        raise Trouble(in_words(reply.status), status=reply.status)
    head = reply.body[:_HEAD].decode("utf-8", "replace")
    if "BEGIN:VCALENDAR" not in head.upper():
        if re.search(r"(?i)<(!doctype html|html|head|body)", head):
            raise Trouble("This address shows a page for people. Copy the private address in iCal format (.ics)")
        raise Trouble("There is no calendar at this address")
    whole = Cut()
    cut(head, whole)
    return Probe(
        kind, [{"url": "", "name": whole.name[:120] or "Calendar", "reads": True, "writes": False}], whole.name
    )


def connect(account: Account, found: Probe, url: str, username: str, password: str, **fields: Any) -> Calendar:
    """A new one, of what was found. Raises ToolError where the account has enough."""
    if account.calendars.count() >= MOST_CALENDARS:
        raise ToolError(f"An account has at most {MOST_CALENDARS} connections to calendars: remove one first")
    host = urlsplit(url).netloc
    name = fields.pop("name", "") or found.name or host
    made = Calendar.objects.create(
        account=account,
        kind=found.kind,
        name=name[:120],
        host=host,
        parts=found.parts,
        username=username,
        **_sealed(account, url, password),
        **fields,
    )
    journal.add(made)
    event_push.push_all(made)
    return made


def lead(calendar: Calendar, found: Probe, url: str, username: str, password: str) -> None:
    """To another address, or with another password. What was chosen stays chosen where it is there still."""
    chosen = {part["url"]: part["reads"] for part in calendar.parts}
    parts: list[Part] = [{**part, "reads": chosen.get(part["url"], True)} for part in found.parts]
    if not any(part["reads"] for part in parts):
        parts = found.parts
    kept = calendar.push_to if calendar.push_to in {part["url"] for part in parts if part["writes"]} else ""
    fields = {"kind": found.kind, "parts": parts, "username": username, "host": urlsplit(url).netloc, "push_to": kept}
    journal.change(calendar, **fields, **_sealed(calendar.account, url, password))
    if [one["url"] for one in parts] != list(chosen):
        BusyTime.objects.filter(calendar=calendar, part__gte=len(parts)).delete()
    Calendar.objects.filter(pk=calendar.pk).update(tags={}, health=Health.NEW, problem="")
    calendar.refresh_from_db()
    calendar.read_anew()
    journal.for_good(REPLACED)


def change(calendar: Calendar, **fields: Any) -> None:
    """Its settings; what is no longer read blocks nothing from now on."""
    before = journal.change(calendar, **fields)
    if "parts" in before:
        unread = [place for place, part in enumerate(calendar.parts) if not part["reads"]]
        BusyTime.objects.filter(calendar=calendar, part__in=unread).delete()
    if before.keys() & {"parts", "my_addresses", "block_tentative"}:
        calendar.read_anew()
    if fields.get("push_to") and "push_to" in before:
        event_push.push_all(calendar)


def choose(calendar: Calendar, wanted: Sequence[str], path: str) -> list[Part]:
    """Its parts, of which those count that are named, by name or address. Raises InvalidInput."""
    found = {part["url"] for one in wanted for part in [part_of(calendar, one, path)]}
    if not found:
        raise InvalidInput.at(path, "Choose at least one, or remove the whole connection")
    return [{**part, "reads": part["url"] in found} for part in calendar.parts]


def part_of(calendar: Calendar, named: str, path: str) -> Part:
    found = [part for part in calendar.parts if named in (part["url"], part["name"])]
    if len(found) == 1:
        return found[0]
    names = ", ".join(part["name"] for part in calendar.parts)
    if found:
        raise InvalidInput.at(path, f"Several are called {named}: give the address of one")
    raise InvalidInput.at(path, f"There is no such calendar in it: {names}")


def remove(account: Account, ids: Sequence[str]) -> int:
    """For good; what we wrote into them stays there."""
    gone, _ = account.calendars.filter(pk__in=ids).delete()
    if gone:
        journal.for_good(NOT_KEPT)
    return gone


_ANY = Statement(lambda: Calendar.objects.filter(account_id=given("account")).values_list("pk"))


def is_connected(account: Account) -> bool:
    return _ANY.first(account=account.pk) is not None


encryption.sealed_in(Calendar, address=ADDRESS, password=PASSWORD)


def _sealed(account: Account, url: str, password: str) -> dict[str, str]:
    kept = encryption.seal(password, account.pk, PASSWORD) if password else ""
    return {"address": encryption.seal(url, account.pk, ADDRESS), "password": kept}
