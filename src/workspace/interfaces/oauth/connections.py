"""The agents that are connected to the account, and ending a connection."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from workspace.accounts.connections import connections_of, end_connection
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.interfaces.oauth import resource
from workspace.toolkit.errors import NotFound


@require_safe
@signed_in
def show(request: SignedInRequest) -> HttpResponse:
    found = connections_of(request.account, seen_by=request.user)
    return render(request, "oauth/connections.html", {"connections": found, "mcp_url": resource.identifier()})


@require_POST
@signed_in
def end(request: SignedInRequest) -> HttpResponse:
    try:
        name = end_connection(request.account, request.POST.get("connection", "")[:80], by=request.user)
    except NotFound as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, f"{name} is disconnected: its access ended at once.")
    return redirect("/app/connections")
