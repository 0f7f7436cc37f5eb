"""Address books: connecting one, choosing which contacts are written to it, and its state."""

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
from workspace.interfaces.messages import ADDRESS_BOOK_NOT_FOUND
from workspace.owner_translation import OwnerText, owner_gettext, owner_gettext_lazy, owner_ngettext

STATE_BADGES = {
    "new": (owner_gettext_lazy("Starting"), "wait"),
    "good": (owner_gettext_lazy("Syncing"), "good"),
    "broken": (owner_gettext_lazy("Unreachable"), "bad"),
}
OFF_BADGE, CHOOSE_BADGE, STOPPED_BADGE = (
    (owner_gettext_lazy("Off"), ""),
    (owner_gettext_lazy("Choose an address book"), "wait"),
    (owner_gettext_lazy("Stopped"), "bad"),
)
LABELS = {
    "url": owner_gettext_lazy("Address"),
    "username": owner_gettext_lazy("Username"),
    "name": owner_gettext_lazy("Name"),
    "into": owner_gettext_lazy("Address book"),
    "products": owner_gettext_lazy("Contacts to sync"),
    "group": owner_gettext_lazy("Group"),
}


_USERNAME, _APP_PASSWORD = owner_gettext_lazy("Username"), owner_gettext_lazy("App password")


@dataclass(frozen=True, slots=True)
class AddressBookProvider:
    """How a provider's address book is connected.

    `url` is the address if it is the same for all customers, and `placeholder` is an example. `is_closed` means that
    contacts can only be imported as files.
    """

    key: str
    title: OwnerText
    url: str = ""
    placeholder: str = "https://"
    username_label: OwnerText = _USERNAME
    password: OwnerText = _APP_PASSWORD
    is_closed: bool = False


PROVIDERS = (
    AddressBookProvider(
        "icloud",
        "Apple iCloud",
        url="https://contacts.icloud.com/",
        username_label=owner_gettext_lazy("Email address of your Apple Account"),
    ),
    AddressBookProvider(
        "fastmail",
        "Fastmail",
        url="https://carddav.fastmail.com/",
        username_label=owner_gettext_lazy("Fastmail address"),
    ),
    AddressBookProvider("nextcloud", "Nextcloud", placeholder="https://cloud.example.com/remote.php/dav"),
    AddressBookProvider("google", "Google Contacts", is_closed=True),
    AddressBookProvider("outlook", "Outlook and Microsoft 365", is_closed=True),
    AddressBookProvider(
        "other",
        owner_gettext_lazy("Other (CardDAV)"),
        placeholder="you@example.com",
        password=owner_gettext_lazy("Password"),
    ),
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
    # two forms on one page: which contacts are written, and where to
    leads = request.method == "POST" and "_lead" in request.POST
    settings = _form(request, id, {} if leads else row, bound=not leads)
    connection_form = _form(request, id, {"username": row["username"]}, bound=leads, ids="w")
    if (connection_form if leads else settings).submit(request.caller):
        return redirect_with_message(request, owner_gettext("Address book saved."), request.path)
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
    """Render the part of the page that changes while contacts are written."""
    return render(
        request, "account_pages/address_book_state.html", {"row": _present_address_book(_get_address_book(request, id))}
    )


@page("POST")
def sync(request: SignedInRequest, id: str) -> HttpResponse:
    saved = call_tool(request, save, items=[{"id": id}], sync=True)
    words = (
        owner_gettext("Sync started.")
        if id in saved["syncing"]
        else owner_gettext("This address book was just synced.")
    )
    return redirect_with_message(request, words, f"{PAGE}/{id}")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call_tool(request, save, remove=[id])
        return redirect_with_message(request, owner_gettext("Address book disconnected."), PAGE)
    row = _get_address_book(request, id)
    texts = [
        owner_gettext(
            "New contacts are no longer added, and the password is deleted. Existing contacts stay in the address book."
        )
    ]
    if waiting := row["to_take_out"]:
        texts.append(
            owner_ngettext(
                "%(count)s contact is still waiting to be removed and will stay too.",
                "%(count)s contacts are still waiting to be removed and will stay too.",
                waiting,
            )
            % {"count": f"{waiting:,}"}
        )
    return render_confirmation(
        request,
        title=owner_gettext("Disconnect “%(name)s”?") % {"name": row["name"]},
        text=" ".join(texts),
        button=owner_gettext("Disconnect"),
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
    raise Http404(ADDRESS_BOOK_NOT_FOUND)


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
