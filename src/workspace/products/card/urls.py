from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.card import exchange, mailing, pages
from workspace.products.card.models import Card
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    re_path(r"^[cC]/sw\.js$", pages.worker, name="card-worker"),
    *guest_addresses(
        Card,
        page=pages.page,
        code="card",
        face=pages.face_at,
        parts={
            r"\.vcf": pages.contact,
            "/exchange": exchange.exchange,
            "/mail": mailing.mail_me,
        },
    ),
]
