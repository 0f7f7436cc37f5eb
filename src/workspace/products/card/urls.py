from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.card.models import Card
from workspace.products.card.public import email_views, exchange_views, views
from workspace.public_site.guest_urls import guest_addresses

urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    re_path(r"^[cC]/sw\.js$", views.worker, name="card-worker"),
    *guest_addresses(
        Card,
        page=views.page,
        code="card",
        face=views.face_at,
        parts={
            r"\.vcf": views.contact,
            "/exchange": exchange_views.exchange,
            "/mail": email_views.mail_me,
        },
    ),
]
