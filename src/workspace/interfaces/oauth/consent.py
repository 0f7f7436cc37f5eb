"""The consent page: who asks, where the answer goes, for which account, and what it may do."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from workspace.accounts import choice
from workspace.accounts.models import Account, Person
from workspace.dashboard.session import account_of
from workspace.interfaces import ticks
from workspace.interfaces.oauth import authorization
from workspace.interfaces.oauth.authorization import Authorization
from workspace.interfaces.sign_in.fresh import fresh_sign_in
from workspace.toolkit.errors import NotFound

MAX_ACCOUNTS = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@fresh_sign_in
def authorize(request: HttpRequest) -> HttpResponse:
    person = request.user
    assert isinstance(person, Person)
    try:
        asked = authorization.read(request)
        if request.method == "POST":
            return _decide(request, asked, person)
    except authorization.Unusable as unusable:
        return _page(request, "oauth/unusable.html", {"reason": str(unusable)}, 400)
    except authorization.SentBack as back:
        return authorization.send_back(back.location)
    return _ask(request, asked, person)


def _ask(request: HttpRequest, asked: Authorization, person: Person, problem: str = "") -> HttpResponse:
    accounts = Account.objects.filter(memberships__person=person, banned_at=None)
    listed = list(accounts.order_by("memberships__id")[:MAX_ACCOUNTS])
    if not listed:
        return _page(request, "oauth/unusable.html", {"reason": "You are not a member of any account here."}, 403)
    current = account_of(request, person)
    earlier = choice.earlier(current, asked.client, person)
    chosen = choice.read(earlier.products) if earlier else ticks.in_use(current)
    if ticks.ASKED in request.POST:
        chosen = choice.read(ticks.read(request.POST))
    shown = {
        "asked": asked,
        "accounts": listed,
        "current": current,
        "problem": problem,
        "ticks": ticks.ticks(chosen),
    }
    return _page(request, "oauth/consent.html", shown, 422 if problem else 200)


def _decide(request: HttpRequest, asked: Authorization, person: Person) -> HttpResponse:
    decision = request.POST.get("decision")
    if decision == "deny":
        return authorization.send_back(asked.denied())
    if decision != "allow":
        return _ask(request, asked, person, "Choose Allow or Deny.")
    chosen = request.POST.get("account", "")[:64]
    try:
        account = Account.of(person, chosen if chosen and chosen.isprintable() else "-")
    except NotFound:
        return _ask(request, asked, person, "Choose one of your accounts.")
    write = request.POST.get("access") == "write"
    location = asked.granted(request, account, write=write)
    choice.choose(account, asked.client, person, ticks.read(request.POST))
    return authorization.send_back(location)


def _page(request: HttpRequest, template: str, shown: dict[str, object], status: int) -> HttpResponse:
    response = render(request, template, shown, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
