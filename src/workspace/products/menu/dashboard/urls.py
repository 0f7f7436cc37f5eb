from __future__ import annotations

from django.urls import path

from workspace.products.menu.dashboard import editor, figures, items, listing, sections, settings

urlpatterns = [
    path("", listing.menus, name="menus"),
    path("/new", listing.new, name="menu-new"),
    path("/<str:id>", editor.menu, name="menu-editor"),
    path("/<str:id>/live", editor.live),
    path("/<str:id>/order", editor.order),
    path("/<str:id>/check", editor.check),
    path("/<str:id>/share", figures.share),
    path("/<str:id>/views", figures.views),
    path("/<str:id>/settings", settings.settings),
    path("/<str:id>/password/remove", settings.remove_password),
    path("/<str:id>/delete", settings.delete),
    path("/<str:id>/sections", editor.add_section),
    path("/<str:id>/sections/<str:section>", sections.section),
    path("/<str:id>/sections/<str:section>/new", items.new),
    path("/<str:id>/sections/<str:section>/move", editor.move_section),
    path("/<str:id>/sections/<str:section>/delete", sections.delete),
    path("/<str:id>/items/<str:item>", items.item),
    path("/<str:id>/items/<str:item>/switch", editor.switch),
    path("/<str:id>/items/<str:item>/move", editor.move_item),
    path("/<str:id>/items/<str:item>/delete", items.delete),
]
