"""The dashboard's own addresses. Products mount theirs beside them, under /app/."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard import views

app_name = "dashboard"
urlpatterns = [
    path("", views.landing, name="landing"),
    path("app", views.home, name="home"),
    path("app/switch", views.switch, name="switch"),
]
