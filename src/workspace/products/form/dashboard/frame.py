"""What the dashboard's frame needs to know of forms."""

from __future__ import annotations

from typing import Any

from workspace.dashboard.frame import Frame, Switch, Tab
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call
from workspace.products.form import response_tools, tools
from workspace.products.form.models import Form


def _copy(request: SignedInRequest, row: Any) -> str:
    return call(request, tools.create, title=row.title, like=row.pk)["id"]


FRAME = Frame(
    Form,
    word="form",
    edit=tools.edit,
    delete=tools.delete,
    tabs=(Tab("", "Edit"), Tab("responses", "Responses", arrivals="response")),
    stats=response_tools.stats,
    copy=_copy,
    switch=Switch("accepting", "Open", "Closed", lambda form: form.accepting),
    gone="Its responses go with it.",
    website=Form.call,
    example="party",
    empty=(
        "No forms yet",
        "Ask what you need to know: a form with its own address, whose answers arrive here.",
        "Make your first form",
    ),
    new="New form",
)
