"""What the dashboard's frame needs to know of certificate templates."""

from __future__ import annotations

from workspace.dashboard.item_layout import Frame, Tab
from workspace.products.certs.api import tools
from workspace.products.certs.api.serializers import rows_of
from workspace.products.certs.models import Template

FRAME = Frame(
    Template,
    word="template",
    id="template_id",
    edit=tools.save_template,
    delete=tools.delete,
    tabs=(Tab("", "Design"), Tab("issue", "Issue"), Tab("issued", "Issued"), Tab("letter", "Mail")),
    first=("issue", "Issue certificates"),
    gone="What was issued with it stays valid.",
    example="sailing-course",
    empty=(
        "No certificates yet",
        "Choose a design, write what it is for, and issue thirty of them in a minute.",
        "Make your first certificate",
    ),
    rows_of=rows_of,
    new="New template",
)
