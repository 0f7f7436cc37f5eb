from __future__ import annotations

from django.urls import path

from workspace.products.reviews.dashboard import adding, inbox, item, listing, settings

urlpatterns = [
    path("", listing.pages, name="review-pages"),
    path("/new", listing.new),
    path("/<str:page_id>", inbox.inbox),
    path("/<str:page_id>/moderate", inbox.moderate),
    path("/<str:page_id>/share", settings.share),
    path("/<str:page_id>/widget", settings.widget),
    path("/<str:page_id>/figures", settings.figures),
    path("/<str:page_id>/settings", settings.settings),
    path("/<str:page_id>/pause", settings.pause),
    path("/<str:page_id>/resume", settings.resume),
    path("/<str:page_id>/delete", settings.delete),
    path("/<str:page_id>/add", adding.add),
    path("/<str:page_id>/import", adding.bring),
    path("/<str:page_id>/import/sample.csv", adding.sample),
    path("/<str:page_id>/items/<str:item_id>", item.item),
    path("/<str:page_id>/items/<str:item_id>/act", item.act),
    path("/<str:page_id>/items/<str:item_id>/reply", item.reply),
    path("/<str:page_id>/items/<str:item_id>/edit", item.edit),
    path("/<str:page_id>/items/<str:item_id>/consent", item.consent),
    path("/<str:page_id>/items/<str:item_id>/delete", item.delete),
    path("/<str:page_id>/items/<str:item_id>/erase", item.erase),
]
