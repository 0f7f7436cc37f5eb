"""Test scans: a symbol that opens the code's destination without being counted."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import DYNAMIC
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.dashboard.presenters import svg_data_url
from workspace.products.qr.domain.queries import get_code
from workspace.products.qr.public.views import TEST_MAX_AGE_SECONDS, build_test_url
from workspace.products.qr.rules.target import Target
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import render_svg


@page()
def trial(request: SignedInRequest, id: str) -> HttpResponse:
    checked_code = call_tool(request, tools.get, id=id)
    if checked_code["kind"] != DYNAMIC:  # a static code is tested with its own symbol
        return redirect_full_page(request, f"{LAYOUT.home}/{checked_code['id']}")
    link = build_test_url(get_code(request.account, id))
    context = {
        "code": {**checked_code, "target": Target.from_url(checked_code["target_url"])},
        "link": link,
        "trial_picture": svg_data_url(render_svg(link, Style(), title=gettext("Test QR code"))),
        "minutes": TEST_MAX_AGE_SECONDS // 60,
        "host": urlsplit(settings.BASE_URL).netloc,
    }
    return LAYOUT.render_item_page(request, id, "qr/owner/test.html", context)
