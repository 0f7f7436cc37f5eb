from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.certs import badge_pages, pages
from workspace.products.certs.models import Template
from workspace.publishing.guest_urls import guest_addresses

# sixteen characters, however they are parted; what is longer may be the address of a template
CODE = r"(?P<code>[-0-9A-Za-z ]{16,50})"

urlpatterns = [
    path("app/certs", include("workspace.products.certs.dashboard.urls")),
    re_path(r"^[vV]/$", pages.ask, name="cert-ask"),
    re_path(rf"^[vV]/{CODE}$", pages.certificate, name="cert-certificate"),
    re_path(rf"^[vV]/{CODE}\.(?P<form>pdf|json|png)$", pages.certificate, name="cert-paper"),
    re_path(rf"^[vV]/{CODE}/credential$", pages.certificate, {"form": "json"}, name="cert-credential"),
    path("issuers/<str:id>/did.json", badge_pages.issuer, name="cert-issuer"),
    path("status/<int:number>", badge_pages.status_list, name="cert-status"),
    path("a/<str:id>", badge_pages.achievement, name="cert-achievement"),
    *guest_addresses(Template, page=pages.page, code="certificate", face=pages.face_at),
]
