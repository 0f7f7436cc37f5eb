"""Every address, on one screen."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("workspace.interfaces.sign_in.urls")),
    path("", include("workspace.interfaces.account_pages.urls")),
    path("", include("workspace.interfaces.oauth.urls")),
    path("api/v1/", include("workspace.interfaces.rest.urls")),
]
