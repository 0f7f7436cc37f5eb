from __future__ import annotations

from django.urls import include, path

from workspace.products.bid import beside, pages
from workspace.products.bid.models import Proposal
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/bid", include("workspace.products.bid.dashboard.urls")),
    *guest_addresses(
        Proposal,
        page=pages.page,
        code="proposal",
        parts={
            "/sum": pages.sums,
            "/approve": pages.approve,
            "/decline": pages.decline,
            "/ask": pages.ask,
            "/code": pages.send_code,
            "/pay": pages.pay,
            "/seen": beside.seen,
            "/quiet": beside.quiet,
            r"\.pdf": beside.copy,
        },
    ),
]
