"""Calendars: connecting one, choosing which events count as busy, and its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool
from workspace.delivery.calendars import event_sources, list_busy_periods
from workspace.delivery.calendars.sync_state import PAGE
from workspace.integrations.calendar_tools import list_calendars, save
from workspace.interfaces.messages import CALENDAR_NOT_FOUND
from workspace.lib import clock
from workspace.owner_translation import OwnerText, owner_gettext, owner_gettext_lazy

STATE_BADGES = {
    "new": (owner_gettext_lazy("Syncing"), "wait"),
    "good": (owner_gettext_lazy("Connected"), "good"),
    "broken": (owner_gettext_lazy("Sync failed"), "bad"),
}
LABELS = {
    "url": owner_gettext_lazy("Address"),
    "username": owner_gettext_lazy("Username"),
    "name": owner_gettext_lazy("Name"),
    "read": owner_gettext_lazy("Calendars that block your time"),
    "push_to": owner_gettext_lazy("Add bookings to"),
    "my_addresses": owner_gettext_lazy("Your email addresses"),
    "page_ids": owner_gettext_lazy("Booking pages"),
}
MAX_ADDRESSES = 3
LOOKAHEAD = timedelta(days=14)
MAX_BUSY_TIMES = 8  # of the busy times found


_USERNAME, _APP_PASSWORD = owner_gettext_lazy("Username"), owner_gettext_lazy("App password")


@dataclass(frozen=True, slots=True)
class CalendarProvider:
    """How a provider's calendars are connected.

    `writes` means that bookings can be written to them. `placeholder` is an example address, and `url` the address if
    it is the same for all customers.
    """

    key: str
    title: OwnerText
    writes: bool = False
    url: str = ""
    placeholder: str = "https://"
    username_label: OwnerText = _USERNAME
    password: OwnerText = _APP_PASSWORD
    is_open: bool = False

    @property
    def needs_sign_in(self) -> bool:
        return self.writes or self.is_open


PROVIDERS = (
    CalendarProvider("google", "Google Calendar", placeholder="https://calendar.google.com/calendar/ical/…/basic.ics"),
    CalendarProvider(
        "icloud",
        "Apple iCloud",
        True,
        url="https://caldav.icloud.com/",
        username_label=owner_gettext_lazy("Email address of your Apple Account"),
    ),
    CalendarProvider(
        "outlook", "Outlook and Microsoft 365", placeholder="https://outlook.live.com/owa/calendar/…/calendar.ics"
    ),
    CalendarProvider(
        "fastmail",
        "Fastmail",
        True,
        url="https://caldav.fastmail.com/",
        username_label=owner_gettext_lazy("Fastmail address"),
    ),
    CalendarProvider("nextcloud", "Nextcloud", True, placeholder="https://cloud.example.com/remote.php/dav"),
    CalendarProvider(
        "other",
        owner_gettext_lazy("Other (CalDAV or iCal)"),
        True,
        password=owner_gettext_lazy("Password"),
        is_open=True,
    ),
)
page = build_page_decorator(
    list_path=PAGE, id_arguments=("id",), find_parent_url=lambda request: "/".join(request.path.split("/")[:5])
)


@page("GET", "HEAD", "POST")
def calendars(request: SignedInRequest) -> HttpResponse:
    provider = next((one for one in PROVIDERS if one.key == request.GET.get("with")), None)
    if provider is None and request.method == "POST":
        provider = PROVIDERS[-1]
    form = ToolForm(save, request, entry="items", labels=LABELS, initial={"url": provider.url} if provider else {})
    known = set(request.account.calendars.values_list("pk", flat=True)) if form.is_bound else set()
    if answer := form.submit(request.caller):
        made = [row["calendar_id"] for row in answer.data["items"] if row["calendar_id"] not in known]
        return redirect("calendar", id=made[0]) if made else redirect("calendars")
    rows = [_present_calendar(row) for row in list_calendars(request.account)]
    return render(
        request,
        "account_pages/calendars.html",
        {"rows": rows, "form": form, "ways": PROVIDERS, "way": provider},
        status=form.status,
    )


@page("GET", "HEAD", "POST")
def calendar(request: SignedInRequest, id: str) -> HttpResponse:
    row = _get_calendar(request, id)
    initial = {**row, "read": [one["url"] for one in row["calendars"] if one["reads"]]}
    # two forms on one page: the settings, and the address
    leads = request.method == "POST" and "_lead" in request.POST
    settings = _form(request, id, {} if leads else initial, bound=not leads)
    connection_form = _form(request, id, {"username": row["username"]}, bound=leads, ids="w")
    if (connection_form if leads else settings).submit(request.caller):
        return redirect_with_message(
            request,
            owner_gettext("Calendar saved. Sync started.") if leads else owner_gettext("Calendar saved."),
            request.path,
        )
    if leads:
        settings.values = initial
    context = {
        "row": _present_calendar(row),
        **_busy_context(request, id),
        "form": settings,
        "way": connection_form,
        "parts": [(one["url"], one["name"]) for one in row["calendars"]],
        "into": [(one["url"], one["name"]) for one in row["calendars"] if one["writes"] and one["url"]],
        "mine": [*row["my_addresses"], ""][:MAX_ADDRESSES],
        "blockable": event_sources.list_pages(request.account),
    }
    status = connection_form.status if leads else settings.status
    return render(request, "account_pages/calendar.html", context, status=status)


@page()
def state(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the part of the page that changes while the calendar is read."""
    return render(
        request,
        "account_pages/calendar_state.html",
        {"row": _present_calendar(_get_calendar(request, id)), **_busy_context(request, id)},
    )


