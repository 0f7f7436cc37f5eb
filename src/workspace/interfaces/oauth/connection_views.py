"""The agents that are connected to the account: whose tools each has, and ending a connection."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from workspace.accounts import change_log, tool_scope
from workspace.accounts.oauth_connections import connection_of, connections_of, end_connection
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.interfaces import product_choices
from workspace.interfaces.oauth import resource
from workspace.interfaces.sign_in.recent_login import fresh_sign_in
from workspace.lib.errors import NotFound


@require_safe
@signed_in
def show(request: SignedInRequest) -> HttpResponse:
    found = connections_of(request.account, seen_by=request.user)
    return render(request, "oauth/connections.html", {"connections": found, "mcp_url": resource.identifier()})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@fresh_sign_in
def one(request: SignedInRequest, id: str) -> HttpResponse:
    """Whose tools it has."""
    try:
        connection = connection_of(request.account, id, seen_by=request.user)
    except NotFound as refusal:
        raise Http404(refusal.message) from None
    if request.method == "POST":
        products = product_choices.read(request.POST)
        tool_scope.choose(request.account, connection.client, connection.person, products)
        has = f"{connection.client} has the tools of {tool_scope.said(tool_scope.read(products))}"
        change_log.note(request.account, request.caller, "connections", has)
        messages.success(request, f"{has} now.")
        return redirect("/app/connections")
    shown = {"connection": connection, **product_choices.page(connection.products)}
    return render(request, "oauth/connection.html", shown)


@require_POST
@signed_in
def end(request: SignedInRequest) -> HttpResponse:
    try:
        name = end_connection(request.account, request.POST.get("connection", "")[:80], by=request.user)
    except NotFound as refusal:
        messages.error(request, refusal.message)
    else:
        change_log.note(request.account, request.caller, "connections", f"Disconnected {name}")
        messages.success(request, f"{name} is disconnected: its access ended at once.")
    return redirect("/app/connections")
