from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.certs.dashboard import certificate_views, design_views, email_views, issue_views, list_views
from workspace.products.certs.dashboard.layout import FRAME

urlpatterns = [
    path("", list_views.templates, name="certs"),
    path("/new", design_views.new, name="certs-new"),
    path("/<str:id>/picture", design_views.picture, name="certs-picture"),
    path("/<str:id>/issued/<str:certificate>", certificate_views.one, name="certs-one"),
    path("/<str:id>/issued/<str:certificate>/turn", certificate_views.turn, name="certs-turn"),
    path("/<str:id>/letter/seen", email_views.seen, name="certs-letter-seen"),
    path("/<str:id>/letter/sample", email_views.sample, name="certs-letter-sample"),
    *FRAME.addresses(
        {
            "": design_views.design,
            "issue": issue_views.issue,
            "issued": certificate_views.issued,
            "letter": email_views.letter,
        }
    ),
]
mark_compressible(urlpatterns)
