"""The list of review pages, and creating a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

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
    form = ToolForm(tools.create, request, labels={**LAYOUT.labels, "slug": gettext("Custom link")})
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    context = {"form": form, "questions": DEFAULT_QUESTIONS, "consent": DEFAULT_CONSENT}
    return render(request, "reviews/owner/new.html", context, status=form.status)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    lines = [gettext("★ %(average)s out of 5") % {"average": row["average"]}] if row["average"] else []
    reviews = row["testimonials"]
    lines += [
        ngettext("%(count)s review", "%(count)s reviews", reviews) % {"count": f"{reviews:,}"},
        gettext("%(count)s approved") % {"count": f"{row['approved']:,}"},
    ]
    pending = gettext("%(count)s pending") % {"count": f"{row['pending']:,}"}
    return ListItem(
        title=row["title"],
        about=" · ".join(lines),
        number=row["views"],
        unit=ngettext("view", "views", row["views"]),
        more=(pending, "items?status=pending") if row["pending"] else None,
    )
