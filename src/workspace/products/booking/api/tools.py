"""Tools for booking pages and their services.

Tools for available times are in `availability_tools.py`, tools for bookings in `booking_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.booking.api.arguments import (
    Blocks,
    BookingId,
    NewServiceList,
    Overrides,
    PageChanges,
    PageFields,
    PageId,
    PageName,
    RemovedKeys,
    ServiceList,
)
from workspace.products.booking.api.serializers import (
    BookingData,
    BookingPageDetail,
    BookingPageSummary,
    format_local_time,
    list_booking_data,
    page_detail,
    page_summaries,
)
from workspace.products.booking.api.text import format_booking, format_page, format_page_sections, page_facts
from workspace.products.booking.domain.page_settings import (
    create_services,
    remove_blocks_and_overrides,
    save_blocks,
    set_overrides,
)
from workspace.products.booking.domain.page_settings import save_services as write_services
from workspace.products.booking.domain.queries import bookings_for, get_booking, get_page, pages_for
from workspace.products.booking.models import KIND, BookingPage, Service
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Id
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Booking pages")


@box.tool("svc_booking_pages", title="List booking pages", reads=True, columns="name upcoming state time_zone slug")
def list_pages(account: Account) -> Answer[Listing[BookingPageSummary]]:
    """Your booking pages, newest first: public link, time zone, services with ids, durations and prices, how many
    bookings are to come."""
    rows = page_summaries(list(pages_for(account)))
    return listing_answer(rows, total=len(rows), offset=0, noun="booking pages", line=format_page)


class PageAndBookings(TypedDict):
    """`bookings` are the next ones of the page, or the one that was asked for."""

    page: BookingPageDetail
    bookings: list[BookingData]


@box.tool("svc_booking_get", title="Get a booking page or a booking", reads=True)
def get(
    account: Account, page_id: PageId | None = None, booking_id: BookingId | None = None
) -> Answer[PageAndBookings]:
    """One booking page whole: hours, dates with other hours, blocked times, services with all their settings, and the
    next bookings; or one booking with its page."""
    if booking_id is not None:
        booking = get_booking(account, booking_id, get_page(account, page_id) if page_id is not None else None)
        booking_page, bookings = page_detail(get_page(account, booking.page_id)), list_booking_data([booking])
    elif page_id is not None:
        page = get_page(account, page_id)
        next_ones = bookings_for(account).filter(page=page, ends_at__gte=clock.now()).order_by("starts_at", "id")[:20]
        booking_page, bookings = page_detail(page), list_booking_data(next_ones)
    else:
        raise InvalidInputError.at_path(
            "page_id", "Name a page or a booking: svc_booking_pages and svc_booking_list show them"
        )
    text = [
        format_fact_list(escape_markdown(booking_page["name"]), page_facts(booking_page)),
        *format_page_sections(booking_page),
    ]
    if bookings:
        text += ["", "Bookings:", *format_bullets(bookings, format_booking)]
    return Answer({"page": booking_page, "bookings": bookings}, "\n".join(text))


@box.tool("svc_booking_create", title="Create a booking page")
def create(
    account: Account,
    name: PageName,
    services: NewServiceList | None = None,
    copy_of: CopyOf | None = None,
    **fields: Unpack[PageFields],
) -> Answer[BookingPageDetail]:
    """Make a page on which guests book a free time by themselves, in one call: with its weekly hours and its services.
    All your pages share your time: nobody books you twice. Counts against the plan's number of pages."""
    started: dict[str, Any] = dict(fields)
    model = get_page(account, copy_of) if copy_of is not None else None
    if model is not None:
        started = {**copy_fields(model), **started}
    page = BookingPage.create_page(account, **{**started, "name": name})
    if services:
        create_services(page, services, "services", is_journaled=False)
    elif model is not None:
        _copy_services(model, page)
    return _page_answer(account, page.pk, f"Created the booking page {escape_markdown(name)}")


def _copy_services(model: BookingPage, page: BookingPage) -> None:
    for service in model.services.all():
        service.pk = Service._meta.pk.get_default()
        service.page = page
        service.save(force_insert=True)


class BookingTimeChange(TypedDict):
    booking_id: str
    before: str
    after: str


class EditedPage(BookingPageDetail):
    moves: NotRequired[
        Annotated[list[BookingTimeChange], Field(description="Bookings that the other zone shows at other times")]
    ]