@page("POST")
def sync(request: SignedInRequest, id: str) -> HttpResponse:
    saved = call_tool(request, save, items=[{"id": id}], sync=True)
    return redirect_with_message(
        request,
        owner_gettext("Sync started.") if id in saved["syncing"] else owner_gettext("This calendar was just synced."),
        f"{PAGE}/{id}",
    )


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call_tool(request, save, remove=[id])
        return redirect_with_message(request, owner_gettext("Calendar disconnected."), PAGE)
    return render_confirmation(
        request,
        title=owner_gettext("Disconnect %(calendar)s?") % {"calendar": _get_calendar(request, id)["name"]},
        text=owner_gettext(
            "This calendar no longer blocks your time, and its password is deleted. Bookings that we added stay there."
        ),
        button=owner_gettext("Disconnect"),
        back=f"{PAGE}/{id}",
    )


def _busy_context(request: SignedInRequest, id: str) -> dict[str, Any]:
    """Return the next busy times found in the calendar, so that the owner can check them."""
    now = clock.now()
    found = list_busy_periods(request.account, now, now + LOOKAHEAD, zone=request.account.zone)
    return {"next_busy": [one for one in found if one.calendar_id == id][:MAX_BUSY_TIMES]}


def _form(request: SignedInRequest, id: str, initial: Mapping[str, Any], *, bound: bool, ids: str = "f") -> ToolForm:
    fixed = {"id": id}
    form = ToolForm(
        save, request, entry="items", entry_fixed=fixed, initial=initial, editing=True, labels=LABELS, ids=ids
    )
    if not bound and form.is_bound:
        form.is_bound, form.values = False, dict(initial)
    return form


def _get_calendar(request: SignedInRequest, id: str) -> dict[str, Any]:
    for row in list_calendars(request.account):
        if row["calendar_id"] == id:
            return dict(row)
    raise Http404(CALENDAR_NOT_FOUND)


def _present_calendar(row: Mapping[str, Any]) -> dict[str, Any]:
    counting = [one["name"] for one in row["calendars"] if one["reads"]]
    times = {name: parse_time(row[name]) for name in ("read_at", "failing_since")}
    into = next((one["name"] for one in row["calendars"] if one["url"] == row["push_to"]), "") if row["push_to"] else ""
    return {**row, **times, "badge": STATE_BADGES[row["state"]], "counting": counting, "into": into}
