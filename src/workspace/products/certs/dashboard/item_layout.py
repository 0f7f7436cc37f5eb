"""The item layout of certificate templates."""

from __future__ import annotations

from workspace.dashboard.item_layout import ItemLayout, Tab
from workspace.products.certs.api import tools
from workspace.products.certs.api.serializers import list_template_summaries
from workspace.products.certs.models import Template

LAYOUT = ItemLayout(
    Template,
    noun="template",
    id="template_id",
    edit=tools.save_template,
    delete=tools.delete,
    tabs=(Tab("", "Design"), Tab("issue", "Issue"), Tab("issued", "Issued"), Tab("letter", "Mail")),
    first_action=("issue", "Issue certificates"),
    deletion_text="What was issued with it stays valid.",
    example="sailing-course",
    empty_state=(
        "No certificates yet",
        "Choose a design, write what it is for, and issue thirty of them in a minute.",
        "Make your first certificate",
    ),
    load_rows=list_template_summaries,
    new_label="New template",
)
