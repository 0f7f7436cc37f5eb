"""The item layout of notice boards: their tabs, and the pages that all products share."""

from __future__ import annotations

from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.pinboard.api import tools
from workspace.products.pinboard.api.serializers import list_summaries
from workspace.products.pinboard.models import NoticeBoard

LAYOUT = ItemLayout(
    NoticeBoard,
    noun="notice board",
    edit=tools.edit,
    delete=tools.delete_notice_boards,
    tabs=(Tab("", "Edit"),),
    example="notice-board",
    empty_state=(
        "No notice boards yet",
        "Write a title and a text. You get a page with a link and a QR code.",
        "Create notice board",
    ),
    load_rows=list_summaries,
    new_label="New notice board",
)
