from __future__ import annotations

from django.urls import path, re_path

from workspace.interfaces.rest import views

urlpatterns = [
    path("tools", views.tools),
    path("openapi.json", views.openapi),
    path("call", views.call),
    re_path(r"^.*$", views.run),
]
