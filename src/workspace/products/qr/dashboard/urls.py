"""URLs of the owners' pages of QR codes."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.qr.dashboard import (
    bulk_views,
    create_views,
    edit_views,
    list_views,
    print_sheet_views,
    style_views,
    trial_scan_views,
)
from workspace.products.qr.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.list_codes, name="qr-codes"),
    path("/new", create_views.new, name="qr-new"),
    path("/new/preview", create_views.preview),
    path("/bulk", bulk_views.import_codes, name="qr-bulk"),
    path("/bulk/sample.csv", bulk_views.download_sample),
    path("/sheet", print_sheet_views.choose_codes, name="qr-sheet"),
    path("/sheet.pdf", print_sheet_views.sheet_pdf),
    path("/styles/<str:id>", style_views.design),
    path("/styles/<str:id>/preview", style_views.preview),
    path("/styles/<str:id>/verdict", style_views.verdict),
    path("/styles/<str:id>/<slug:name>.svg", style_views.preset_image),
    *build_item_urls(
        LAYOUT,
        {"": edit_views.edit, "look": style_views.design, "check": edit_views.check, "test": trial_scan_views.trial},
    ),
    path("/<str:id>/look/preview", style_views.preview),
    path("/<str:id>/look/verdict", style_views.verdict),
    path("/<str:id>/look/logo", style_views.upload_logo),
    path("/<str:id>/look/<slug:name>.svg", style_views.preset_image),
]
mark_compressible(urlpatterns)
