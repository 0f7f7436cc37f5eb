"""The item layout of booking pages."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.products.booking.api import stats_tools, tools
from workspace.products.booking.api.serializers import page_summaries
from workspace.products.booking.domain.queries import pages_for
from workspace.products.booking.models import BookingPage

LABELS = {
    "name": "Name of the page",
    "description": "A few words about it",
    "place": "Where visits are",
    "time_zone": "Time zone",
    "currency": "Currency",
    "language": "Language of its page",
    "image": "Picture",
    "image_id": "Picture",
    "hours": "Hours",
    "hours.from": "From",
    "hours.until": "Until",
    "hours.days": "Days",
}

LAYOUT = ItemLayout(
    BookingPage,
    noun="booking page",
    id="page_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", "Bookings"),
        Tab("edit", "Edit", extra_paths=("services",)),
        Tab("hours", "Hours"),
        Tab("calendars", "Calendars"),
        Tab("look", "Look"),
    ),
    stats=stats_tools.stats,
    counts={"views": "Views", "booked": "Booked"},
    results="booking/owner/stats.html",
    labels=LABELS,
    deletion_text="Its services and past bookings go with it.",
    copy=Duplication(tools.create, title_argument="name"),
    switch=Switch(messages=("Guests can book.", "Guests can’t book: they see a short page that names {business}.")),
    website=True,
    embed_noun="the booking page",
    example="studio-lena",
    empty_state=(
        "No booking page yet",
        "Say when you work and what people can book. They find a free time by themselves, and nobody is booked twice.",
        "Make your first page",
    ),
    load_rows=lambda account, ids: page_summaries(list(pages_for(account).filter(pk__in=ids))),
    new_label="New page",
)
