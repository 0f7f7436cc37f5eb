"""URLs of proposals: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.bid.models import Proposal
from workspace.products.bid.public import event_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/bid", include("workspace.products.bid.dashboard.urls")),
    *guest_urlpatterns(
        Proposal,
        page=views.page,
        qr_file_name="proposal",
        parts={
            "/sum": views.recalculate,
            "/approve": views.approve,
            "/decline": views.decline,
            "/ask": views.ask_question,
            "/code": views.send_code,
            "/pay": views.pay_deposit,
            "/seen": event_views.record_view,
            "/quiet": event_views.unsubscribe_from_reminders,
            r"\.pdf": event_views.download_signed_copy,
        },
    ),
]
