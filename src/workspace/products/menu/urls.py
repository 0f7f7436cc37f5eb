from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.menu import pages

SLUG = r"(?P<slug>[^/+.]{1,50})"
urlpatterns = [
    path("app/menu", include("workspace.products.menu.dashboard.urls")),
    re_path(rf"^[mM]/{SLUG}$", pages.menu, name="menu"),
    re_path(rf"^[mM]/{SLUG}/print$", pages.sheet, name="menu-sheet"),
    re_path(rf"^[mM]/{SLUG}\.(?P<form>svg|png)$", pages.picture, name="menu-picture"),
]
