from __future__ import annotations

from django.urls import include, path

from workspace.products.reviews import confirming, pages, wall
from workspace.products.reviews.models import ReviewPage
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/reviews", include("workspace.products.reviews.dashboard.urls")),
    *guest_addresses(
        ReviewPage,
        page=pages.collect,
        code="reviews",
        face=pages.face_at,
        parts={"/thanks": pages.thanks, "/wall": wall.wall},
        standing={"/confirm/(?P<token>[^/]+)": confirming.confirm},
        framed={"": wall.embed},
        frame_policy=wall.frame_policy,
    ),
]
