"""Links to the plans wherever a page mentions a larger plan.

They are inserted into the rendered page, so that no template, error or field can forget them.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext_lazy

from workspace.accounts import plans

_LINK_TEXT = gettext_lazy("choose a larger plan")


def add_upgrade_links(response: HttpResponse) -> HttpResponse:
    """Replace the URL of the plans page in text with a link. Attributes are not changed."""
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
