"""The dashboard's own addresses. Products mount theirs beside them, under /app/."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard import bin, jobs, undo, views

app_name = "dashboard"
urlpatterns = [
    path("", views.landing, name="landing"),
    path("app", views.home, name="home"),
    path("app/jobs/<str:id>", jobs.page, name="job"),
    path("app/jobs/<str:id>/progress", jobs.progress, name="job_progress"),
    path("app/jobs/<str:id>/stop", jobs.stop, name="job_stop"),
    path("app/bin", bin.bin, name="bin"),
    path("app/undo", undo.undo, name="undo"),
    path("app/understood/<slug:what>", views.understood, name="understood"),
    path("app/switch", views.switch, name="switch"),
]
