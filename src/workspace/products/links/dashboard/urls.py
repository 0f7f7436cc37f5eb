"""URLs of the owners' pages of link pages."""

from __future__ import annotations

from django.urls import path, re_path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.links.dashboard import design_views, element_views, import_export_views, list_views
from workspace.products.links.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.pages, name="links-pages"),
    path("/new", list_views.new, name="links-new"),
    path("/import", import_export_views.import_page, name="links-import"),
    path("/themes/<slug:name>.svg", design_views.theme_image),
    path("/<str:id>/add/<slug:kind>", element_views.add),
    path("/<str:id>/order", element_views.reorder),
    path("/<str:id>/links/<str:link_id>", element_views.edit_element),
    path("/<str:id>/links/<str:link_id>/remove", element_views.remove),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<direction>up|down|first|last)$", element_views.move),
    re_path(r"^/(?P<id>[^/]+)/links/(?P<link_id>[^/]+)/(?P<new_state>on|off)$", element_views.switch_element),
    path("/<str:id>/preview", element_views.preview),
    path("/<str:id>/stats.csv", import_export_views.export_stats),
    path("/<str:id>/export.json", import_export_views.export),
    *build_item_urls(LAYOUT, {"": element_views.edit, "look": design_views.design}),
]
mark_compressible(urlpatterns)
