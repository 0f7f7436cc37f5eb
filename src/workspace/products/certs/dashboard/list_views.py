"""The list of templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.item_lists import ListItem
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.item_layout import LAYOUT


@page()
def templates(request: SignedInRequest) -> HttpResponse:
    return LAYOUT.render_list(request, LAYOUT.list_items(request, tools.list_templates), _list_item)


def _list_item(row: Mapping[str, Any]) -> ListItem:
    return ListItem(title=row["name"], about=row["title"], number=row["issued"], unit=gettext("issued"))
