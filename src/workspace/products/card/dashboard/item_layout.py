"""The item layout of business cards."""

from __future__ import annotations

from workspace.dashboard.item_duplication import Duplication
from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.card.api import lead_tools, tools
from workspace.products.card.api.serializers import list_card_summaries
from workspace.products.card.models import Card

LAYOUT = ItemLayout(
    Card,
    noun="card",
    id="card_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("look", "Look"), Tab("leads", "Leads", submissions="lead")),
    stats=lead_tools.stats,
    counts={"views": "Views", "contact_saves": "Contact saves", "leads": "Leads"},
    copy=Duplication(tools.save, "full_name", is_list=True),
    deletion_text="The people who left their details go with it.",
    website=True,
    example="jane-doe",
    empty_state=(
        "No cards yet",
        "Fill in a few lines: you get a page that guests save to their contacts with one tap, and a code to print.",
        "Make your first card",
    ),
    load_rows=list_card_summaries,
    new_label="New card",
)
