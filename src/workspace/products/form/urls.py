from __future__ import annotations

from django.urls import include, path

from workspace.products.form.models import Form
from workspace.products.form.public import thank_you_views, views
from workspace.public_site.guest_urls import guest_addresses

urlpatterns = [
    path("app/form", include("workspace.products.form.dashboard.urls")),
    *guest_addresses(
        Form,
        page=views.page,
        code="form",
        face=views.face_at,
        framed={"": views.page, "/thanks": thank_you_views.thanks},
        parts={
            "/embed/start": thank_you_views.started,
            "/thanks": thank_you_views.thanks,
            "/start": thank_you_views.started,
            r"/later/(?P<token>[^/]+)": thank_you_views.resume,
        },
    ),
]
