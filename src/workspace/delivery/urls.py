from __future__ import annotations

from django.urls import path

from workspace.delivery import pages

urlpatterns = [
    path("outbox", pages.outbox_list, name="outbox"),
    path("outbox/<str:id>", pages.outbox_message, name="outbox_message"),
    path("outbox/<str:id>/html", pages.outbox_html, name="outbox_html"),
    path("outbox/<str:id>/retry", pages.outbox_retry, name="outbox_retry"),
]
