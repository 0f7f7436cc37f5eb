from __future__ import annotations

from django.urls import path

from workspace.products.certs.dashboard import pages
from workspace.products.certs.dashboard.frame import FRAME

urlpatterns = [
    path("", pages.templates, name="certs"),
    path("/new", pages.new, name="certs-new"),
    path("/<str:id>/picture", pages.picture, name="certs-picture"),
    path("/<str:id>/turn", pages.turn, name="certs-turn"),
    *FRAME.addresses({"": pages.design, "issue": pages.issue, "issued": pages.issued}),
]
