"""What the dashboard's frame needs to know of booking pages."""

from __future__ import annotations

from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Switch, Tab
from workspace.products.booking.api import stats_tools, tools
from workspace.products.booking.api.serializers import page_rows
from workspace.products.booking.domain.queries import pages_of
from workspace.products.booking.models import BookingPage

LABELS = {
    "name": "Name of the page",
    "description": "A few words about it",
    "place": "Where visits are",
    "time_zone": "Time zone",
    "currency": "Currency",
    "language": "Language of its page",
    "picture": "Picture",
    "picture_id": "Picture",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}

FRAME = Frame(
    BookingPage,
    word="booking page",
    id="page_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Bookings"),
        Tab("edit", "Edit", also=("services",)),
        Tab("hours", "Hours"),
        Tab("calendars", "Calendars"),
        Tab("look", "Look"),
    ),
    stats=stats_tools.stats,
    counts={"views": "Views", "booked": "Booked"},
    results="booking/owner/figures.html",
    labels=LABELS,
    gone="Its services and past bookings go with it.",
    copy=Copy(tools.create, title="name"),
    switch=Switch(told=("Guests can book.", "Guests can’t book: they see a short page that names {business}.")),
    website=True,
    framed="the booking page",
    example="studio-lena",
    empty=(
        "No booking page yet",
        "Say when you work and what people can book. They find a free time by themselves, and nobody is booked twice.",
        "Make your first page",
    ),
    rows_of=lambda account, ids: page_rows(list(pages_of(account).filter(pk__in=ids))),
    new="New page",
)
