from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.waiver.dashboard import (
    checkin_views,
    invitation_views,
    kiosk_views,
    list_views,
    signature_views,
)
from workspace.products.waiver.dashboard.layout import FRAME

_ONE = "/<str:id>/signatures/<str:signature>"

urlpatterns = [
    path("", list_views.waivers, name="waivers"),
    path("/new", list_views.new, name="waiver-new"),
    path("/door", checkin_views.door, name="waiver-door"),
    path("/door/list", checkin_views.offline, name="waiver-door-list"),
    path("/<str:id>/preview", list_views.preview),
    path(_ONE, signature_views.person),
    path(f"{_ONE}/visit", signature_views.visit),
    path(f"{_ONE}/again", signature_views.again),
    *FRAME.addresses(
        {
            "": list_views.text,
            "rules": list_views.rules,
            "kiosk": kiosk_views.kiosk,
            "signatures": signature_views.signatures,
            "share/ask": invitation_views.ask,
        }
    ),
]
mark_compressible(urlpatterns)
