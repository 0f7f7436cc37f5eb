from __future__ import annotations

from django.urls import path

from workspace.payments import views

urlpatterns = [
    path("hooks/<slug:name>/<slug:token>", views.event, name="payment_events"),
    path("pay/<str:id>/done", views.done, name="payment_done"),
    path("pay/<str:id>/left", views.left, name="payment_left"),
]
