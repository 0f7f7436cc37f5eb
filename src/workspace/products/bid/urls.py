from __future__ import annotations

from django.urls import include, path

from workspace.products.bid import pages
from workspace.products.bid.models import Proposal
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/bid", include("workspace.products.bid.dashboard.urls")),
    *guest_addresses(Proposal, page=pages.page, code="proposal"),
]
