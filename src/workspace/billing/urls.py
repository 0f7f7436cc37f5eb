"""URLs of the billing provider's webhook and of invitations."""

from __future__ import annotations

from django.urls import path

from workspace.billing import invite_views, webhook_views

urlpatterns = [
    path("hooks/stripe", webhook_views.receive_event, name="billing_events"),
    path("i/<str:code>", invite_views.invitation, name="invitation"),
]
