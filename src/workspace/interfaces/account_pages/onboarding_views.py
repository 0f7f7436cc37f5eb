"""The first steps of a new account: the brand, which can be skipped, and starter content for its trade."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve

from workspace.brand.models import Brand
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.interfaces.account_pages.brand_views import build_brand_form, build_context, save_brand_form
from workspace.interfaces.account_pages.starter_items import create_starters
from workspace.lib.languages import CONTENT_LANGUAGES, GUEST_LANGUAGES
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.language import preferred_language


@page("GET", "HEAD", "POST")
def welcome(request: SignedInRequest) -> HttpResponse:
    """Show the brand on one screen. If the account already has items, redirect to the home page."""
    if request.account.publications.exists():
        return redirect("/app")
    form = build_brand_form(request)
    if not form.is_bound and not form.values["languages"]:  # the account was not created in a browser
        form.values = {**form.values, "languages": [preferred_language(request.headers.get("Accept-Language", ""))]}
    if request.method == "POST" and "skip" in request.POST:
        return redirect("/app")
    if request.method == "POST" and save_brand_form(request, form):
        create_starters(request)
        return redirect("welcome_ready")
    context = {**build_context(request, form), "ours": [(code, CONTENT_LANGUAGES[code]) for code in GUEST_LANGUAGES]}
    return render(request, "account_pages/welcome.html", context, status=form.status)


@page()
def starter_items(request: SignedInRequest) -> HttpResponse:
    """Show the created items with their QR codes, share pages and next steps."""
    there = items.items_for(request.account)
    if not there:
        return redirect("/app")
    trade = Brand.for_account(request.account).trade
    rows = []
    for item in there:
        found = items.get_manifest(item.kind).starter
        example = found(request.account, trade) if found else None
        code = f"{urlsplit(item.public_url).path}.svg" if item.public_url else ""
        rows.append((item, code, _share_path(item), example.next if example else ""))
    return render(request, "account_pages/ready.html", {"rows": rows})


def _share_path(item: Item) -> str:
    """Return the path of the item's share page, or "" if it has none."""
    path = f"{urlsplit(item.page).path}/share"
    try:
        resolve(path)
    except Resolver404:
        return ""
    return path
