"""URLs of forms: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.form.models import Form
from workspace.products.form.public import progress_count_views, resume_views, thank_you_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

urlpatterns = [
    path("app/form", include("workspace.products.form.dashboard.urls")),
    *guest_urlpatterns(
        Form,
        page=views.page,
        qr_file_name="form",
        preview=views.share_preview_at,
        embed_views={"": views.page, "/thanks": thank_you_views.thank_you},
        parts={
            "/embed/start": progress_count_views.record_progress,
            "/thanks": thank_you_views.thank_you,
            "/start": progress_count_views.record_progress,
            r"/later/(?P<token>[^/]+)": resume_views.resume,
        },
    ),
]