@box.tool("svc_booking_edit", title="Edit a booking page", idempotent=True)
def edit(
    account: Account,
    page_id: PageId,
    overrides: Overrides | None = None,
    blocks: Blocks | None = None,
    remove: RemovedKeys | None = None,
    **fields: Unpack[PageChanges],
) -> Answer[EditedPage]:
    """Change a page: only what is given; hours replace the whole week. `overrides` give dates other hours or close
    them, `blocks` keep a time for something else, `remove` takes either away. What is booked stays. live=false takes
    the page down for a while. With another time zone the answer tells which bookings will read differently."""
    page = get_page(account, page_id)
    values: dict[str, Any] = dict(fields)
    moves = _list_moves(page, values.get("time_zone", page.time_zone))
    if (
        values.get("currency", page.currency) != page.currency
        and page.services.exclude(price_minor=None, deposit_minor=None).exists()
    ):
        raise InvalidInputError.at_path("currency", "Its services have prices in another currency: clear these first")
    page.edit(**values)
    page = get_page(account, page_id)
    remove_blocks_and_overrides(page, remove or [])
    set_overrides(page, overrides or [])
    save_blocks(page, blocks or [])
    what = "Changed" if journal.has_changed() else "Nothing changed on"
    answer = _page_answer(account, page_id, f"{what} the booking page {escape_markdown(page.name)}")
    if not moves:
        return Answer({**answer.data}, answer.text)
    lines = format_bullets(moves, lambda row: f"`{row['booking_id']}` {row['before']} reads {row['after']} now")
    return Answer(
        {**answer.data, "moves": moves}, "\n".join([answer.text, "", "The same moments in the other zone:", *lines])
    )


def _list_moves(page: BookingPage, time_zone: str) -> list[BookingTimeChange]:
    if time_zone == page.time_zone:
        return []
    zone = BookingPage(time_zone=time_zone).zone
    coming = bookings_for(page.account).filter(page=page, ends_at__gte=clock.now()).order_by("starts_at")[:50]
    return [
        {
            "booking_id": booking.pk,
            "before": format_local_time(booking.starts_at, page.zone),
            "after": format_local_time(booking.starts_at, zone),
        }
        for booking in coming
        if booking.is_live(clock.now())
    ]


class SavedPage(BookingPageDetail):
    saved: Annotated[list[str], Field(description="Ids of `items`, in their order")]


@box.tool("svc_booking_save_services", title="Save services", idempotent=True)
def save_services(
    account: Account,
    page_id: PageId,
    items: ServiceList | None = None,
    remove: Annotated[list[Id], Field(max_length=100, description="Ids; svc_undo brings them back")] | None = None,
    order: Annotated[list[Id], Field(max_length=100, description="All ids in their order")] | None = None,
) -> Answer[SavedPage]:
    """Add, change, remove and order the services of a page, all at once or not at all: entries without an id are added
    at the end, those with one change only in what is given. What is booked keeps its length and its buffers."""
    if not items and not remove and order is None:
        raise InvalidInputError.at_path("items", "Give what to save, to remove or to order")
    page = get_page(account, page_id)
    saved = write_services(page, items or [], remove or [], order)
    title = "Saved" if journal.has_changed() else "Nothing changed on"
    answer = _page_answer(account, page_id, f"{title} the services of {escape_markdown(page.name)}")
    text = f"{answer.text}\n\nSaved: {', '.join(saved)}" if saved else answer.text
    return Answer({**answer.data, "saved": saved}, text)


@box.tool("svc_booking_delete", title="Delete booking pages, services, blocks", destructive=True)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    """Delete booking pages with their services, single services, or blocked times. Bookings are cancelled, not
    deleted: a page with some to come is refused. For 30 days svc_undo brings it back."""
    services = Service.objects.filter(page__account=account, page__binned_at=None).select_related("page__publication")
    items = get_many_or_404(ids, NOT_FOUND, pages_for(account), services, account.blocks.all())
    pages = [item for item in items if isinstance(item, BookingPage)]
    parts = [item for item in items if isinstance(item, Service)]
    now = clock.now()
    journal.update_rows((service, {"binned_at": now}) for service in parts)
    journal.delete_rows(*(item for item in items if not isinstance(item, BookingPage | Service)))
    if parts:
        touched = {service.page_id: service.page for service in parts}
        BookingPage.mark_many_changed([touched[id] for id in sorted(touched)])
    BookingPage.remove_many(pages)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {len(items)}:", *lines]))


NOT_FOUND = "There is no such page, service or block: svc_booking_pages and svc_booking_get show them with their ids"


def _page_answer(account: Account, id: str, title: str) -> Answer[BookingPageDetail]:
    page = page_detail(get_page(account, id))
    return Answer(page, "\n".join([format_fact_list(title, page_facts(page)), *format_page_sections(page)]))
