"""Calendars: connecting one, choosing what counts in it, and how reading it goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, moment
from workspace.dashboard.tool_pages import call, pages
from workspace.delivery.calendars import sources
from workspace.delivery.calendars.keeping import PAGE
from workspace.publishing.calendar_tools import listed, save

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
page = pages(home=PAGE, ids=("id",), above=lambda request: "/".join(request.path.split("/")[:5]))


@page("GET", "HEAD", "POST")
def calendars(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(save, request, entry="items", labels=LABELS)
    known = set(request.account.calendars.values_list("pk", flat=True)) if form.bound else set()
    if answer := form.submit(request.caller):
        made = [row["calendar_id"] for row in answer.data["items"] if row["calendar_id"] not in known]
        return redirect("calendar", id=made[0]) if made else redirect("calendars")
    rows = [_shown(row) for row in listed(request.account)]
    return render(request, "account_pages/calendars.html", {"rows": rows, "form": form}, status=form.status)


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
    return render(request, "account_pages/calendar_state.html", {"row": _shown(_row(request, id))})


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
