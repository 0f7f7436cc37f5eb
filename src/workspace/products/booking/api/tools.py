"""Booking pages as tools: pages as wholes, and their services. What is free is told in `time_tools.py`, bookings are in
`booking_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput
from workspace.lib.text import escape_markdown
from workspace.products.booking.api.arguments import (
    Blocks,
    BookingId,
    NewServices,
    Overrides,
    PageChanges,
    PageFields,
    PageId,
    PageName,
    Removed,
    SavedServices,
)
from workspace.products.booking.api.serializers import (
    BookingRow,
    PageRow,
    PageWhole,
    booking_rows,
    local,
    page_rows,
    whole,
)
from workspace.products.booking.api.text import booking_line, page_facts, page_line, page_text
from workspace.products.booking.domain.page_settings import make_services, save_blocks, set_overrides, take_away
from workspace.products.booking.domain.page_settings import save_services as write_services
from workspace.products.booking.domain.queries import booking_of, bookings_of, page_of, pages_of
from workspace.products.booking.models import KIND, BookingPage, Service
from workspace.publishing.arguments import Ids
from workspace.publishing.duplication import Like, fields_like
from workspace.publishing.serializers import DeletedAll, several
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, bullets, facts, listing
from workspace.tools.argument_types import Id
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Booking pages")


@box.tool("svc_booking_pages", title="List booking pages", reads=True, columns="name upcoming state time_zone slug")
def pages(account: Account) -> Answer[Listing[PageRow]]:
    """Your booking pages, newest first: public link, time zone, services with ids, durations and prices, how many
    bookings are to come."""
    rows = page_rows(list(pages_of(account)))
    return listing(rows, total=len(rows), offset=0, noun="booking pages", line=page_line)


class Got(TypedDict):
    """`bookings` are the next ones of the page, or the one that was asked for."""

    page: PageWhole
    bookings: list[BookingRow]


@box.tool("svc_booking_get", title="Get a booking page or a booking", reads=True)
def get(account: Account, page_id: PageId | None = None, booking_id: BookingId | None = None) -> Answer[Got]:
    """One booking page whole: hours, dates with other hours, blocked times, services with all their settings, and the
    next bookings; or one booking with its page."""
    if booking_id is not None:
        booking = booking_of(account, booking_id, page_of(account, page_id) if page_id is not None else None)
        found, bookings = whole(page_of(account, booking.page_id)), booking_rows([booking])
    elif page_id is not None:
        page = page_of(account, page_id)
        next_ones = bookings_of(account).filter(page=page, ends_at__gte=clock.now()).order_by("starts_at", "id")[:20]
        found, bookings = whole(page), booking_rows(next_ones)
    else:
        raise InvalidInput.at("page_id", "Name a page or a booking: svc_booking_pages and svc_booking_list show them")
    text = [facts(escape_markdown(found["name"]), page_facts(found)), *page_text(found)]
    if bookings:
        text += ["", "Bookings:", *bullets(bookings, booking_line)]
    return Answer({"page": found, "bookings": bookings}, "\n".join(text))


@box.tool("svc_booking_create", title="Create a booking page")
def create(
    account: Account,
    name: PageName,
    services: NewServices | None = None,
    like: Like | None = None,
    **fields: Unpack[PageFields],
) -> Answer[PageWhole]:
    """Make a page on which guests book a free time by themselves, in one call: with its weekly hours and its services.
    All your pages share your time: nobody books you twice. Counts against the plan's number of pages."""
    begun: dict[str, Any] = dict(fields)
    model = page_of(account, like) if like is not None else None
    if model is not None:
        begun = {**fields_like(model), **begun}
    page = BookingPage.make(account, **{**begun, "name": name})
    if services:
        make_services(page, services, "services", noted=False)
    elif model is not None:
        _copy_services(model, page)
    return _told(account, page.pk, f"Created the booking page {escape_markdown(name)}")


def _copy_services(model: BookingPage, page: BookingPage) -> None:
    for service in model.services.all():
        service.pk = Service._meta.pk.get_default()
        service.page = page
        service.save(force_insert=True)


class MovedRow(TypedDict):
    booking_id: str
    before: str
    after: str


class Edited(PageWhole):
    moves: NotRequired[
        Annotated[list[MovedRow], Field(description="Bookings that the other zone shows at other times")]
    ]


