"""The list of templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.item_lists import Line
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.layout import FRAME


@page()
def templates(request: SignedInRequest) -> HttpResponse:
    return FRAME.listing(request, FRAME.found(request, tools.templates), _line)


def _line(row: Mapping[str, Any]) -> Line:
    return Line(title=row["name"], about=row["title"], number=row["issued"], unit="issued")
