from __future__ import annotations

from django.urls import path

from workspace.publishing import pictures, reports, verify_page, work

urlpatterns = [
    path("guests/work", work.give, name="guest-work"),
    path("pictures/<str:id>/<int:width>", pictures.picture, name="picture"),
    path("report/<str:kind>/<str:slug>", reports.report, name="report"),
    path("verify", verify_page.verify, name="verify"),
]
