from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.bid.dashboard import edit, library, listing, look, sending, timeline
from workspace.products.bid.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.bids, name="bids"),
    path("/new", listing.new, name="bid-new"),
    path("/library", library.library, name="bid-library"),
    path("/library/begin", library.begin),
    path("/library/delete", library.drop),
    path("/suggested", edit.suggested),
    path("/<str:id>/paste", edit.paste),
    path("/<str:id>/mark", sending.mark),
    path("/<str:id>/decide", timeline.decide),
    path("/<str:id>/version", timeline.version),
    path("/<str:id>/keep", timeline.keep),
    *FRAME.addresses(
        {
            "": edit.edit,
            "look": look.look,
            "send": sending.send,
            "timeline": timeline.timeline,
            "preview": edit.preview,
        }
    ),
]
mark_compressible(urlpatterns)
