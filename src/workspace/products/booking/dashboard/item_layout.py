"""The item layout of booking pages."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Switch, Tab
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.api import stats_tools, tools
from workspace.products.booking.api.serializers import page_summaries
from workspace.products.booking.domain.queries import pages_for
from workspace.products.booking.models import BookingPage

LABELS = {
    "name": owner_gettext_lazy("Page name"),
    "description": owner_gettext_lazy("Description"),
    "place": owner_gettext_lazy("Location"),
    "time_zone": owner_gettext_lazy("Time zone"),
    "currency": owner_gettext_lazy("Currency"),
    "language": owner_gettext_lazy("Page language"),
    "image": owner_gettext_lazy("Image"),
    "image_id": owner_gettext_lazy("Image"),
    "hours": owner_gettext_lazy("Hours"),
    "hours.from": owner_gettext_lazy("From"),
    "hours.until": owner_gettext_lazy("Until"),
    "hours.days": owner_gettext_lazy("Days"),
}

LAYOUT = ItemLayout(
    BookingPage,
    noun="booking page",
    id="page_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(
        Tab("", owner_gettext_lazy("Bookings")),
        Tab("edit", owner_gettext_lazy("Edit"), extra_paths=("services",)),
        Tab("hours", owner_gettext_lazy("Hours")),
        Tab("calendars", owner_gettext_lazy("Calendars")),
        Tab("look", owner_gettext_lazy("Design")),
    ),
    stats=stats_tools.stats,
    counts={"views": owner_gettext_lazy("Views"), "booked": owner_gettext_lazy("Booked")},
    results="booking/owner/stats.html",
    labels=LABELS,
    deletion_text=owner_gettext_lazy("Its services and past bookings are deleted too."),
    copy=Duplication(tools.create, title_argument="name"),
    switch=Switch(
        messages=(
            owner_gettext_lazy("People can book on this page."),
            owner_gettext_lazy("People can’t book. They see a short page with the name {business}."),
        )
    ),
    website=True,
    embed_noun=owner_gettext_lazy("the booking page"),
    example="studio-lena",
    empty_state=(
        owner_gettext_lazy("No booking pages yet"),
        owner_gettext_lazy("Let people book an available time online, without double bookings."),
        owner_gettext_lazy("Create booking page"),
    ),
    load_rows=lambda account, ids: page_summaries(pages_for.fetch_by_ids(ids, account)),
    new_label=owner_gettext_lazy("New booking page"),
)
