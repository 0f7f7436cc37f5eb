"""A scan for trying out: a picture that leads where the code leads and counts nothing."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, page
from workspace.products.qr import tools
from workspace.products.qr.dashboard.shown import picture_url, shown
from workspace.products.qr.pages import TEST_AGE, test_link
from workspace.products.qr.rows import code_of
from workspace.symbols.draw import svg
from workspace.symbols.style import Style


@page()
def trial(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    link = test_link(code_of(request.account, id))
    context = {
        "code": shown(found),
        "link": link,
        "trial_picture": picture_url(svg(link, Style(), title="Test code")),
        "minutes": TEST_AGE // 60,
        "host": urlsplit(settings.BASE_URL).netloc,
    }
    return render(request, "qr/test.html", context)