@box.tool("svc_booking_edit", title="Edit a booking page", idempotent=True)
def edit(
    account: Account,
    page_id: PageId,
    overrides: Overrides | None = None,
    blocks: Blocks | None = None,
    remove: Removed | None = None,
    **fields: Unpack[PageChanges],
) -> Answer[Edited]:
    """Change a page: only what is given; hours replace the whole week. `overrides` give dates other hours or close
    them, `blocks` keep a time for something else, `remove` takes either away. What is booked stays. live=false takes
    the page down for a while. With another time zone the answer tells which bookings will read differently."""
    page = page_of(account, page_id)
    given: dict[str, Any] = dict(fields)
    moves = _moves(page, given.get("time_zone", page.time_zone))
    if (
        given.get("currency", page.currency) != page.currency
        and page.services.exclude(price_minor=None, deposit_minor=None).exists()
    ):
        raise InvalidInput.at("currency", "Its services have prices in another currency: clear these first")
    page.edit(**given)
    page = page_of(account, page_id)
    take_away(page, remove or [])
    set_overrides(page, overrides or [])
    save_blocks(page, blocks or [])
    what = "Changed" if journal.has_changed() else "Nothing changed on"
    found = _told(account, page_id, f"{what} the booking page {escape_markdown(page.name)}")
    if not moves:
        return Answer({**found.data}, found.text)
    lines = bullets(moves, lambda row: f"`{row['booking_id']}` {row['before']} reads {row['after']} now")
    return Answer(
        {**found.data, "moves": moves}, "\n".join([found.text, "", "The same moments in the other zone:", *lines])
    )


def _moves(page: BookingPage, time_zone: str) -> list[MovedRow]:
    if time_zone == page.time_zone:
        return []
    there = BookingPage(time_zone=time_zone).zone
    coming = bookings_of(page.account).filter(page=page, ends_at__gte=clock.now()).order_by("starts_at")[:50]
    return [
        {"booking_id": one.pk, "before": local(one.starts_at, page.zone), "after": local(one.starts_at, there)}
        for one in coming
        if one.is_live(clock.now())
    ]


class Saved(PageWhole):
    saved: Annotated[list[str], Field(description="Ids of `items`, in their order")]


@box.tool("svc_booking_save_services", title="Save services", idempotent=True)
def save_services(
    account: Account,
    page_id: PageId,
    items: SavedServices | None = None,
    remove: Annotated[list[Id], Field(max_length=100, description="Ids; svc_undo brings them back")] | None = None,
    order: Annotated[list[Id], Field(max_length=100, description="All ids in their order")] | None = None,
) -> Answer[Saved]:
    """Add, change, remove and order the services of a page, all at once or not at all: entries without an id are added
    at the end, those with one change only in what is given. What is booked keeps its length and its buffers."""
    if not items and not remove and order is None:
        raise InvalidInput.at("items", "Give what to save, to remove or to order")
    page = page_of(account, page_id)
    saved = write_services(page, items or [], remove or [], order)
    title = "Saved" if journal.has_changed() else "Nothing changed on"
    found = _told(account, page_id, f"{title} the services of {escape_markdown(page.name)}")
    text = f"{found.text}\n\nSaved: {', '.join(saved)}" if saved else found.text
    return Answer({**found.data, "saved": saved}, text)


@box.tool("svc_booking_delete", title="Delete booking pages, services, blocks", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedAll]:
    """Delete booking pages with their services, single services, or blocked times. Bookings are cancelled, not
    deleted: a page with some to come is refused. For 30 days svc_undo brings it back."""
    services = Service.objects.filter(page__account=account, page__binned_at=None).select_related("page__publication")
    found = several(ids, NOTHING, pages_of(account), services, account.blocks.all())
    pages = [one for one in found if isinstance(one, BookingPage)]
    parts = [one for one in found if isinstance(one, Service)]
    now = clock.now()
    journal.change_many((service, {"binned_at": now}) for service in parts)
    journal.drop(*(one for one in found if not isinstance(one, BookingPage | Service)))
    if parts:
        touched = {service.page_id: service.page for service in parts}
        BookingPage.touched_many([touched[id] for id in sorted(touched)])
    BookingPage.remove_many(pages)
    data: DeletedAll = {"deleted": [{"id": one.pk, "title": str(one)} for one in found]}
    lines = bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {len(found)}:", *lines]))


NOTHING = "There is no such page, service or block: svc_booking_pages and svc_booking_get show them with their ids"


def _told(account: Account, id: str, title: str) -> Answer[PageWhole]:
    found = whole(page_of(account, id))
    return Answer(found, "\n".join([facts(title, page_facts(found)), *page_text(found)]))
