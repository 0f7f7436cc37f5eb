"""URLs of the owners' pages of proposals."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.bid.dashboard import (
    edit_views,
    library_views,
    list_views,
    sending_views,
    timeline_views,
)
from workspace.products.bid.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.bids, name="bids"),
    path("/new", list_views.new, name="bid-new"),
    path("/library", library_views.library, name="bid-library"),
    path("/library/begin", library_views.create_from_template),
    path("/library/delete", library_views.delete_item),
    path("/suggested", edit_views.suggest_lines),
    path("/<str:id>/amounts", edit_views.compute_amounts),
    path("/<str:id>/paste", edit_views.add_pasted_lines),
    path("/<str:id>/mark", sending_views.mark_sent),
    path("/<str:id>/decide", timeline_views.decide),
    path("/<str:id>/version", timeline_views.create_version),
    path("/<str:id>/keep", timeline_views.save_template),
    *build_item_urls(
        LAYOUT,
        {
            "": edit_views.edit,
            "send": sending_views.send,
            "timeline": timeline_views.timeline,
            "preview": edit_views.preview,
        },
    ),
]
mark_compressible(urlpatterns)
