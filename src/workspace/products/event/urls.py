from __future__ import annotations

from django.urls import include, path

from workspace.products.event import pages
from workspace.products.event.models import Event
from workspace.publishing.guest_urls import guest_addresses

urlpatterns = [
    path("app/event", include("workspace.products.event.dashboard.urls")),
    *guest_addresses(Event, page=pages.page, code="program", face=pages.face_at),
]
