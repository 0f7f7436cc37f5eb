"""Linked apps: each person connects and disconnects their own access."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from workspace.accounts import change_log
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.dashboard.tool_views import build_page_decorator
from workspace.interfaces.messages import APP_NOT_FOUND
from workspace.interfaces.sign_in.recent_login import require_recent_login
from workspace.linked_apps import client_registration, connection, health, tool_cache
from workspace.linked_apps.caller_apps import PAGE_PATH, AppState, grants_for, list_app_states
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import LinkedAppError, find_application
from workspace.linked_apps.models import LinkedApp
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.rate_limits.counter import consume

SESSION_KEY = "family"  # pending authorizations of this browser, by app
BADGES = {
    "connected": (owner_gettext_lazy("Connected"), "good"),
    "not_connected": (owner_gettext_lazy("Not connected"), ""),
    "ended": (owner_gettext_lazy("Reconnect"), "wait"),
    "down": (owner_gettext_lazy("Unavailable"), "bad"),
}
page = build_page_decorator(list_path=PAGE_PATH, id_arguments=(), find_parent_url=lambda request: PAGE_PATH)


@page()
def linked_apps(request: SignedInRequest) -> HttpResponse:
    rows = [_present_app(one) for one in list_app_states(grants_for(request.caller))]
    return render(request, "account_pages/linked_apps.html", {"rows": rows})


@page()
def linked_app(request: SignedInRequest, name: str) -> HttpResponse:
    standing = _get_app_state(request, name)
    grant = standing.grant
    tools = grant.tools if grant is not None and not grant.last_error else []
    context = {
        "row": _present_app(standing),
        "tools": [_present_tool(one) for one in tools],
        "mcp_url": f"{settings.BASE_URL}/mcp",
    }
    return render(request, "account_pages/linked_app.html", context)


@require_sign_in
@require_recent_login
def connect(request: SignedInRequest, name: str) -> HttpResponse:
    """Redirect to the app to authorize access, and store the data for the callback in the session."""
    app = _get_app_state(request, name).app
    if request.method != "POST":  # after the sign-in was confirmed
        return redirect("linked_app", name=name)
    if not consume("linked-app", request):
        messages.error(request, owner_gettext("Too many attempts within an hour. Try again later."))
        return redirect("linked_app", name=name)
    try:
        url, pending = connection.start_authorization(request.account, app)
    except LinkedAppError as trouble:
        messages.error(request, _format_error(app, trouble))
        return redirect("linked_app", name=name)
    request.session[SESSION_KEY] = {**request.session.get(SESSION_KEY, {}), name: pending}
    return redirect(url)


@page()
def authorization_callback(request: SignedInRequest, name: str) -> HttpResponse:
    """Handle the redirect back from the app. It works once, and only in the browser that started it."""
    app = _get_app_state(request, name).app
    under_way = request.session.get(SESSION_KEY, {})
    pending = under_way.pop(name, None)
    if pending is None:
        messages.error(
            request,
            owner_gettext("The connection wasn’t started in this browser. Connect %(title)s again from here.")
            % {"title": app.title},
        )
        return redirect("linked_app", name=name)
    request.session[SESSION_KEY] = under_way
    answer = {key: request.GET.get(key, "") for key in request.GET}
    try:
        connection.finish_authorization(request.account, request.user, app, pending, answer)
    except LinkedAppError as trouble:
        messages.error(request, _format_error(app, trouble))
        return redirect("linked_app", name=name)
    change_log.log_change(request.account, request.caller, "applications", f"Connected {app.title}")
    return redirect_with_message(
        request, owner_gettext("%(title)s connected.") % {"title": app.title}, f"{PAGE_PATH}/{name}"
    )


@page("GET", "HEAD", "POST")
def disconnect(request: SignedInRequest, name: str) -> HttpResponse:
    standing = _get_app_state(request, name)
    if standing.grant is None:
        return redirect("linked_app", name=name)
    if request.method == "POST":
        connection.disconnect_app(standing.grant)
        change_log.log_change(request.account, request.caller, "applications", f"Disconnected {standing.app.title}")
        return redirect_with_message(
            request, owner_gettext("%(title)s disconnected.") % {"title": standing.app.title}, PAGE_PATH
        )
    return render_confirmation(
        request,
        title=owner_gettext("Disconnect %(title)s?") % {"title": standing.app.title},
        text=owner_gettext("Your AI assistants lose its tools immediately, and our access to the app is revoked."),
        button=owner_gettext("Disconnect"),
        back=f"{PAGE_PATH}/{name}",
    )


@require_POST
@require_sign_in
def refresh_tools(request: SignedInRequest, name: str) -> HttpResponse:
    """Refresh the list of tools that the app offers."""
    standing = _get_app_state(request, name)
    if standing.grant is None or not consume("linked-app", request):
        return redirect("linked_app", name=name)
    if (down := health.find_outage(name)) is not None:
        messages.error(request, health.describe_outage(standing.app.title, down))
    elif tool_cache.refresh_tools(standing.grant.pk):
        messages.success(request, owner_gettext("Tools refreshed."))
    else:
        messages.error(
            request,
            owner_gettext("%(title)s did not respond. Its previous tools are still available.")
            % {"title": standing.app.title},
        )
    return redirect("linked_app", name=name)


@require_safe
def client_metadata(request: HttpRequest) -> HttpResponse:
    """Return this instance's client metadata, for authorization servers that identify clients by a URL."""
    if not settings.FAMILY:
        raise Http404
    return JsonResponse(client_registration.client_id_document(), headers={"Cache-Control": "public, max-age=3600"})


def _get_app_state(request: SignedInRequest, name: str) -> AppState:
    app = find_application(name)
    if app is None:
        raise Http404(APP_NOT_FOUND)
    return next(one for one in list_app_states(grants_for(request.caller)) if one.app is app)


def _present_app(app_state: AppState) -> dict[str, Any]:
    grant: LinkedApp | None = app_state.grant
    return {
        "app": app_state.app,
        "grant": grant,
        "state": app_state.state,
        "badge": BADGES["down"] if app_state.condition and grant is None else BADGES[app_state.state],
        "down": app_state.condition,
        "holds": grant is not None and not grant.last_error,
        "count": len(grant.tools) if grant is not None else 0,
        "host": app_state.app.url.partition("://")[2].rstrip("/"),
    }


def _present_tool(tool: dict[str, Any]) -> dict[str, Any]:
    description = tool["told"]
    return {"name": tool["name"], "reads": tool["reads"], "about": description["description"].partition(": ")[2]}


def _format_error(app: Application, error: LinkedAppError) -> str:
    text = str(error).rstrip(".")
    return f"{text}." if text.startswith((app.title, "This", "That", "The")) else f"{app.title}: {text}."
