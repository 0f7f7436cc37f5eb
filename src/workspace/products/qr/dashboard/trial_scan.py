"""A scan for trying out: a picture that leads where the code leads and counts nothing."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.products.qr.api import tools
from workspace.products.qr.api.serializers import DYNAMIC
from workspace.products.qr.dashboard.layout import FRAME
from workspace.products.qr.dashboard.presenters import picture_url
from workspace.products.qr.domain.queries import code_of
from workspace.products.qr.public.views import TEST_AGE, test_link
from workspace.products.qr.rules.target import Target
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import svg


@page()
def trial(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    if found["kind"] != DYNAMIC:  # its own picture is to be tried
        return redirect_whole(request, f"{FRAME.home}/{found['id']}")
    link = test_link(code_of(request.account, id))
    context = {
        "code": {**found, "target": Target.of(found["target_url"])},
        "link": link,
        "trial_picture": picture_url(svg(link, Style(), title="Test code")),
        "minutes": TEST_AGE // 60,
        "host": urlsplit(settings.BASE_URL).netloc,
    }
    return FRAME.page(request, id, "qr/test.html", context)
