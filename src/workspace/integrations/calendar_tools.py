"""The calendars of an account as a tool: connected, chosen from, read anew, removed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.accounts.tool_scope import CALENDARS
from workspace.delivery.calendars import connection, event_push, sync_state
from workspace.delivery.calendars.connection import Probe
from workspace.delivery.dav import client
from workspace.delivery.dav.client import Trouble
from workspace.delivery.models import Calendar
from workspace.delivery.models.calendar import LONGEST_URL
from workspace.integrations.calendar_serializers import CalendarRow, line, rows
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, NotFound, Refusal
from workspace.publishing import items as publishing_items
from workspace.tools.answer import Answer, bullets
from workspace.tools.argument_types import AnyThing, Line, when_new
from workspace.tools.tool import Toolbox

MOST = 20
SECONDS = 30.0  # that all addresses of one call may take together
box = Toolbox(CALENDARS, "Calendars")
AGAIN = 20  # seconds after which one may be read anew by hand


def _url(text: str) -> str:
    return connection.clean(text)


CalendarId = Annotated[str, StringConstraints(min_length=1, max_length=40), Field(description="An id of this tool")]
Url = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_URL),
    AfterValidator(_url),
    Field(description="The private address of a calendar (.ics, webcal), or of a CalDAV server or calendar; https"),
]
Named = Annotated[str, Line(LONGEST_URL)]


class CalendarFields(TypedDict, total=False):
    id: Annotated[CalendarId, Field(description="Of the one to change; left out for a new one")]
    kind: Annotated[Literal["ics", "caldav"], Field(description="By its address where it is left out")]
    url: Url
    username: Annotated[str, Line(254, least=0)]
    password: Annotated[
        str, StringConstraints(max_length=500), Field(description="Many providers want one made for one app")
    ]
    name: Annotated[str, Line(120)]
    my_addresses: Annotated[
        list[Annotated[str, Line(254)]],
        Field(max_length=20, description="Yours: what you declined there is free; your e-mail when left out"),
    ]
    page_ids: Annotated[list[AnyThing], Field(max_length=50, description="The only pages it blocks; empty for all")]
    block_tentative: Annotated[bool, Field(description="Whether what is tentative blocks; true at first")]
    read: Annotated[list[Named], Field(max_length=50, description="Which of its calendars count: names or addresses")]
    push_to: Annotated[
        str, Line(LONGEST_URL, least=0), Field(description="Its calendar that bookings are written into; empty: none")
    ]


Entry = Annotated[CalendarFields, when_new("url")]
Items = Annotated[list[Entry], Field(max_length=MOST, description="Calendars to connect (url), or to change (id)")]
Remove = Annotated[list[CalendarId], Field(max_length=MOST, description="Ids of those to disconnect, for good")]
Sync = Annotated[bool, Field(description="Read them anew now: those of items, else all")]


class Calendars(TypedDict):
    items: Annotated[list[CalendarRow], Field(description="All that are connected")]
    removed: int
    syncing: Annotated[list[str], Field(description="Ids of those that are being read; not of one read a moment ago")]


def _look(account: Account, given: Any) -> None:
    """Each new address is asked before the transaction, so that one that is wrong is told at once."""
    found: dict[int, Probe] = {}
    connection.probed.set(found)
    until = time.monotonic() + SECONDS
    for place, item in enumerate(given.items or ()):
        if not item.keys() & {"url", "username", "password", "kind"}:
            continue
        if time.monotonic() > until:
            raise InvalidInput.at(f"items.{place}", "The addresses take too long to answer: connect fewer at a time")
        url, username, password, kind = _reached(account, item, place)
        try:
            found[place] = connection.probe(kind, url, (username, password) if username or password else None)
        except Trouble as trouble:
            where = "password" if trouble.status == 401 and password else "url"
            raise InvalidInput.at(f"items.{place}.{where}", str(trouble)) from None


def _reached(account: Account, item: Mapping[str, Any], place: int) -> tuple[str, str, str, str]:
    """Address, user name, password and kind: those that are given, else those that are kept. A password goes to no
    other host than it was given for."""
    if "id" not in item:
        username = item.get("username", "")
        kind = item.get("kind") or connection.kind_of(item["url"], username)
        return item["url"], username, item.get("password", ""), kind
    kept = _one(account, item["id"])
    url, credentials = kept.url, kept.credentials() or ("", "")
    if (
        "url" in item
        and client.host_of(item["url"]) != client.host_of(url)
        and credentials[1]
        and "password" not in item
    ):
        raise InvalidInput.at(f"items.{place}.password", "Give the password too, since the address is of another host")
    kind = item.get("kind") or kept.kind
    return item.get("url", url), item.get("username", credentials[0]), item.get("password", credentials[1]), kind


@box.tool("svc_calendar_save", title="Connect calendars", prepare=_look, sends=True)
def save(
    account: Account, items: Items | None = None, remove: Remove | None = None, sync: Sync = False
) -> Answer[Calendars]:
    """Connect calendars, so that nobody books a time at which you are busy; choose which of them count and which one
    bookings are written into; read them anew; remove them. Each address is asked first. Without arguments it lists
    them, with what went wrong. They are read every ten minutes; while one cannot be, its last good copy counts."""
    named: list[str] = []
    for place, item in enumerate(items or ()):
        named.append(_saved(account, item, place).pk)
    missing = set(remove or ()) - set(account.calendars.filter(pk__in=remove or ()).values_list("pk", flat=True))
    if missing:
        raise NotFound(f"There is no such calendar: {', '.join(sorted(missing))}")
    gone = len(remove or ())
    if remove:
        connection.remove(account, remove)
    shown = list(account.calendars.order_by("id"))
    syncing = [one.pk for one in shown if sync and (not named or one.pk in named) and _read_soon(one)]
    event_push.wake_after_commit()
    return _answer(account, shown, gone, syncing)


def listed(account: Account) -> list[CalendarRow]:
    """What the tool lists without arguments, for who may look and not change anything."""
    return rows(account, list(account.calendars.order_by("id")))


def _saved(account: Account, item: Mapping[str, Any], place: int) -> Calendar:
    path = f"items.{place}"
    fields = {name: item[name] for name in ("name", "my_addresses", "block_tentative") if name in item}
    if "page_ids" in item:
        ids = [publishing_items.thing(account, one).id for one in item["page_ids"]]
        fields["pages"] = f" {' '.join(ids)} " if ids else ""
    found = (connection.probed.get() or {}).get(place)
    if "id" in item:
        calendar = _one(account, item["id"])
        if found is not None:
            url, username, password, _ = _reached(account, item, place)
            connection.lead(calendar, found, url, username, password)
    else:
        if found is None:
            raise Refusal("This address was not asked yet: try again")
        calendar = connection.connect(
            account, found, item["url"], item.get("username", ""), item.get("password", ""), **fields
        )
        fields = {}
    if "read" in item:
        fields["parts"] = connection.choose(calendar, item["read"], f"{path}.read")
    if "push_to" in item:
        fields["push_to"] = _push_to(calendar, item["push_to"], f"{path}.push_to")
    if fields:
        connection.change(calendar, **fields)
    return calendar


def _push_to(calendar: Calendar, named: str, path: str) -> str:
    if not named:
        return ""
    if calendar.kind != "caldav":
        raise InvalidInput.at(path, "Only a CalDAV calendar can be written into: an .ics address can only be read")
    part = connection.part_of(calendar, named, path)
    if not part["writes"]:
        raise InvalidInput.at(path, f"You may not write into {part['name']}: choose another one")
    return part["url"]


def _one(account: Account, id: str) -> Calendar:
    found = account.calendars.filter(pk=id).first()
    if found is None:
        raise NotFound("There is no such calendar: svc_calendar_save without arguments lists yours")
    return found


def _read_soon(calendar: Calendar) -> bool:
    """False for one that was read just now: it is asked no more often than that."""
    read_at = calendar.read_at
    if read_at is not None and (clock.now() - read_at).total_seconds() < AGAIN and not calendar.problem:
        return False
    calendar.read_anew()
    return True


def _answer(account: Account, shown: Sequence[Calendar], gone: int, syncing: list[str]) -> Answer[Calendars]:
    told = rows(account, shown)
    head = "Your calendars:" if told else "No calendar is connected: give the url of one in items."
    lines = [f"{gone} removed."] if gone else []
    if syncing:
        lines.append(f"Being read: {', '.join(f'`{id}`' for id in syncing)}. Ask again in a moment.")
    page = f"They are also at {settings.BASE_URL}{sync_state.PAGE}"
    return Answer(
        {"items": told, "removed": gone, "syncing": syncing}, "\n".join([*lines, head, *bullets(told, line), page])
    )
