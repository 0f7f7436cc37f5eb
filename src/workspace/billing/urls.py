from __future__ import annotations

from django.urls import path

from workspace.billing import invite_page, views

urlpatterns = [
    path("hooks/stripe", views.event, name="billing_events"),
    path("i/<str:code>", invite_page.page, name="invitation"),
]
