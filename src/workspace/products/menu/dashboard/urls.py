from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.menu.dashboard import bringing, editor, items, listing, look, sections
from workspace.products.menu.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.menus, name="menus"),
    path("/new", listing.new, name="menu-new"),
    path("/bring", bringing.bring_new),
    path("/<str:id>/bring", bringing.bring),
    path("/<str:id>/preview", editor.preview),  # in place of the frame's
    *FRAME.addresses({"": editor.menu, "look": look.look}),
    path("/<str:id>/order", editor.order),
    path("/<str:id>/check", editor.check),
    path("/<str:id>/sections", editor.add_section),
    path("/<str:id>/sections/<str:section>", sections.section),
    path("/<str:id>/sections/<str:section>/new", items.new),
    path("/<str:id>/sections/<str:section>/move", editor.move_section),
    path("/<str:id>/sections/<str:section>/delete", sections.delete),
    path("/<str:id>/items/<str:item>", items.item),
    path("/<str:id>/items/<str:item>/row", editor.row),
    path("/<str:id>/items/<str:item>/switch", editor.switch),
    path("/<str:id>/items/<str:item>/move", editor.move_item),
    path("/<str:id>/items/<str:item>/delete", items.delete),
]
mark_compressible(urlpatterns)
