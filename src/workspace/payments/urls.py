"""URLs of the payment providers' webhooks and of the return from a payment page."""

from __future__ import annotations

from django.urls import path

from workspace.payments import views

urlpatterns = [
    path("hooks/<slug:name>/<slug:token>", views.receive_event, name="payment_events"),
    path("pay/<str:id>/done", views.checkout_done, name="payment_done"),
    path("pay/<str:id>/cancelled", views.checkout_cancelled, name="payment_cancelled"),
]
