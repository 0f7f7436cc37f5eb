"""URLs of the owners' pages of menus."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.menu.dashboard import (
    design_views,
    editor_views,
    import_views,
    item_views,
    list_views,
    section_views,
)
from workspace.products.menu.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.menus, name="menus"),
    path("/new", list_views.new, name="menu-new"),
    path("/bring", import_views.import_new_menu),
    path("/<str:id>/bring", import_views.import_menu),
    path("/<str:id>/preview", editor_views.preview),  # replaces the preview of the layout
    *build_item_urls(LAYOUT, {"": editor_views.edit, "look": design_views.design}),
    path("/<str:id>/order", editor_views.reorder),
    path("/<str:id>/check", editor_views.confirm_allergens),
    path("/<str:id>/sections", editor_views.add_section),
    path("/<str:id>/sections/<str:section>", section_views.edit),
    path("/<str:id>/sections/<str:section>/new", item_views.new),
    path("/<str:id>/sections/<str:section>/move", editor_views.move_section),
    path("/<str:id>/sections/<str:section>/delete", section_views.delete),
    path("/<str:id>/items/<str:item>", item_views.edit),
    path("/<str:id>/items/<str:item>/switch", editor_views.switch_sold_out),
    path("/<str:id>/items/<str:item>/move", editor_views.move_item),
    path("/<str:id>/items/<str:item>/delete", item_views.delete),
]
mark_compressible(urlpatterns)
