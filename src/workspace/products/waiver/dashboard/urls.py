"""URLs of the owners' pages of waivers."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.waiver.dashboard import (
    checkin_views,
    edit_views,
    invitation_views,
    kiosk_views,
    list_views,
    signature_views,
)
from workspace.products.waiver.dashboard.item_layout import LAYOUT

_SIGNATURE_PATH = "/<str:id>/signatures/<str:signature>"

urlpatterns = [
    path("", list_views.list_waivers, name="waivers"),
    path("/new", list_views.new, name="waiver-new"),
    path("/door", checkin_views.checkin, name="waiver-door"),
    path("/door/list", checkin_views.offline_list, name="waiver-door-list"),
    path("/<str:id>/preview", edit_views.preview),
    path(_SIGNATURE_PATH, signature_views.show_person),
    path(f"{_SIGNATURE_PATH}/visit", signature_views.record_visit),
    path(f"{_SIGNATURE_PATH}/again", signature_views.resend_invitation),
    *build_item_urls(
        LAYOUT,
        {
            "": edit_views.edit_text,
            "rules": edit_views.edit_rules,
            "kiosk": kiosk_views.edit_kiosk,
            "signatures": signature_views.list_signatures,
            "share/ask": invitation_views.invite_people,
        },
    ),
]
mark_compressible(urlpatterns)
