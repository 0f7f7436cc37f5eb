from __future__ import annotations

from django.urls import path, re_path

from workspace.products.links.dashboard import buttons, figures, listing, look, page_file, preview, settings

urlpatterns = [
    path("", listing.pages, name="links-pages"),
    path("/new", listing.new, name="links-new"),
    path("/import", page_file.bring, name="links-import"),
    path("/themes/<slug:name>.svg", look.theme_picture),
    path("/<str:id>", buttons.buttons, name="links-buttons"),
    path("/<str:id>/add/<slug:kind>", buttons.add),
    path("/<str:id>/order", buttons.order),
    path("/<str:id>/links/<str:link_id>", buttons.element),
    path("/<str:id>/links/<str:link_id>/remove", buttons.remove),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<way>up|down)$", buttons.move),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<to>on|off)$", buttons.switch),
    path("/<str:id>/preview", preview.preview),
    path("/<str:id>/look", look.look),
    path("/<str:id>/figures", figures.figures),
    path("/<str:id>/stats.csv", figures.save),
    path("/<str:id>/settings", settings.settings),
    path("/<str:id>/password/remove", settings.open_to_all),
    path("/<str:id>/pause", settings.pause),
    path("/<str:id>/resume", settings.resume),
    path("/<str:id>/export.json", page_file.export),
    path("/<str:id>/delete", settings.delete),
]
