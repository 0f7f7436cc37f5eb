"""URLs of business cards: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.card.models import Card
from workspace.products.card.public import email_to_self_views, lead_form_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    re_path(r"^[cC]/sw\.js$", views.service_worker, name="card-worker"),
    *guest_urlpatterns(
        Card,
        page=views.page,
        qr_file_name="card",
        preview=views.share_preview_at,
        parts={
            r"\.vcf": views.download_contact,
            "/exchange": lead_form_views.lead_form,
            "/mail": email_to_self_views.email_card_form,
        },
    ),
]
