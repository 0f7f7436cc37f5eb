"""The list of review pages, and creating a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.products.reviews.api import tools
from workspace.products.reviews.dashboard.item_layout import LAYOUT
from workspace.products.reviews.models import KIND
from workspace.products.reviews.models.page import DEFAULT_CONSENT, DEFAULT_QUESTIONS


@page()
def list_pages(request: SignedInRequest) -> HttpResponse:
    page = LAYOUT.list_items(request, tools.get)
    page = page.get("pages", page)
    return LAYOUT.render_list(request, page, _list_item, limit=request.account.limits(KIND).pages)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels={**LAYOUT.labels, "slug": "Address"})
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    context = {"form": form, "questions": DEFAULT_QUESTIONS, "consent": DEFAULT_CONSENT}
    return render(request, "reviews/new.html", context, status=form.status)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    lines = [f"★ {row['average']} of 5"] if row["average"] else []
    lines += [
        f"{row['testimonials']:,} review{'' if row['testimonials'] == 1 else 's'}",
        f"{row['approved']:,} approved",
    ]
    return ListItem(
        title=row["title"],
        about=" · ".join(lines),
        number=row["views"],
        unit="view" if row["views"] == 1 else "views",
        more=(f"{row['pending']:,} waiting", "items?status=pending") if row["pending"] else None,
    )
