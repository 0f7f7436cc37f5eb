"""The dashboard's own addresses. Products mount theirs beside them, under /app/."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard import bin, door, first_steps, form_pictures, home, jobs, landing, search, undo, views
from workspace.dashboard.compressible import mark_compressible

app_name = "dashboard"
urlpatterns = [
    path("", landing.landing, name="landing"),
    path("app", home.home, name="home"),
    path("app/act/<slug:kind>/<str:id>/<slug:name>", home.act, name="act"),
    path("app/door", door.door, name="door"),
    path("app/door/away", door.away, name="door_away"),
    path("app/door-worker.js", door.worker, name="door_worker"),
    path("app/door/counts", door.choose, name="door_choice"),
    path("app/door/<slug:kind>/<str:id>/<slug:name>", door.act, name="door_act"),
    path("app/first-steps", first_steps.put_away, name="first_steps"),
    path("app/search", search.search, name="search"),
    path("app/tools", views.tools, name="tools"),
    path("app/jobs/<str:id>", jobs.page, name="job"),
    path("app/jobs/<str:id>/progress", jobs.progress, name="job_progress"),
    path("app/jobs/<str:id>/stop", jobs.stop, name="job_stop"),
    path("app/bin", bin.bin, name="bin"),
    path("app/undo", undo.undo, name="undo"),
    path("app/understood/<slug:what>", views.understood, name="understood"),
    path("app/pictures", form_pictures.chosen, name="pictures"),
    path("app/switch", views.switch, name="switch"),
]
mark_compressible(urlpatterns)
