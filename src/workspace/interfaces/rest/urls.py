from __future__ import annotations

from django.urls import path, re_path

from workspace.interfaces.rest import upload, views

urlpatterns = [
    path("tools", views.tools),
    path("openapi.json", views.openapi),
    path("call", views.call),
    path("upload", upload.upload),
    re_path(r"^.*$", views.run),
]
