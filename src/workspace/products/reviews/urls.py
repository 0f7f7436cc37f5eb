"""URLs of reviews: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.reviews.models import ReviewPage
from workspace.products.reviews.public import confirmation_views, views, wall_views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/reviews", include("workspace.products.reviews.dashboard.urls")),
    *guest_urlpatterns(
        ReviewPage,
        page=views.collect,
        qr_file_name="reviews",
        preview=views.share_preview_at,
        parts={"/thanks": views.thanks, "/wall": wall_views.wall},
        always_available={"/confirm/(?P<token>[^/]+)": confirmation_views.confirm_email},
        embed_views={"": wall_views.embed},
        frame_policy=wall_views.build_frame_policy,
    ),
]
