"""The consent page: who asks, where the answer goes, for which account, and what it may do."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from workspace.accounts import change_log, tool_scope
from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Membership, Person
from workspace.dashboard.session import account_of
from workspace.interfaces import product_choices
from workspace.interfaces.oauth import authorization_request
from workspace.interfaces.oauth.authorization_request import Authorization
from workspace.interfaces.sign_in.recent_login import fresh_sign_in
from workspace.lib.errors import NotFound

MAX_ACCOUNTS = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@fresh_sign_in
def authorize(request: HttpRequest) -> HttpResponse:
    person = request.user
    assert isinstance(person, Person)
    try:
        asked = authorization_request.read(request)
        if request.method == "POST":
            return _decide(request, asked, person)
    except authorization_request.Unusable as unusable:
        return _page(request, "oauth/unusable.html", {"reason": str(unusable)}, 400)
    except authorization_request.SentBack as back:
        return authorization_request.send_back(back.location)
    return _ask(request, asked, person)


def _ask(request: HttpRequest, asked: Authorization, person: Person, problem: str = "") -> HttpResponse:
    joined = person.memberships.filter(account__banned_at=None).select_related("account").order_by("pk")
    memberships = list(joined[:MAX_ACCOUNTS])
    if not memberships:
        return _page(request, "oauth/unusable.html", {"reason": "You are not a member of any account here."}, 403)
    current = account_of(request, person)
    earlier = tool_scope.earlier(current, asked.client, person)
    chosen = tool_scope.read(earlier.products) if earlier else product_choices.in_use(current)
    if product_choices.ASKED in request.POST:
        chosen = tool_scope.read(product_choices.read(request.POST))
    shown = {
        "asked": asked,
        "memberships": memberships,
        "current": current,
        "may_write": asked.writes and any(one.reach.changes_something for one in memberships),
        "differ": len({one.reach.changes_something for one in memberships}) > 1,
        "problem": problem,
        **product_choices.page(chosen, reaches=lambda key: any(one.reach.may(key) for one in memberships)),
    }
    return _page(request, "oauth/consent.html", shown, 422 if problem else 200)


def _decide(request: HttpRequest, asked: Authorization, person: Person) -> HttpResponse:
    decision = request.POST.get("decision")
    if decision == "deny":
        return authorization_request.send_back(asked.denied())
    if decision != "allow":
        return _ask(request, asked, person, "Choose Allow or Deny.")
    chosen = request.POST.get("account", "")[:64]
    try:
        membership = Membership.of(person, chosen if chosen and chosen.isprintable() else "-")
    except NotFound:
        return _ask(request, asked, person, "Choose one of your accounts.")
    account, reach = membership.account, membership.reach
    # whatever was sent: what its person may not do is not given away, and each call asks for their role again
    write = asked.writes and request.POST.get("access") == "write" and reach.changes_something
    location = asked.granted(request, account, write=write)
    tool_scope.choose(account, asked.client, person, product_choices.read(request.POST))
    by = Caller(account, person=person, face="dashboard", reach=reach)
    may = "see and change what they may" if write else "only see"
    change_log.note(account, by, "connections", f"Connected {asked.client} ({asked.host}), which may {may}")
    return authorization_request.send_back(location)


def _page(request: HttpRequest, template: str, shown: dict[str, object], status: int) -> HttpResponse:
    response = render(request, template, shown, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
