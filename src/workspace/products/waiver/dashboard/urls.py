from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.waiver.dashboard import asking, door, kiosk, pages, signatures
from workspace.products.waiver.dashboard.frame import FRAME

_ONE = "/<str:id>/signatures/<str:signature>"

urlpatterns = [
    path("", pages.waivers, name="waivers"),
    path("/new", pages.new, name="waiver-new"),
    path("/door", door.door, name="waiver-door"),
    path("/door/list", door.offline, name="waiver-door-list"),
    path("/<str:id>/preview", pages.preview),
    path(_ONE, signatures.person),
    path(f"{_ONE}/visit", signatures.visit),
    path(f"{_ONE}/again", signatures.again),
    *FRAME.addresses(
        {
            "": pages.text,
            "rules": pages.rules,
            "kiosk": kiosk.kiosk,
            "signatures": signatures.signatures,
            "share/ask": asking.ask,
        }
    ),
]
mark_compressible(urlpatterns)
