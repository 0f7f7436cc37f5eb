"""What came in with a form."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, page
from workspace.products.form import response_tools
from workspace.products.form.dashboard.frame import FRAME

SHOWN = 50


@page()
def responses(request: SignedInRequest, id: str) -> HttpResponse:
    text = request.GET.get("offset", "0")
    offset = int(text) if text.isdecimal() and len(text) < 9 else 0
    found = call(request, response_tools.responses, id=id, limit=SHOWN, offset=offset)
    return FRAME.page(request, id, "form/responses.html", {"found": found, "next": offset + SHOWN})
