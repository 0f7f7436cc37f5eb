"""What the dashboard's frame needs to know of seating charts."""

from __future__ import annotations

from workspace.dashboard.frame import Frame, Tab
from workspace.products.seat import tools
from workspace.products.seat.models import Chart
from workspace.products.seat.rows import rows_of

FRAME = Frame(
    Chart,
    word="chart",
    id="event_id",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Plan"),),
    gone="Its tables and guests go with it.",
    example="anna-and-ben",
    empty=("No seating charts yet", "Paste the guest list, and let it seat them.", "Make your first seating chart"),
    rows_of=rows_of,
    new="New chart",
)
