from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.certs.dashboard import design, issue, issued, letter, pages
from workspace.products.certs.dashboard.frame import FRAME

urlpatterns = [
    path("", pages.templates, name="certs"),
    path("/new", design.new, name="certs-new"),
    path("/<str:id>/picture", design.picture, name="certs-picture"),
    path("/<str:id>/issued/<str:certificate>", issued.one, name="certs-one"),
    path("/<str:id>/issued/<str:certificate>/turn", issued.turn, name="certs-turn"),
    path("/<str:id>/letter/seen", letter.seen, name="certs-letter-seen"),
    path("/<str:id>/letter/sample", letter.sample, name="certs-letter-sample"),
    *FRAME.addresses({"": design.design, "issue": issue.issue, "issued": issued.issued, "letter": letter.letter}),
]
mark_compressible(urlpatterns)
