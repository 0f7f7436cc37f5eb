"""The tool for calendars of an account: connect, choose calendars, sync, remove."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.accounts.product_scope import CALENDARS
from workspace.delivery.calendars import connection, event_push, sync_state
from workspace.delivery.calendars.connection import ProbeResult
from workspace.delivery.dav import client
from workspace.delivery.dav.client import DavError
from workspace.delivery.models import Calendar
from workspace.delivery.models.calendar import MAX_URL_LENGTH
from workspace.integrations import messages
from workspace.integrations.calendar_serializers import CalendarData, format_calendar, list_calendar_data
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, NotFoundError, ToolError
from workspace.publishing import items as publishing_items
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.argument_types import AnyItem, Line, require_when_new
from workspace.tools.tool import Toolbox

MAX_CALENDARS = 20
PROBE_TIMEOUT_SECONDS = 30.0  # maximum time for all addresses of one call
box = Toolbox(CALENDARS, "Calendars")
MIN_SYNC_INTERVAL_SECONDS = 20  # minimum interval between manual syncs


def _validate_url(text: str) -> str:
    return connection.clean_url(text)


CalendarId = Annotated[str, StringConstraints(min_length=1, max_length=40), Field(description="An id of this tool")]
Url = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_URL_LENGTH),
    AfterValidator(_validate_url),
    Field(description="Private calendar URL (.ics, webcal or CalDAV). It must start with https or webcal."),
]
CalendarName = Annotated[str, Line(MAX_URL_LENGTH)]


class CalendarFields(TypedDict, total=False):
    id: Annotated[CalendarId, Field(description="ID of an existing connection. Omit it to connect a new one.")]
    kind: Annotated[Literal["ics", "caldav"], Field(description="Type of calendar. Detected from the URL by default.")]
    url: Url
    username: Annotated[str, Line(254, least=0), Field(description="Username on the CalDAV server.")]
    password: Annotated[
        str,
        StringConstraints(max_length=500),
        Field(description="Password, usually an app-specific password from the provider."),
    ]
    name: Annotated[str, Line(120), Field(description="Name shown in your settings.")]
    my_addresses: Annotated[
        list[Annotated[str, Line(254)]],
        Field(
            max_length=20,
            description=(
                "Your email addresses. Events that you declined don't block time. Defaults to the account's email "
                "address."
            ),
        ),
    ]
    page_ids: Annotated[
        list[AnyItem],
        Field(
            max_length=50,
            description="IDs of the booking pages that the calendar blocks time on. An empty list means all pages.",
        ),
    ]
    block_tentative: Annotated[bool, Field(description="Whether tentative events block time. Defaults to true.")]
    read: Annotated[
        list[CalendarName], Field(max_length=50, description="Names or URLs of the calendars that block time.")
    ]
    push_to: Annotated[
        str,
        Line(MAX_URL_LENGTH, least=0),
        Field(description="Name or URL of the calendar that receives new bookings. An empty string means none."),
    ]


CalendarEntry = Annotated[CalendarFields, require_when_new("url")]
Items = Annotated[
    list[CalendarEntry], Field(max_length=MAX_CALENDARS, description="Calendars to connect (url) or update (id).")
]
Remove = Annotated[
    list[CalendarId], Field(max_length=MAX_CALENDARS, description="IDs of connections to delete. Cannot be undone.")
]
Sync = Annotated[
    bool,
    Field(
        description="Whether to sync now. Syncs the calendars in items, or all if there are none. Defaults to false."
    ),
]


class CalendarList(TypedDict):
    items: Annotated[list[CalendarData], Field(description="All connections.")]
    removed: int
    syncing: Annotated[list[str], Field(description="IDs of calendars that are syncing.")]


def _probe_urls(account: Account, items: Any) -> None:
    """Probe each new address before the transaction, so that errors are reported immediately."""
    found: dict[int, ProbeResult] = {}
    connection.probed_calendars.set(found)
    until = time.monotonic() + PROBE_TIMEOUT_SECONDS
    for place, item in enumerate(items.items or ()):
        if not item.keys() & {"url", "username", "password", "kind"}:
            continue
        if time.monotonic() > until:
            raise InvalidInputError.at_path(f"items.{place}", messages.SERVERS_TOO_SLOW)
        url, username, password, kind = _resolve_credentials(account, item, place)
        try:
            found[place] = connection.probe_server(kind, url, (username, password) if username or password else None)
        except DavError as trouble:
            where = "password" if trouble.status == 401 and password else "url"
            raise InvalidInputError.at_path(f"items.{place}.{where}", str(trouble)) from None


def _resolve_credentials(account: Account, item: Mapping[str, Any], place: int) -> tuple[str, str, str, str]:
    """Return the URL, user name, password and kind: the given values, or else the stored ones.

    A stored password is never sent to another host.
    """
    if "id" not in item:
        username = item.get("username", "")
        kind = item.get("kind") or connection.guess_kind(item["url"], username)
        return item["url"], username, item.get("password", ""), kind
    kept = _get_calendar(account, item["id"])
    url, credentials = kept.url, kept.credentials() or ("", "")
    if (
        "url" in item
        and client.url_host(item["url"]) != client.url_host(url)
        and credentials[1]
        and "password" not in item
    ):
        raise InvalidInputError.at_path(f"items.{place}.password", messages.PASSWORD_NEEDED)
    kind = item.get("kind") or kept.kind
    return item.get("url", url), item.get("username", credentials[0]), item.get("password", credentials[1]), kind


@box.tool(
    "svc_calendars_save",
    title="Connect and update calendars",
    about="Connect calendars so that clients can't book while you are busy, and choose which one receives new "
    "bookings. You can also update, sync and disconnect calendars. They sync every ten minutes. URLs are "
    "tested first. Without arguments, lists calendars and errors.",
    short="Connect, update, sync or disconnect calendars that block times.",
    synonyms="google calendar, outlook, apple calendar, icloud, ical, ics, caldav, busy times, double booking, "
    "sync calendar, kalender verbinden, kalender synchronisieren, conectar calendario, sincronizar "
    "calendario, evitar doble reserva, disconnect calendar, kalender trennen, desconectar calendario, "
    "calendar not updating",
    prepare=_probe_urls,
    sends=True,
)
def save(
    account: Account, items: Items | None = None, remove: Remove | None = None, sync: Sync = False
) -> Answer[CalendarList]:
    named: list[str] = []
    for place, item in enumerate(items or ()):
        named.append(_save_calendar(account, item, place).pk)
    missing = set(remove or ()) - set(account.calendars.filter(pk__in=remove or ()).values_list("pk", flat=True))
    if missing:
        raise NotFoundError(messages.CALENDARS_NOT_FOUND(ids=", ".join(sorted(missing))))
    gone = len(remove or ())
    if remove:
        connection.remove_calendars(account, remove)
    shown = list(account.calendars.order_by("id"))
    syncing = [one.pk for one in shown if sync and (not named or one.pk in named) and _sync_soon(one)]
    event_push.wake_after_commit()
    return _calendars_answer(account, shown, gone, syncing)


def list_calendars(account: Account) -> list[CalendarData]:
    """Return the tool's answer to a call without arguments, for callers with read-only access."""
    return list_calendar_data(account, list(account.calendars.order_by("id")))


