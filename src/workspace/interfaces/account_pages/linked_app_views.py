"""The family's other applications: everybody connects their own access, and lets it go."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from workspace.accounts import change_log
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.dashboard.tool_views import pages
from workspace.interfaces.account_pages.rate_limit import allowed
from workspace.interfaces.sign_in.recent_login import fresh_sign_in
from workspace.linked_apps import client_registration, connection, health, tool_cache
from workspace.linked_apps.caller_apps import PAGE, Standing, grants_of, standings
from workspace.linked_apps.config import Application
from workspace.linked_apps.http_json import Trouble, application
from workspace.linked_apps.models import Grant

SESSION = "family"  # what is under way in this browser, by application
BADGES = {
    "connected": ("Connected", "good"),
    "not_connected": ("Not connected", ""),
    "ended": ("Connect again", "wait"),
    "down": ("Down", "bad"),
}
page = pages(home=PAGE, ids=(), above=lambda request: PAGE)


@page()
def applications(request: SignedInRequest) -> HttpResponse:
    rows = [_shown(one) for one in standings(grants_of(request.caller))]
    return render(request, "account_pages/applications.html", {"rows": rows})


@page()
def one(request: SignedInRequest, name: str) -> HttpResponse:
    standing = _standing(request, name)
    grant = standing.grant
    tools = grant.tools if grant is not None and not grant.trouble else []
    context = {"row": _shown(standing), "tools": [_tool(one) for one in tools], "mcp_url": f"{settings.BASE_URL}/mcp"}
    return render(request, "account_pages/application.html", context)


@signed_in
@fresh_sign_in
def connect(request: SignedInRequest, name: str) -> HttpResponse:
    """On to the application, with what this browser has to bring back."""
    app = _standing(request, name).app
    if request.method != "POST":  # after the sign-in was confirmed
        return redirect("application", name=name)
    if not allowed(request, "applications", "30/h/user"):
        messages.error(request, "That was often within an hour. Please try again later.")
        return redirect("application", name=name)
    try:
        url, pending = connection.begin(request.account, app)
    except Trouble as trouble:
        messages.error(request, _sentence(app, trouble))
        return redirect("application", name=name)
    request.session[SESSION] = {**request.session.get(SESSION, {}), name: pending}
    return redirect(url)


@page()
def back(request: SignedInRequest, name: str) -> HttpResponse:
    """Where the application sends the browser. What it brings is good once, and for the browser that asked."""
    app = _standing(request, name).app
    under_way = request.session.get(SESSION, {})
    pending = under_way.pop(name, None)
    if pending is None:
        messages.error(request, f"{app.title} was not asked for anything from this browser: connect it here.")
        return redirect("application", name=name)
    request.session[SESSION] = under_way
    answer = {key: request.GET.get(key, "") for key in request.GET}
    try:
        connection.finish(request.account, request.user, app, pending, answer)
    except Trouble as trouble:
        messages.error(request, _sentence(app, trouble))
        return redirect("application", name=name)
    change_log.note(request.account, request.caller, "applications", f"Connected {app.title}")
    return done(request, f"{app.title} is connected.", f"{PAGE}/{name}")


@page("GET", "HEAD", "POST")
def disconnect(request: SignedInRequest, name: str) -> HttpResponse:
    standing = _standing(request, name)
    if standing.grant is None:
        return redirect("application", name=name)
    if request.method == "POST":
        connection.disconnect(standing.grant)
        change_log.note(request.account, request.caller, "applications", f"Disconnected {standing.app.title}")
        return done(request, f"{standing.app.title} is disconnected, and gets its access back.", PAGE)
    return ask(
        request,
        title=f"Disconnect {standing.app.title}?",
        text="Your assistants lose its tools at once, and the access that you gave us there is given back.",
        button="Disconnect",
        back=f"{PAGE}/{name}",
    )


@require_POST
@signed_in
def look(request: SignedInRequest, name: str) -> HttpResponse:
    """Ask once more what it offers."""
    standing = _standing(request, name)
    if standing.grant is None or not allowed(request, "applications", "30/h/user"):
        return redirect("application", name=name)
    if (down := health.may_try(name)) is not None:
        messages.error(request, f"{health.said(standing.app.title, down)}.")
    elif tool_cache.look(standing.grant.pk):
        messages.success(request, "Its tools were read anew.")
    else:
        messages.error(request, f"{standing.app.title} did not answer. What it offered before still stands.")
    return redirect("application", name=name)


@require_safe
def document(request: HttpRequest) -> HttpResponse:
    """This installation as a client, for authorization servers that know clients by their address."""
    if not settings.FAMILY:
        raise Http404
    return JsonResponse(client_registration.document(), headers={"Cache-Control": "public, max-age=3600"})


def _standing(request: SignedInRequest, name: str) -> Standing:
    app = application(name)
    if app is None:
        raise Http404("There is no such application")
    return next(one for one in standings(grants_of(request.caller)) if one.app is app)


def _shown(one: Standing) -> dict[str, Any]:
    grant: Grant | None = one.grant
    return {
        "app": one.app,
        "grant": grant,
        "state": one.state,
        "badge": BADGES["down"] if one.condition and grant is None else BADGES[one.state],
        "down": one.condition,
        "holds": grant is not None and not grant.trouble,
        "count": len(grant.tools) if grant is not None else 0,
        "host": one.app.url.partition("://")[2].rstrip("/"),
    }


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    told = tool["told"]
    return {"name": tool["name"], "reads": tool["reads"], "about": told["description"].partition(": ")[2]}


def _sentence(app: Application, trouble: Trouble) -> str:
    text = str(trouble).rstrip(".")
    return f"{text}." if text.startswith((app.title, "This", "That", "The")) else f"{app.title}: {text}."
