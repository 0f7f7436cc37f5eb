from __future__ import annotations

from django.urls import path

from workspace.products.qr.dashboard import bulk, code, files, listing, look, printing, settings, trial

urlpatterns = [
    path("", listing.codes, name="qr-codes"),
    path("/new", listing.new, name="qr-new"),
    path("/bulk", bulk.bulk, name="qr-bulk"),
    path("/bulk/sample.csv", bulk.sample),
    path("/sheet", printing.choose, name="qr-sheet"),
    path("/sheet.pdf", printing.sheet_pdf),
    path("/<str:id>", code.code, name="qr-code"),
    path("/<str:id>/code.png", files.picture, {"form": "png"}),
    path("/<str:id>/code.svg", files.picture, {"form": "svg"}),
    path("/<str:id>/pause", code.pause),
    path("/<str:id>/resume", code.resume),
    path("/<str:id>/check", code.check),
    path("/<str:id>/test", trial.trial),
    path("/<str:id>/scans", code.scans),
    path("/<str:id>/print", printing.printing),
    path("/<str:id>/poster.pdf", printing.poster_pdf),
    path("/<str:id>/look", look.look),
    path("/<str:id>/look/preview", look.preview),
    path("/<str:id>/look/verdict", look.verdict),
    path("/<str:id>/look/logo", look.logo),
    path("/<str:id>/look/<slug:name>.svg", look.preset_picture),
    path("/<str:id>/settings", settings.settings),
    path("/<str:id>/password/remove", settings.remove_password),
    path("/<str:id>/delete", settings.delete),
]
