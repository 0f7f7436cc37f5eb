"""Calendars: connecting one, choosing what counts in it, and how reading it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, pages
from workspace.delivery.calendars import busy, sources
from workspace.delivery.calendars.sync_state import PAGE
from workspace.integrations.calendar_tools import listed, save
from workspace.lib import clock

STATES = {"new": ("Being read", "wait"), "good": ("Works", "good"), "broken": ("Cannot be read", "bad")}
LABELS = {
    "url": "Address",
    "username": "User name",
    "name": "Name",
    "read": "What counts",
    "push_to": "Bookings are written into",
    "my_addresses": "Your addresses",
    "page_ids": "Pages",
}
MOST_ADDRESSES = 3
READ_BACK = timedelta(days=14)
SHOWN = 8  # of the busy times that were read


@dataclass(frozen=True, slots=True)
class Way:
    """How the calendars of one provider are connected. `writes`: bookings can be written into them; `like` is an
    address as theirs are, `url` the one that is the same for all."""

    key: str
    title: str
    writes: bool = False
    url: str = ""
    like: str = "https://"
    user: str = "User name"
    password: str = "App password"
    is_open: bool = False

    @property
    def signs_in(self) -> bool:
        return self.writes or self.is_open


WAYS = (
    Way("google", "Google Calendar", like="https://calendar.google.com/calendar/ical/…/basic.ics"),
    Way("icloud", "Apple iCloud", True, url="https://caldav.icloud.com/", user="E-mail of your Apple Account"),
    Way("outlook", "Outlook and Microsoft 365", like="https://outlook.live.com/owa/calendar/…/calendar.ics"),
    Way("fastmail", "Fastmail", True, url="https://caldav.fastmail.com/", user="Fastmail address"),
    Way("nextcloud", "Nextcloud", True, like="https://cloud.example.com/remote.php/dav"),
    Way("other", "Another one", True, password="Password", is_open=True),
)
page = pages(home=PAGE, ids=("id",), above=lambda request: "/".join(request.path.split("/")[:5]))


@page("GET", "HEAD", "POST")
def calendars(request: SignedInRequest) -> HttpResponse:
    way = next((one for one in WAYS if one.key == request.GET.get("with")), None)
    if way is None and request.method == "POST":
        way = WAYS[-1]
    form = ToolForm(save, request, entry="items", labels=LABELS, initial={"url": way.url} if way else {})
    known = set(request.account.calendars.values_list("pk", flat=True)) if form.bound else set()
    if answer := form.submit(request.caller):
        made = [row["calendar_id"] for row in answer.data["items"] if row["calendar_id"] not in known]
        return redirect("calendar", id=made[0]) if made else redirect("calendars")
    rows = [_shown(row) for row in listed(request.account)]
    return render(
        request,
        "account_pages/calendars.html",
        {"rows": rows, "form": form, "ways": WAYS, "way": way},
        status=form.status,
    )


@page("GET", "HEAD", "POST")
def calendar(request: SignedInRequest, id: str) -> HttpResponse:
    row = _row(request, id)
    initial = {**row, "read": [one["url"] for one in row["calendars"] if one["reads"]]}
    # two forms on one page: what is chosen, and where it is
    leads = request.method == "POST" and "_lead" in request.POST
    settings = _form(request, id, {} if leads else initial, bound=not leads)
    way = _form(request, id, {"username": row["username"]}, bound=leads, ids="w")
    if (way if leads else settings).submit(request.caller):
        return done(request, "Saved. It is read anew." if leads else "Saved.", request.path)
    if leads:
        settings.values = initial
    context = {
        "row": _shown(row),
        **_read(request, id),
        "form": settings,
        "way": way,
        "parts": [(one["url"], one["name"]) for one in row["calendars"]],
        "into": [(one["url"], one["name"]) for one in row["calendars"] if one["writes"] and one["url"]],
        "mine": [*row["my_addresses"], ""][:MOST_ADDRESSES],
        "blockable": sources.pages(request.account),
    }
    status = way.status if leads else settings.status
    return render(request, "account_pages/calendar.html", context, status=status)


@page()
def state(request: SignedInRequest, id: str) -> HttpResponse:
    """The part of the page that changes while it is read."""
    return render(
        request, "account_pages/calendar_state.html", {"row": _shown(_row(request, id)), **_read(request, id)}
    )


@page("POST")
def sync(request: SignedInRequest, id: str) -> HttpResponse:
    told = call(request, save, items=[{"id": id}], sync=True)
    return done(request, "It is being read." if id in told["syncing"] else "It was read just now.", f"{PAGE}/{id}")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call(request, save, remove=[id])
        return done(request, "Disconnected.", PAGE)
    return ask(
        request,
        title=f"Disconnect {_row(request, id)['name']}?",
        text="It blocks nothing from now on, and its password is forgotten. What we wrote into it stays there.",
        button="Disconnect",
        back=f"{PAGE}/{id}",
    )


def _read(request: SignedInRequest, id: str) -> dict[str, Any]:
    """The next busy times that stand in it as we read them, for whoever wonders."""
    now = clock.now()
    found = busy(request.account, now, now + READ_BACK, zone=request.account.zone)
    return {"next_busy": [one for one in found if one.calendar_id == id][:SHOWN]}


def _form(request: SignedInRequest, id: str, initial: Mapping[str, Any], *, bound: bool, ids: str = "f") -> ToolForm:
    fixed = {"id": id}
    form = ToolForm(
        save, request, entry="items", entry_fixed=fixed, initial=initial, editing=True, labels=LABELS, ids=ids
    )
    if not bound and form.bound:
        form.bound, form.values = False, dict(initial)
    return form


def _row(request: SignedInRequest, id: str) -> dict[str, Any]:
    for row in listed(request.account):
        if row["calendar_id"] == id:
            return dict(row)
    raise Http404("There is no such calendar")


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    counting = [one["name"] for one in row["calendars"] if one["reads"]]
    times = {name: moment(row[name]) for name in ("read_at", "failing_since")}
    into = next((one["name"] for one in row["calendars"] if one["url"] == row["push_to"]), "") if row["push_to"] else ""
    return {**row, **times, "badge": STATES[row["state"]], "counting": counting, "into": into}
