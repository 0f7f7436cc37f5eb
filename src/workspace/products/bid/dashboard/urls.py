from __future__ import annotations

from django.urls import path

from workspace.products.bid.dashboard import edit, listing
from workspace.products.bid.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.bids, name="bids"),
    path("/new", listing.new, name="bid-new"),
    *FRAME.addresses({"": edit.edit}),
]
