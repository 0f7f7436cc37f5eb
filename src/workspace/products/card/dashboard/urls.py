from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.card.dashboard import design_views, edit_views, lead_views, list_views
from workspace.products.card.dashboard.layout import FRAME

urlpatterns = [
    path("", list_views.cards, name="cards"),
    path("/new", list_views.new, name="card-new"),
    *FRAME.addresses({"": edit_views.edit, "look": design_views.look, "leads": lead_views.leads}),
    path("/<str:id>/leads/<str:lead>/remove", lead_views.remove),
    path("/<str:id>/leads/<str:lead>/erase", lead_views.erase),
]
mark_compressible(urlpatterns)
