"""Tools for booking pages and their services.

The tools for available times are in `availability_tools.py`, and those for bookings in `booking_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.booking import messages
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


@box.tool(
    "svc_booking_pages",
    title="List booking pages",
    about="List booking pages, newest first, with public link, time zone, services (IDs, durations, prices) and "
    "number of upcoming bookings.",
    short="List booking pages and their services.",
    synonyms="services, scheduling pages, booking link, appointment pages, buchungsseiten, buchungslink, "
    "leistungen, páginas de reservas, servicios, enlace de reservas",
    reads=True,
    columns="name upcoming state time_zone slug",
)
def list_pages(account: Account) -> Answer[Listing[BookingPageSummary]]:
    rows = page_summaries(pages_for.fetch(account))
    return listing_answer(rows, total=len(rows), offset=0, noun="booking pages", line=format_page)


class PageAndBookings(TypedDict):
    """A booking page with its services.

    `bookings` are the page's next bookings, or the one that was requested.
    """

    page: BookingPageDetail
    bookings: list[BookingData]


@box.tool(
    "svc_booking_get",
    title="Get a booking page or booking",
    about="Get a booking page with its hours, date overrides, blocked times, services with all settings, and next "
    "bookings. Can also get one booking with its page.",
    short="Get a booking page with hours and services, or one booking.",
    synonyms="opening hours, working hours, details of an appointment, appointment details, arbeitszeiten, "
    "öffnungszeiten, termin ansehen, horario, detalles de la cita, ver reserva, page settings, one "
    "booking",
    reads=True,
)
def get(
    account: Account, page_id: PageId | None = None, booking_id: BookingId | None = None
) -> Answer[PageAndBookings]:
    if booking_id is not None:
        booking = get_booking(account, booking_id, get_page(account, page_id) if page_id is not None else None)
        booking_page, bookings = page_detail(get_page(account, booking.page_id)), list_booking_data([booking])
    elif page_id is not None:
        page = get_page(account, page_id)
        next_ones = bookings_for(account).filter(page=page, ends_at__gte=clock.now()).order_by("starts_at", "id")[:20]
        booking_page, bookings = page_detail(page), list_booking_data(next_ones)
    else:
        raise InvalidInputError.at_path("page_id", messages.PAGE_OR_BOOKING_NEEDED)
    text = [
        format_fact_list(escape_markdown(booking_page["name"]), page_facts(booking_page)),
        *format_page_sections(booking_page),
    ]
    if bookings:
        text += ["", "Bookings:", *format_bullets(bookings, format_booking)]
    return Answer({"page": booking_page, "bookings": bookings}, "\n".join(text))


@box.tool(
    "svc_booking_create",
    title="Create a booking page",
    about="Create a booking page with weekly hours and services, where clients book available times. All your pages "
    "share one calendar, so you are never double-booked. Counts toward your plan's limit.",
    short="Create a page where clients book your services.",
    synonyms="scheduling page, calendly, appointment scheduling, online booking, let clients book, buchungsseite, "
    "terminbuchung, online termine, página de reservas, citas en línea, agenda online",
)
def create(
    account: Account,
    name: PageName,
    services: Annotated[NewServiceList, Field(description="Services, as in svc_booking_save_services.")] | None = None,
    copy_of: CopyOf | None = None,
    **fields: Unpack[PageFields],
) -> Answer[BookingPageDetail]:
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
        Annotated[
            list[BookingTimeChange],
            Field(description="Bookings that are shown at a different time in the new time zone."),
        ]
    ]


@box.tool(
    "svc_booking_edit",
    title="Update a booking page",
    about="Update a booking page. Pass only the fields to change. hours replaces the weekly hours, overrides changes "
    "or closes dates (holidays, vacation), blocks adds time off, and remove deletes overrides and blocks. "
    "Existing bookings stay. live=false takes the page offline.",
    short="Update a booking page's hours, holidays, blocked times or wording.",
    synonyms="vacation, day off, closed, closure, closing days, public holiday, lunch break, change opening "
    "hours, working hours, block time, time off, urlaub, feiertag, geschlossen, ferien, öffnungszeiten "
    "ändern, blockieren, vacaciones, festivo, cerrado, cambiar horario, bloquear, día libre, afternoon "
    "off, block afternoon, block morning, take booking page offline, pause bookings, nachmittag frei, "
    "nicht buchbar, tarde libre",
    idempotent=True,
)
def edit(
    account: Account,
    page_id: PageId,
    overrides: Overrides | None = None,
    blocks: Blocks | None = None,
    remove: RemovedKeys | None = None,
    **fields: Unpack[PageChanges],
) -> Answer[EditedPage]:
    page = get_page(account, page_id)
    values: dict[str, Any] = dict(fields)
    moves = _list_moves(page, values.get("time_zone", page.time_zone))
    if (
        values.get("currency", page.currency) != page.currency
        and page.services.exclude(price_minor=None, deposit_minor=None).exists()
    ):
        raise InvalidInputError.at_path("currency", messages.OTHER_CURRENCY)
    page.edit(**values)
    page = get_page(account, page_id)
    remove_blocks_and_overrides(page, remove or [])
    set_overrides(page, overrides or [])
    save_blocks(page, blocks or [])
    what = "Updated" if journal.has_changed() else "No changes to"
    answer = _page_answer(account, page_id, f"{what} the booking page {escape_markdown(page.name)}")
    if not moves:
        return Answer({**answer.data}, answer.text)
    lines = format_bullets(moves, lambda row: f"`{row['booking_id']}` {row['before']} is now {row['after']}")
    return Answer(
        {**answer.data, "moves": moves},
        "\n".join([answer.text, "", "Bookings shown at a different local time:", *lines]),
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
    saved: Annotated[list[str], Field(description="IDs of items, in the given order.")]


@box.tool(
    "svc_booking_save_services",
    title="Create, update and reorder services",
    about="Create, update, remove and reorder the services of a booking page. One invalid entry rejects the whole "
    "list. Entries without id are added at the end. Entries with id are updated; pass only the fields to "
    "change. Existing bookings keep their duration and buffers.",
    short="Create, update, remove or reorder services of a booking page.",
    synonyms="new service, treatment, haircut, class, duration, price of a service, deposit, buffer, group class, "
    "leistung hinzufügen, behandlung, dauer, preis, anzahlung, servicio, tratamiento, duración, precio del "
    "servicio, depósito",
    idempotent=True,
)
def save_services(
    account: Account,
    page_id: PageId,
    items: ServiceList | None = None,
    remove: Annotated[list[Id], Field(max_length=100, description="IDs to delete. svc_undo restores them.")]
    | None = None,
    order: Annotated[list[Id], Field(max_length=100, description="All service IDs, in their new order.")] | None = None,
) -> Answer[SavedPage]:
    if not items and not remove and order is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)
    page = get_page(account, page_id)
    saved = write_services(page, items or [], remove or [], order)
    title = "Saved" if journal.has_changed() else "Nothing changed on"
    answer = _page_answer(account, page_id, f"{title} the services of {escape_markdown(page.name)}")
    text = f"{answer.text}\n\nSaved: {', '.join(saved)}" if saved else answer.text
    return Answer({**answer.data, "saved": saved}, text)


@box.tool(
    "svc_booking_delete",
    title="Delete booking pages, services or blocks",
    about="Delete booking pages with their services, or single services or blocked times. A page with upcoming "
    "bookings can't be deleted: cancel them first. To restore within 30 days, use svc_undo.",
    short="Delete booking pages, services or blocks. Restorable for 30 days.",
    synonyms="remove service, remove page, unblock, löschen, leistung entfernen, eliminar servicio, borrar página "
    "de reservas",
    destructive=True,
)
def delete(account: Account, ids: Ids) -> Answer[DeletedItems]:
    services = Service.objects.filter(page__account=account, page__binned_at=None).select_related("page__publication")
    items = get_many_or_404(ids, messages.ITEM_NOT_FOUND, pages_for(account), services, account.blocks.all())
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


def _page_answer(account: Account, id: str, title: str) -> Answer[BookingPageDetail]:
    page = page_detail(get_page(account, id))
    return Answer(page, "\n".join([format_fact_list(title, page_facts(page)), *format_page_sections(page)]))
