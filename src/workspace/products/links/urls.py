from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.links import pages

SLUG = r"(?P<slug>[^/.]{1,50})"
urlpatterns = [
    path("app/links", include("workspace.products.links.dashboard.urls")),
    re_path(r"^[lL]/themes/(?P<name>[a-z]{1,20})\.(?P<mark>[0-9a-f]{10})\.css$", pages.theme, name="links-theme"),
    re_path(rf"^[lL]/{SLUG}$", pages.page, name="links-page"),
    re_path(rf"^[lL]/{SLUG}\.(?P<form>svg|png)$", pages.code, name="links-code"),
    re_path(rf"^[lL]/{SLUG}/(?P<part>[a-z0-9_]{{1,40}})$", pages.click, name="links-click"),
]
