"""The first minutes: a brand, which may wait, and what the trade begins with, to be changed, printed or shared."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve

from workspace.accounts.models import Account
from workspace.brand.languages import LANGUAGES
from workspace.brand.models import Brand
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.interfaces.account_pages.brand_views import brand_form, context_of, saved
from workspace.lib.errors import Refusal
from workspace.publishing import items
from workspace.publishing.items import Thing
from workspace.publishing.language import LANGUAGES as OURS
from workspace.publishing.language import preferred
from workspace.publishing.models.starter import starting


@page("GET", "HEAD", "POST")
def welcome(request: SignedInRequest) -> HttpResponse:
    """The brand on one screen. Whoever has something already has been here."""
    if request.account.publications.exists():
        return redirect("/app")
    form = brand_form(request)
    if not form.bound and not form.values["languages"]:  # an account that no browser has opened
        form.values = {**form.values, "languages": [preferred(request.headers.get("Accept-Language", ""))]}
    if request.method == "POST" and "skip" in request.POST:
        return redirect("/app")
    if request.method == "POST" and saved(request, form):
        _begin(request)
        return redirect("welcome_ready")
    context = {**context_of(request, form), "ours": [(code, LANGUAGES[code]) for code in OURS]}
    return render(request, "account_pages/welcome.html", context, status=form.status)


@page()
def ready(request: SignedInRequest) -> HttpResponse:
    there = items.of(request.account)
    if not there:
        return redirect("/app")
    trade = Brand.of(request.account).trade
    rows = []
    for thing in there:
        found = items.manifest(thing.kind).example
        example = found(request.account, trade) if found else None
        code = f"{urlsplit(thing.public_url).path}.svg" if thing.public_url else ""
        rows.append((thing, code, _share(thing), example.next if example else ""))
    return render(request, "account_pages/ready.html", {"rows": rows})


def _share(thing: Thing) -> str:
    """Where it is shared and printed; empty where that has no page of its own."""
    path = f"{urlsplit(thing.page).path}/share"
    try:
        resolve(path)
    except Resolver404:
        return ""
    return path


def _begin(request: SignedInRequest) -> None:
    """Make what the trade begins with, as its owner would, within the plan: those first that others lead to."""
    account = Account.objects.select_related("brand").get(pk=request.account.pk)  # with what has just been chosen
    trade = Brand.of(account).trade
    for product in reversed(items.manifests()):
        if product.example is None or (example := product.example(account, trade)) is None:
            continue
        try:
            with starting():
                call(request, example.tool, **example.arguments)
        except Refusal as refusal:
            messages.error(request, refusal.message)
