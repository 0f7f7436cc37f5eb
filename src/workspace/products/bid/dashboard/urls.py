from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.bid.dashboard import (
    design_views,
    edit_views,
    library_views,
    list_views,
    sending_views,
    timeline_views,
)
from workspace.products.bid.dashboard.layout import FRAME

urlpatterns = [
    path("", list_views.bids, name="bids"),
    path("/new", list_views.new, name="bid-new"),
    path("/library", library_views.library, name="bid-library"),
    path("/library/begin", library_views.begin),
    path("/library/delete", library_views.drop),
    path("/suggested", edit_views.suggested),
    path("/<str:id>/paste", edit_views.paste),
    path("/<str:id>/mark", sending_views.mark),
    path("/<str:id>/decide", timeline_views.decide),
    path("/<str:id>/version", timeline_views.version),
    path("/<str:id>/keep", timeline_views.keep),
    *FRAME.addresses(
        {
            "": edit_views.edit,
            "look": design_views.look,
            "send": sending_views.send,
            "timeline": timeline_views.timeline,
            "preview": edit_views.preview,
        }
    ),
]
mark_compressible(urlpatterns)
