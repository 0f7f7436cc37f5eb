"""The tool for address books of an account: connect, choose a book, sync, remove."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.accounts.product_scope import CONTACTS
from workspace.delivery.address_books import carddav, connection, sync_state
from workspace.delivery.address_books.contact_source import get_source
from workspace.delivery.dav.client import DavError, url_host
from workspace.delivery.models import AddressBook
from workspace.delivery.models.address_book import Book
from workspace.delivery.models.calendar import MAX_URL_LENGTH
from workspace.integrations import messages
from workspace.integrations.address_book_serializers import AddressBookData, format_address_book, list_address_book_data
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, NotFoundError, ToolError
from workspace.tools.answer import Answer, format_bullets
from workspace.tools.argument_types import Line, require_when_new
from workspace.tools.tool import Toolbox

MAX_ADDRESS_BOOKS = 5
PROBE_TIMEOUT_SECONDS = 30.0  # maximum time for all addresses of one call
MIN_SYNC_INTERVAL_SECONDS = 20  # minimum interval between manual syncs
box = Toolbox(CONTACTS, "Address books")


def _validate_url(text: str) -> str:
    return carddav.parse_address(text)


ConnectionId = Annotated[str, StringConstraints(min_length=1, max_length=40), Field(description="An id of this tool")]
Url = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_URL_LENGTH),
    AfterValidator(_validate_url),
    Field(
        description=(
            "CardDAV server or address book URL, or an email address. For an email address, the provider's server "
            "is looked up."
        )
    ),
]
ProductKey = Annotated[str, Line(12)]


class AddressBookFields(TypedDict, total=False):
    id: Annotated[ConnectionId, Field(description="ID of an existing connection. Omit it to connect a new one.")]
    url: Url
    username: Annotated[str, Line(254), Field(description="Username on the CardDAV server.")]
    password: Annotated[
        str,
        StringConstraints(min_length=1, max_length=500),
        Field(description="Password, usually an app-specific password from the provider."),
    ]
    name: Annotated[str, Line(120), Field(description="Name shown in your settings.")]
    into: Annotated[
        str,
        Line(MAX_URL_LENGTH),
        Field(
            description="Name or URL of the address book that receives contacts. Required if the server has several."
        ),
    ]
    products: Annotated[
        list[ProductKey], Field(max_length=20, description="Products whose contacts are sent. Defaults to cards.")
    ]
    group: Annotated[str, Line(60, least=0), Field(description="Name of the contact group. Defaults to Leads.")]
    take_out: Annotated[
        bool,
        Field(
            description=(
                "Whether deleting a lead also deletes its contact. Contacts that you edited in the address book are "
                "kept. Defaults to true."
            )
        ),
    ]
    live: Annotated[bool, Field(description="Whether new contacts are sent.")]


AddressBookEntry = Annotated[AddressBookFields, require_when_new("url", "username", "password")]
Items = Annotated[
    list[AddressBookEntry],
    Field(max_length=MAX_ADDRESS_BOOKS, description="Address books to connect (url) or update (id)."),
]
Remove = Annotated[
    list[ConnectionId],
    Field(max_length=MAX_ADDRESS_BOOKS, description="IDs of connections to delete. Cannot be undone."),
]
Sync = Annotated[
    bool,
    Field(
        description=(
            "Whether to sync now and retry failed contacts. Syncs the books in items, or all if there are none. "
            "Defaults to false."
        )
    ),
]


class AddressBookList(TypedDict):
    items: Annotated[list[AddressBookData], Field(description="All connections.")]
    removed: int
    syncing: Annotated[list[str], Field(description="IDs of address books that are syncing.")]


def _probe_urls(account: Account, items: Any) -> None:
    """Probe each new address before the transaction, so that errors are reported immediately."""
    found: dict[int, list[Book]] = {}
    connection.probed_books.set(found)
    until = time.monotonic() + PROBE_TIMEOUT_SECONDS
    for place, item in enumerate(items.items or ()):
        if not item.keys() & {"url", "username", "password"}:
            continue
        if time.monotonic() > until:
            raise InvalidInputError.at_path(f"items.{place}", messages.SERVERS_TOO_SLOW)
        url, username, password = _resolve_credentials(account, item, place)
        try:
            found[place] = connection.probe_server(url, username, password)
        except DavError as trouble:
            where = "password" if trouble.status == 401 and "password" in item else "url"
            raise InvalidInputError.at_path(f"items.{place}.{where}", str(trouble)) from None


def _resolve_credentials(account: Account, item: Mapping[str, Any], place: int) -> tuple[str, str, str]:
    """Return the URL, user name and password: the given values, or else the stored ones.

    A stored password is never sent to another host.
    """
    if "id" not in item:
        return item["url"], item["username"], item["password"]
    kept = _get_address_book(account, item["id"])
    username, password = kept.username, item.get("password", "")
    if not password:
        if "url" in item and url_host(item["url"]) != kept.host:
            raise InvalidInputError.at_path(f"items.{place}.password", messages.PASSWORD_NEEDED)
        username, password = kept.credentials()
    return item.get("url", kept.url), item.get("username", username), password


@box.tool(
    "svc_address_books_save",
    title="Connect and update address books",
    about="Connect an address book (CardDAV) so that new contacts from your cards appear on your phone within about "
    "a minute. You can also update, sync and disconnect address books. URLs are tested first. Your own edits "
    "to contacts are kept. Without arguments, lists address books and errors.",
    short="Connect, update, sync or disconnect address books (CardDAV).",
    synonyms="contacts sync, phone contacts, icloud contacts, google contacts, carddav, adressbuch verbinden, "
    "kontakte synchronisieren, telefonbuch, libreta de direcciones, sincronizar contactos, agenda",
    prepare=_probe_urls,
    rare=True,
    sends=True,
)
def save(
    account: Account, items: Items | None = None, remove: Remove | None = None, sync: Sync = False
) -> Answer[AddressBookList]:
    named = [_save_address_book(account, item, place).pk for place, item in enumerate(items or ())]
    missing = set(remove or ()) - set(account.address_books.filter(pk__in=remove or ()).values_list("pk", flat=True))
    if missing:
        raise NotFoundError(messages.ADDRESS_BOOKS_NOT_FOUND(ids=", ".join(sorted(missing))))
    if remove:
        connection.remove_books(account, remove)
    shown = list(account.address_books.order_by("id"))
    syncing = [one.pk for one in shown if sync and (not named or one.pk in named) and _sync_soon(one)]
    data = list_address_book_data(shown)
    head = (
        "Your address books:"
        if data
        else "No address book is connected. To connect one, pass url, username and password in items."
    )
    lines = [f"{len(remove)} removed."] if remove else []
    if syncing:
        lines.append(f"Syncing: {', '.join(f'`{id}`' for id in syncing)}. Check again in a minute.")
    page = f"Dashboard: {settings.BASE_URL}{sync_state.PAGE}"
    return Answer(
        {"items": data, "removed": len(remove or ()), "syncing": syncing},
        "\n".join([*lines, head, *format_bullets(data, format_address_book), page]),
    )


def list_address_books(account: Account) -> list[AddressBookData]:
    """Return the tool's answer to a call without arguments, for callers with read-only access."""
    return list_address_book_data(list(account.address_books.order_by("id")))


