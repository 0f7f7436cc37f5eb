"""The page for a new item, which shows a notice about a reached plan limit before anyone fills in the form."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest
from workspace.lib.errors import OperationNotAllowedError
from workspace.publishing import items

_NEW = re.compile(r"(/app/[a-z]+)/new")


def render_limit_reached(request: SignedInRequest) -> HttpResponse | None:
    """Return a page that explains why no item can be created.

    Return None if the limit is not reached, and for other pages.
    """
    match = _NEW.fullmatch(request.path) if request.method in ("GET", "HEAD") else None
    key = items.product_at_url(match[1]) if match else ""
    if match is None or not key:
        return None
    try:
        items.get_manifest(key).models[0].check_quota(request.account)
    except OperationNotAllowedError as refusal:
        return render(request, "dashboard/full.html", {"why": refusal.message, "home": match[1]})
    return None
