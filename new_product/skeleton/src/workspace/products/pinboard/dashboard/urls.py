"""URLs of the owner's pages of notice boards."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.pinboard.dashboard import edit_views, list_views
from workspace.products.pinboard.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.list_page, name="pinboard-list"),
    path("/new", list_views.new_page, name="pinboard-new"),
    *build_item_urls(LAYOUT, {"": edit_views.edit_page}),
]
mark_compressible(urlpatterns)
