"""The service's addresses with those of booking pages, until these are listed."""

from __future__ import annotations

from django.urls import include, path

from workspace.products.booking.urls import urlpatterns as booking

urlpatterns = [*booking, path("", include("workspace.urls"))]
