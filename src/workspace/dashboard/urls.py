"""The dashboard's own addresses. Products mount theirs beside them, under /app/."""

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
    search_views,
    undo_views,
)
from workspace.dashboard.compressible import mark_compressible

app_name = "dashboard"
urlpatterns = [
    path("", landing_views.landing, name="landing"),
    path("app", home_views.home, name="home"),
    path("app/act/<slug:kind>/<str:id>/<slug:name>", home_views.handle_action, name="act"),
    path("app/door", checkin_views.checkin, name="door"),
    path("app/door/away", checkin_views.offline, name="door_away"),
    path("app/door-worker.js", checkin_views.service_worker, name="door_worker"),
    path("app/door/counts", checkin_views.choose_products, name="door_choice"),
    path("app/door/<slug:kind>/<str:id>/<slug:name>", checkin_views.handle_action, name="door_act"),
    path("app/first-steps", onboarding.dismiss, name="first_steps"),
    path("app/search", search_views.search, name="search"),
    path("app/tools", account_views.tools, name="tools"),
    path("app/jobs/<str:id>", job_views.job, name="job"),
    path("app/jobs/<str:id>/progress", job_views.progress, name="job_progress"),
    path("app/jobs/<str:id>/stop", job_views.stop, name="job_stop"),
    path("app/bin", bin_views.bin, name="bin"),
    path("app/undo", undo_views.undo, name="undo"),
    path("app/understood/<slug:what>", account_views.interpret_number, name="understood"),
    path("app/pictures", form_images.selected_image, name="pictures"),
    path("app/switch", account_views.switch_account, name="switch"),
]
mark_compressible(urlpatterns)
