from __future__ import annotations

from django.urls import include, path

from workspace.products.form import beside, pages
from workspace.products.form.models import Form
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/form", include("workspace.products.form.dashboard.urls")),
    *guest_addresses(
        Form,
        page=pages.page,
        code="form",
        face=pages.face_at,
        framed={"": pages.page, "/thanks": beside.thanks},
        parts={
            "/embed/start": beside.started,
            "/thanks": beside.thanks,
            "/start": beside.started,
            r"/later/(?P<token>[^/]+)": beside.resume,
        },
    ),
]
