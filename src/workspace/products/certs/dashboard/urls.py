"""URLs of the owners' pages of certificates."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.certs.dashboard import certificate_views, design_views, email_views, issue_views, list_views
from workspace.products.certs.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.templates, name="certs"),
    path("/new", design_views.new, name="certs-new"),
    path("/<str:id>/picture", design_views.preview_image, name="certs-picture"),
    path("/<str:id>/issued/<str:certificate>", certificate_views.show_certificate, name="certs-one"),
    path("/<str:id>/issued/<str:certificate>/turn", certificate_views.handle_action, name="certs-turn"),
    path("/<str:id>/letter/seen", email_views.preview, name="certs-letter-seen"),
    path("/<str:id>/letter/sample", email_views.send_sample, name="certs-letter-sample"),
    *build_item_urls(
        LAYOUT,
        {
            "": design_views.design,
            "issue": issue_views.issue,
            "issued": certificate_views.list_issued,
            "letter": email_views.email,
        },
    ),
]
mark_compressible(urlpatterns)
