from __future__ import annotations

from django.urls import path, re_path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.links.dashboard import buttons, listing, look, page_file
from workspace.products.links.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.pages, name="links-pages"),
    path("/new", listing.new, name="links-new"),
    path("/import", page_file.bring, name="links-import"),
    path("/themes/<slug:name>.svg", look.theme_picture),
    path("/<str:id>/add/<slug:kind>", buttons.add),
    path("/<str:id>/order", buttons.order),
    path("/<str:id>/links/<str:link_id>", buttons.element),
    path("/<str:id>/links/<str:link_id>/remove", buttons.remove),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<way>up|down|first|last)$", buttons.move),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<to>on|off)$", buttons.switch),
    path("/<str:id>/preview", buttons.preview),
    path("/<str:id>/stats.csv", page_file.figures),
    path("/<str:id>/export.json", page_file.export),
    *FRAME.addresses({"": buttons.buttons, "look": look.look}),
]
mark_compressible(urlpatterns)
