"""The URLs of all pages of an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpResponse
from django.urls import URLPattern, path

from workspace.dashboard import embed_permission_views, item_views
from workspace.dashboard.item_layout import ItemLayout

View = Callable[..., HttpResponse]


def build_item_urls(layout: ItemLayout, views: Mapping[str, View]) -> list[URLPattern]:
    """Return an item's URL patterns: the product's views, given by the keys of their tabs, and the common pages."""
    common = {
        "share": item_views.share,
        "paper": item_views.download_print,
        "results": item_views.analytics,
        "settings": item_views.settings,
        "state": item_views.set_state,
        **({"preview": item_views.preview} if layout.has_page else {}),
        "delete": item_views.delete,
        "password/remove": item_views.remove_password,
        **({"duplicate": item_views.duplicate} if layout.copy else {}),
        **({"share/websites": embed_permission_views.websites} if layout.embed_noun else {}),
    }
    own = [path(f"/<str:id>/{key}" if key else "/<str:id>", view) for key, view in views.items()]
    return [*own, *(path(f"/<str:id>/{key}", view, {"layout": layout}) for key, view in common.items())]
