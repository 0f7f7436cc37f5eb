"""URLs of the dashboard. Products add theirs under /app/."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard import (
    account_views,
    bin_views,
    checkin_views,
    form_images,
    home_views,
    job_views,
    landing_views,
    onboarding,
    own_page_views,
    search_views,
    undo_views,
)
from workspace.dashboard.compressible_pages import mark_compressible

app_name = "dashboard"
urlpatterns = [
    path("", landing_views.landing, name="landing"),
    path("app", home_views.home, name="home"),
    path("app/act/<slug:kind>/<str:id>/<slug:name>", home_views.handle_action, name="act"),
    path("app/check-in", checkin_views.checkin, name="checkin"),
    path("app/check-in/offline", checkin_views.offline, name="checkin_offline"),
    path("app/check-in-worker.js", checkin_views.service_worker, name="checkin_worker"),
    path("app/check-in/products", checkin_views.choose_shown_products, name="checkin_products"),
    path("app/check-in/<slug:kind>/<str:id>/<slug:name>", checkin_views.handle_action, name="checkin_action"),
    path("app/onboarding", onboarding.set_dismissed, name="onboarding"),
    path("app/search", search_views.search, name="search"),
    path("app/tools", account_views.tools, name="tools"),
    path("app/jobs/<str:id>", job_views.job, name="job"),
    path("app/jobs/<str:id>/progress", job_views.progress, name="job_progress"),
    path("app/jobs/<str:id>/stop", job_views.stop, name="job_stop"),
    path("app/bin", bin_views.bin, name="bin"),
    path("app/undo", undo_views.undo, name="undo"),
    path("app/parse-number/<slug:noun>", account_views.interpret_number, name="parse_number"),
    path("app/own-pages", own_page_views.list_choices, name="own_pages"),
    path("app/pictures", form_images.render_selected_image, name="selected_image"),
    path("app/switch", account_views.switch_account, name="switch"),
]
mark_compressible(urlpatterns)
