"""URLs of the outbox pages."""

from __future__ import annotations

from django.urls import path

from workspace.delivery.mail import outbox_views

urlpatterns = [
    path("outbox", outbox_views.outbox_list, name="outbox"),
    path("outbox/<str:id>", outbox_views.outbox_message, name="outbox_message"),
    path("outbox/<str:id>/html", outbox_views.outbox_html, name="outbox_html"),
    path("outbox/<str:id>/retry", outbox_views.outbox_retry, name="outbox_retry"),
]
