from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.card import guest_forms, pages

SLUG = r"(?P<slug>[^/+.]{1,50})"
# in either case: a symbol holds its address in upper case
urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    re_path(r"^[cC]/sw\.js$", pages.worker, name="card-worker"),
    re_path(rf"^[cC]/{SLUG}$", pages.page, name="card-page"),
    re_path(rf"^[cC]/{SLUG}\.vcf$", pages.contact, name="card-contact"),
    re_path(rf"^[cC]/{SLUG}\.(?P<form>svg|png)$", pages.code, name="card-code"),
    re_path(rf"^[cC]/{SLUG}/theme-(?P<version>[0-9]{{1,9}})\.css$", pages.theme, name="card-theme"),
    re_path(rf"^[cC]/{SLUG}/exchange$", guest_forms.exchange, name="card-exchange"),
    re_path(rf"^[cC]/{SLUG}/mail$", guest_forms.mail_me, name="card-mail"),
]