def _save_calendar(account: Account, item: Mapping[str, Any], place: int) -> Calendar:
    path = f"items.{place}"
    fields = {name: item[name] for name in ("name", "my_addresses", "block_tentative") if name in item}
    if "page_ids" in item:
        ids = [publishing_items.get_item(account, one).id for one in item["page_ids"]]
        fields["pages"] = f" {' '.join(ids)} " if ids else ""
    found = (connection.probed_calendars.get() or {}).get(place)
    if "id" in item:
        calendar = _get_calendar(account, item["id"])
        if found is not None:
            url, username, password, _ = _resolve_credentials(account, item, place)
            connection.update_connection(calendar, found, url, username, password)
    else:
        if found is None:
            raise ToolError(messages.NOT_CHECKED)
        calendar = connection.connect_calendar(
            account, found, item["url"], item.get("username", ""), item.get("password", ""), **fields
        )
        fields = {}
    if "read" in item:
        fields["parts"] = connection.select_calendar_parts(calendar, item["read"], f"{path}.read")
    if "push_to" in item:
        fields["write_to"] = _resolve_push_target(calendar, item["push_to"], f"{path}.push_to")
    if fields:
        connection.change_settings(calendar, **fields)
    return calendar


def _resolve_push_target(calendar: Calendar, name: str, path: str) -> str:
    if not name:
        return ""
    if calendar.kind != "caldav":
        raise InvalidInputError.at_path(path, messages.CALENDAR_IS_ICS)
    part = connection.get_calendar_part(calendar, name, path)
    if not part["writes"]:
        raise InvalidInputError.at_path(path, messages.CALENDAR_IS_READ_ONLY(name=part["name"]))
    return part["url"]


def _get_calendar(account: Account, id: str) -> Calendar:
    found = account.calendars.filter(pk=id).first()
    if found is None:
        raise NotFoundError(messages.CALENDAR_NOT_FOUND)
    return found


def _sync_soon(calendar: Calendar) -> bool:
    """Schedule a sync, unless the calendar was read a moment ago. Return whether it is scheduled."""
    read_at = calendar.read_at
    if (
        read_at is not None
        and (clock.now() - read_at).total_seconds() < MIN_SYNC_INTERVAL_SECONDS
        and not calendar.problem
    ):
        return False
    calendar.schedule_full_read()
    return True


def _calendars_answer(
    account: Account, calendars: Sequence[Calendar], removed_count: int, syncing: list[str]
) -> Answer[CalendarList]:
    data = list_calendar_data(account, calendars)
    head = "Your calendars:" if data else "No calendar is connected. To connect one, pass its url in items."
    lines = [f"{removed_count} removed."] if removed_count else []
    if syncing:
        lines.append(f"Syncing: {', '.join(f'`{id}`' for id in syncing)}. Check again in a minute.")
    page = f"Dashboard: {settings.BASE_URL}{sync_state.PAGE}"
    return Answer(
        {"items": data, "removed": removed_count, "syncing": syncing},
        "\n".join([*lines, head, *format_bullets(data, format_calendar), page]),
    )
