from __future__ import annotations

from django.urls import path

from workspace.products.waiver.dashboard import kiosk, pages
from workspace.products.waiver.dashboard.frame import FRAME

urlpatterns = [
    path("", pages.waivers, name="waivers"),
    path("/new", pages.new, name="waiver-new"),
    *FRAME.addresses({"": pages.text, "rules": pages.rules, "kiosk": kiosk.kiosk, "signatures": pages.signatures}),
]
