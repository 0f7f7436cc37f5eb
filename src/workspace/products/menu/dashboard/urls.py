from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.menu.dashboard import (
    design_views,
    editor_views,
    import_views,
    item_views,
    list_views,
    section_views,
)
from workspace.products.menu.dashboard.layout import FRAME

urlpatterns = [
    path("", list_views.menus, name="menus"),
    path("/new", list_views.new, name="menu-new"),
    path("/bring", import_views.bring_new),
    path("/<str:id>/bring", import_views.bring),
    path("/<str:id>/preview", editor_views.preview),  # in place of the frame's
    *FRAME.addresses({"": editor_views.menu, "look": design_views.look}),
    path("/<str:id>/order", editor_views.order),
    path("/<str:id>/check", editor_views.check),
    path("/<str:id>/sections", editor_views.add_section),
    path("/<str:id>/sections/<str:section>", section_views.section),
    path("/<str:id>/sections/<str:section>/new", item_views.new),
    path("/<str:id>/sections/<str:section>/move", editor_views.move_section),
    path("/<str:id>/sections/<str:section>/delete", section_views.delete),
    path("/<str:id>/items/<str:item>", item_views.item),
    path("/<str:id>/items/<str:item>/row", editor_views.row),
    path("/<str:id>/items/<str:item>/switch", editor_views.switch),
    path("/<str:id>/items/<str:item>/move", editor_views.move_item),
    path("/<str:id>/items/<str:item>/delete", item_views.delete),
]
mark_compressible(urlpatterns)
