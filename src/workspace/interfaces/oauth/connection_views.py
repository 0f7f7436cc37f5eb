"""The page of connected apps: choosing the products that each may use, and disconnecting apps."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from workspace.accounts import change_log, product_scope
from workspace.accounts.oauth_connections import connections_for, get_connection, revoke_connection
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.interfaces import product_choices
from workspace.interfaces.oauth import protected_resource
from workspace.interfaces.sign_in.recent_login import require_recent_login
from workspace.lib.errors import NotFoundError
from workspace.owner_translation import owner_gettext


@require_safe
@require_sign_in
def connections(request: SignedInRequest) -> HttpResponse:
    found = connections_for(request.account, seen_by=request.user)
    return render(
        request, "oauth/connections.html", {"connections": found, "mcp_url": protected_resource.resource_identifier()}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@require_sign_in
@require_recent_login
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    """Let the owner choose the products that a connection may use."""
    try:
        connection = get_connection(request.account, id, seen_by=request.user)
    except NotFoundError as refusal:
        raise Http404(refusal.message) from None
    if request.method == "POST":
        products = product_choices.parse_selected_products(request.POST)
        product_scope.save_choice(request.account, connection.client, connection.person, products)
        titles = product_scope.describe_scope(product_scope.parse_scope(products))
        change_log.log_change(
            request.account, request.caller, "connections", f"Limited {connection.client} to {titles}"
        )
        text = owner_gettext("%(client)s can now use: %(products)s.")
        messages.success(request, text % {"client": connection.client, "products": titles})
        return redirect("/app/connections")
    shown = {"connection": connection, **product_choices.build_checkbox_context(connection.products)}
    return render(request, "oauth/connection.html", shown)


@require_POST
@require_sign_in
def disconnect(request: SignedInRequest) -> HttpResponse:
    try:
        name = revoke_connection(request.account, request.POST.get("connection", "")[:80], by=request.user)
    except NotFoundError as refusal:
        messages.error(request, refusal.message)
    else:
        change_log.log_change(request.account, request.caller, "connections", f"Disconnected {name}")
        messages.success(request, owner_gettext("%(name)s disconnected.") % {"name": name})
    return redirect("/app/connections")
