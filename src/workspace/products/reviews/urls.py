from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.reviews import confirming, pages, wall

SLUG = r"(?P<slug>[^/+.]{1,50})"
urlpatterns = [
    path("app/reviews", include("workspace.products.reviews.dashboard.urls")),
    re_path(rf"^[rR]/{SLUG}$", pages.collect, name="review-collect"),
    re_path(rf"^[rR]/{SLUG}\.(?P<form>svg|png)$", pages.picture, name="review-picture"),
    path("r/<str:slug>/thanks", pages.thanks, name="review-thanks"),
    path("r/<str:slug>/wall", wall.wall, name="review-wall"),
    path("r/<str:slug>/embed", wall.embed, name="review-embed"),
    path("r/<str:slug>/widget.js", wall.widget, name="review-widget"),
    path("r/<str:slug>/confirm/<str:token>", confirming.confirm, name="review-confirm"),
]