def _save_address_book(account: Account, item: Mapping[str, Any], place: int) -> AddressBook:
    path = f"items.{place}"
    fields = {name: item[name] for name in ("name", "group", "live") if name in item}
    if "take_out" in item:
        fields["removes_deleted"] = item["take_out"]
    if "products" in item:
        fields["products"] = _check_products(item["products"], f"{path}.products")
    found = (connection.probed_books.get() or {}).get(place)
    if "id" in item:
        book = _get_address_book(account, item["id"])
        if found is not None:
            connection.update_connection(book, found, *_resolve_credentials(account, item, place))
    else:
        if found is None:
            raise ToolError(messages.NOT_CHECKED)
        fields.setdefault("products", [one.key for one in get_source().list_offers() if one.is_first])
        book = connection.connect_book(account, found, item["url"], item["username"], item["password"], **fields)
        fields = {}
    if "into" in item:
        fields["target_book"] = connection.get_writable_book(book, item["into"], f"{path}.into")["url"]
    if fields:
        connection.change_settings(book, **fields)
    return book


def _check_products(keys: list[str], path: str) -> list[str]:
    offered = [one.key for one in get_source().list_offers()]
    for place, key in enumerate(keys):
        if key not in offered:
            raise InvalidInputError.at_path(f"{path}.{place}", messages.NO_CONTACTS(known=", ".join(offered)))
    return [key for key in offered if key in keys]


def _get_address_book(account: Account, id: str) -> AddressBook:
    found = account.address_books.filter(pk=id).first()
    if found is None:
        raise NotFoundError(messages.ADDRESS_BOOK_NOT_FOUND)
    return found


def _sync_soon(book: AddressBook) -> bool:
    """Schedule a sync, unless the address book was contacted a moment ago. Return whether it is scheduled."""
    reached = book.reached_at
    if reached is not None and (clock.now() - reached).total_seconds() < MIN_SYNC_INTERVAL_SECONDS and not book.problem:
        return False
    connection.retry_all(book)
    return True
