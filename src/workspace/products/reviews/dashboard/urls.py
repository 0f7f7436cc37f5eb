from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible import mark_compressible
from workspace.products.reviews.dashboard import adding, editing, inbox, item, listing
from workspace.products.reviews.dashboard.frame import FRAME

urlpatterns = [
    path("", listing.pages, name="review-pages"),
    path("/new", listing.new),
    *FRAME.addresses({"": editing.edit, "look": editing.look, "items": inbox.inbox}),
    path("/<str:id>/items/moderate", inbox.moderate),
    path("/<str:id>/items/add", adding.add),
    path("/<str:id>/items/import", adding.bring),
    path("/<str:id>/items/import/sample.csv", adding.sample),
    path("/<str:id>/items/<str:item_id>", item.item),
    path("/<str:id>/items/<str:item_id>/act", item.act),
    path("/<str:id>/items/<str:item_id>/reply", item.reply),
    path("/<str:id>/items/<str:item_id>/edit", item.edit),
    path("/<str:id>/items/<str:item_id>/consent", item.consent),
    path("/<str:id>/items/<str:item_id>/delete", item.delete),
    path("/<str:id>/items/<str:item_id>/erase", item.erase),
]
mark_compressible(urlpatterns)
