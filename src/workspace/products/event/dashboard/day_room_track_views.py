"""Saving the lists of a program's days, rooms and tracks."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.dashboard.list_forms import (
    LIST_FIELDS,
    REQUIRED_FIELDS,
    build_list_form,
    build_list_forms,
)
from workspace.products.event.dashboard.session_table_views import render_sessions


@page("POST")
def save_list(request: SignedInRequest, id: str, name: str) -> HttpResponse:
    """Save a list. An entry with an empty name is removed."""
    if name not in LIST_FIELDS:
        raise Http404
    event = presenters.get_event(request, id)
    form = build_list_form(request, event, name, sent=True)
    rows = form.values.get(name)
    stored = (
        [row for row in rows if isinstance(row, dict) and row.get(REQUIRED_FIELDS[name])]
        if isinstance(rows, list)
        else []
    )
    form.values = {name: stored}
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Changes saved."), f"{LAYOUT.home}/{id}")
    return render_sessions(request, id, build_list_forms(request, event, name, form), form.status)
