"""URLs of guest pages that belong to no product."""

from __future__ import annotations

from django.urls import path

from workspace.public_site import abuse_report_views, image_views, proof_of_work, verify_views

urlpatterns = [
    path("guest/challenge", proof_of_work.challenge_view, name="guest-challenge"),
    path("pictures/<str:id>/<int:width>", image_views.image, name="picture"),
    path("report/<str:kind>/<str:slug>", abuse_report_views.report, name="report"),
    path("verify", verify_views.verify, name="verify"),
]
