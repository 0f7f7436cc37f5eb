"""Address books: connecting one, choosing which contacts are pushed to it, and its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool
from workspace.delivery.address_books.contact_source import get_source
from workspace.delivery.address_books.sync_state import PAGE
from workspace.integrations.address_book_tools import list_address_books, save

STATE_BADGES = {"new": ("Beginning", "wait"), "good": ("Works", "good"), "broken": ("Not reached", "bad")}
OFF_BADGE, CHOOSE_BADGE, STOPPED_BADGE = ("Off", ""), ("Choose one", "wait"), ("Stopped", "bad")
LABELS = {
    "url": "Address",
    "username": "User name",
    "name": "Name",
    "into": "Address book",
    "products": "Who goes into it",
    "group": "Group",
}


@dataclass(frozen=True, slots=True)
class AddressBookProvider:
    """How the address book of a provider is connected.

    `url` is the address if it is the same for all customers, `placeholder` an example. `is_closed` means that only
    files can be imported.
    """

    key: str
    title: str
    url: str = ""
    placeholder: str = "https://"
    username_label: str = "User name"
    password: str = "App password"
    is_closed: bool = False


PROVIDERS = (
    AddressBookProvider(
        "icloud", "Apple iCloud", url="https://contacts.icloud.com/", username_label="E-mail of your Apple Account"
    ),
    AddressBookProvider("fastmail", "Fastmail", url="https://carddav.fastmail.com/", username_label="Fastmail address"),
    AddressBookProvider("nextcloud", "Nextcloud", placeholder="https://cloud.example.com/remote.php/dav"),
    AddressBookProvider("google", "Google Contacts", is_closed=True),
    AddressBookProvider("outlook", "Outlook and Microsoft 365", is_closed=True),
    AddressBookProvider("other", "Another one", placeholder="you@example.com", password="Password"),
)
page = build_page_decorator(
    list_path=PAGE, id_arguments=("id",), find_parent_url=lambda request: "/".join(request.path.split("/")[:5])
)


@page("GET", "HEAD", "POST")
def address_books(request: SignedInRequest) -> HttpResponse:
    provider = next((one for one in PROVIDERS if one.key == request.GET.get("with")), None)
    if provider is None and request.method == "POST":
        provider = PROVIDERS[-1]
    form = ToolForm(save, request, entry="items", labels=LABELS, initial={"url": provider.url} if provider else {})
    known = set(request.account.address_books.values_list("pk", flat=True)) if form.is_bound else set()
    if answer := form.submit(request.caller):
        made = [row["contacts_id"] for row in answer.data["items"] if row["contacts_id"] not in known]
        return redirect("address_book", id=made[0]) if made else redirect("address_books")
    context = {
        "rows": [_present_address_book(row) for row in list_address_books(request.account)],
        "form": form,
        "ways": PROVIDERS,
        "way": provider,
    }
    return render(request, "account_pages/address_books.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def address_book(request: SignedInRequest, id: str) -> HttpResponse:
    row = _get_address_book(request, id)
    # two forms on one page: which contacts are pushed, and where to
    leads = request.method == "POST" and "_lead" in request.POST
    settings = _form(request, id, {} if leads else row, bound=not leads)
    connection_form = _form(request, id, {"username": row["username"]}, bound=leads, ids="w")
    if (connection_form if leads else settings).submit(request.caller):
        return redirect_with_message(request, "Saved.", request.path)
    if leads:
        settings.values = dict(row)
    context = {
        "row": _present_address_book(row),
        "form": settings,
        "way": connection_form,
        "into": [(one["url"], one["name"]) for one in row["books"] if one["writes"]],
        "offered": [(one.key, one.title) for one in get_source().list_offers()],
    }
    status = connection_form.status if leads else settings.status
    return render(request, "account_pages/address_book.html", context, status=status)


@page()
def state(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the part of the page that changes while contacts are pushed."""
    return render(
        request, "account_pages/address_book_state.html", {"row": _present_address_book(_get_address_book(request, id))}
    )


@page("POST")
def sync(request: SignedInRequest, id: str) -> HttpResponse:
    saved = call_tool(request, save, items=[{"id": id}], sync=True)
    words = "We look at it now." if id in saved["syncing"] else "We looked at it just now."
    return redirect_with_message(request, words, f"{PAGE}/{id}")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call_tool(request, save, remove=[id])
        return redirect_with_message(request, "Disconnected.", PAGE)
    row = _get_address_book(request, id)
    waits = f" {row['to_take_out']:,} are yet to be taken out of it, and would stay." if row["to_take_out"] else ""
    return render_confirmation(
        request,
        title=f"Disconnect {row['name']}?",
        text=f"Nobody goes into it from now on, and its password is forgotten. Who is in it stays there.{waits}",
        button="Disconnect",
        back=f"{PAGE}/{id}",
    )


def _form(request: SignedInRequest, id: str, initial: Mapping[str, Any], *, bound: bool, ids: str = "f") -> ToolForm:
    form = ToolForm(
        save, request, entry="items", entry_fixed={"id": id}, initial=initial, editing=True, labels=LABELS, ids=ids
    )
    if not bound and form.is_bound:
        form.is_bound, form.values = False, dict(initial)
    return form


def _get_address_book(request: SignedInRequest, id: str) -> dict[str, Any]:
    for row in list_address_books(request.account):
        if row["contacts_id"] == id:
            return dict(row)
    raise Http404("There is no such address book")


def _present_address_book(row: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: parse_time(row[name]) for name in ("reached_at", "failing_since")}
    into = next((one["name"] for one in row["books"] if one["url"] == row["into"]), "")
    badge = STATE_BADGES[row["state"]]
    if row["stopped"]:
        badge = STOPPED_BADGE
    elif not row["into"]:
        badge = CHOOSE_BADGE
    elif not row["live"]:
        badge = OFF_BADGE
    moves = row["live"] and row["into"] and not row["problem"] and (row["state"] == "new" or row["waiting"])
    return {**row, **times, "badge": badge, "into_name": into, "moves": moves}
