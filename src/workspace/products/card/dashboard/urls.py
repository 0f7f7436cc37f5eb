"""URLs of the owners' pages of business cards."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.card.dashboard import design_views, edit_views, import_views, lead_views, list_views
from workspace.products.card.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.cards, name="cards"),
    path("/new", list_views.new, name="card-new"),
    path("/import", import_views.import_cards, name="card-import"),
    *build_item_urls(LAYOUT, {"": edit_views.edit, "look": design_views.design, "leads": lead_views.leads}),
    path("/<str:id>/leads/<str:lead>/remove", lead_views.remove_lead),
    path("/<str:id>/leads/<str:lead>/erase", lead_views.erase_lead),
]
mark_compressible(urlpatterns)
