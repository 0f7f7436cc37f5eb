from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.card.dashboard import edit, leads, listing, look
from workspace.products.card.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.cards, name="cards"),
    path("/new", listing.new, name="card-new"),
    *FRAME.addresses({"": edit.edit, "look": look.look, "leads": leads.leads}),
    path("/<str:id>/leads/<str:lead>/remove", leads.remove),
    path("/<str:id>/leads/<str:lead>/erase", leads.erase),
]
mark_compressible(urlpatterns)
