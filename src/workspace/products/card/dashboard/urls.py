from __future__ import annotations

from django.urls import path

from workspace.products.card.dashboard import details, leads, listing, look, overview, settings

urlpatterns = [
    path("", listing.cards, name="cards"),
    path("/new", listing.new, name="card-new"),
    path("/<str:id>", overview.card, name="card"),
    path("/<str:id>/details", details.details),
    path("/<str:id>/look", look.look),
    path("/<str:id>/look/preview", look.preview),
    path("/<str:id>/leads", leads.leads),
    path("/<str:id>/leads/<str:lead>/remove", leads.remove),
    path("/<str:id>/leads/<str:lead>/erase", leads.erase),
    path("/<str:id>/figures", overview.figures),
    path("/<str:id>/settings", settings.settings),
    path("/<str:id>/password/remove", settings.unlock),
    path("/<str:id>/pause", settings.pause),
    path("/<str:id>/resume", settings.resume),
    path("/<str:id>/delete", settings.delete),
]
