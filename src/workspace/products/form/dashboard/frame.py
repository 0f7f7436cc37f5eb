"""What the dashboard's frame needs to know of forms."""

from __future__ import annotations

from workspace.dashboard.copying import Copy
from workspace.dashboard.frame import Frame, Switch, Tab
from workspace.products.form import response_tools, tools
from workspace.products.form.models import Form

FRAME = Frame(
    Form,
    word="form",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("responses", "Responses", arrivals="response")),
    stats=response_tools.stats,
    copy=Copy(tools.create, "title"),
    switch=Switch("accepting", "Open", "Closed", lambda form: form.accepting),
    gone="Its responses go with it.",
    website=True,
    example="party",
    empty=(
        "No forms yet",
        "Ask what you need to know: a form with its own address, whose answers arrive here.",
        "Make your first form",
    ),
    new="New form",
)
