from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.qr.dashboard import bulk, edit, listing, look, making, sheet, trial
from workspace.products.qr.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.codes, name="qr-codes"),
    path("/new", making.new, name="qr-new"),
    path("/new/preview", making.preview),
    path("/bulk", bulk.bulk, name="qr-bulk"),
    path("/bulk/sample.csv", bulk.sample),
    path("/sheet", sheet.choose, name="qr-sheet"),
    path("/sheet.pdf", sheet.sheet_pdf),
    path("/looks/<str:id>", look.look),
    path("/looks/<str:id>/preview", look.preview),
    path("/looks/<str:id>/verdict", look.verdict),
    path("/looks/<str:id>/<slug:name>.svg", look.preset_picture),
    *FRAME.addresses({"": edit.edit, "look": look.look, "check": edit.check, "test": trial.trial}),
    path("/<str:id>/look/preview", look.preview),
    path("/<str:id>/look/verdict", look.verdict),
    path("/<str:id>/look/logo", look.logo),
    path("/<str:id>/look/<slug:name>.svg", look.preset_picture),
]
mark_compressible(urlpatterns)
