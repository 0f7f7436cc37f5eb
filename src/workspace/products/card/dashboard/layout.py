"""What the dashboard's frame needs to know of business cards."""

from __future__ import annotations

from workspace.dashboard.duplicate_titles import Copy
from workspace.dashboard.item_layout import Frame, Tab
from workspace.products.card.api import lead_tools, tools
from workspace.products.card.api.serializers import rows_of
from workspace.products.card.models import Card

FRAME = Frame(
    Card,
    word="card",
    id="card_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look"), Tab("leads", "Leads", arrivals="lead")),
    stats=lead_tools.stats,
    counts={"views": "Views", "contact_saves": "Contact saves", "leads": "Leads"},
    copy=Copy(tools.save_cards, "full_name", listed=True),
    gone="The people who left their details go with it.",
    website=True,
    example="jane-doe",
    empty=(
        "No cards yet",
        "Fill in a few lines: you get a page that guests save to their contacts with one tap, and a code to print.",
        "Make your first card",
    ),
    rows_of=rows_of,
    new="New card",
)
