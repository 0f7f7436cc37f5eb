"""Where a page says how an account gets a larger plan, those words lead there: put into the finished page, so that no
template, no refusal and no field can forget it."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import escape

from workspace.accounts import plans

_LINK_TEXT = "choose a larger plan"


def add_upgrade_links(response: HttpResponse) -> HttpResponse:
    """With a link in place of the address, wherever it stands in a text: what stands in an attribute stays."""
    if not settings.PAYMENTS or response.streaming or not _is_html(response):
        return response
    said = escape(plans.upgrade_hint()).encode()
    if said in response.content:
        text = re.compile(rb"(>[^<>]*?)" + re.escape(said), re.IGNORECASE)
        there = f'<a href="{reverse("plans")}">{_LINK_TEXT}</a>'.encode()
        response.content = text.sub(lambda found: found[1] + there, response.content)
    return response


def _is_html(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")
