"""URLs of the owners' pages of reviews."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.reviews.dashboard import edit_views, import_views, inbox_views, list_views, testimonial_views
from workspace.products.reviews.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.list_pages, name="review-pages"),
    path("/new", list_views.new),
    *build_item_urls(LAYOUT, {"": edit_views.edit, "look": edit_views.design, "items": inbox_views.inbox}),
    path("/<str:id>/items/moderate", inbox_views.moderate_testimonials),
    path("/<str:id>/items/add", import_views.add_testimonial),
    path("/<str:id>/items/import", import_views.import_testimonials),
    path("/<str:id>/items/import/sample.csv", import_views.download_sample),
    path("/<str:id>/items/<str:item_id>", testimonial_views.show_testimonial),
    path("/<str:id>/items/<str:item_id>/act", testimonial_views.decide),
    path("/<str:id>/items/<str:item_id>/reply", testimonial_views.reply),
    path("/<str:id>/items/<str:item_id>/edit", testimonial_views.edit),
    path("/<str:id>/items/<str:item_id>/consent", testimonial_views.set_consent),
    path("/<str:id>/items/<str:item_id>/delete", testimonial_views.delete),
    path("/<str:id>/items/<str:item_id>/erase", testimonial_views.erase_testimonial),
]
mark_compressible(urlpatterns)
