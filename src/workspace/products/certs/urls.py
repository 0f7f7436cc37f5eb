"""URLs of certificates: the dashboard and guest pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from workspace.products.certs.models import Template
from workspace.products.certs.public import badge_views, views
from workspace.public_site.guest_urls import guest_urlpatterns

# sixteen characters with any separators; a longer match may be the slug of a template
CODE_PATTERN = r"(?P<code>[-0-9A-Za-z ]{16,50})"

urlpatterns = [
    path("app/certs", include("workspace.products.certs.dashboard.urls")),
    re_path(r"^[vV]/$", views.ask_for_code, name="cert-ask"),
    re_path(rf"^[vV]/{CODE_PATTERN}$", views.certificate, name="cert-certificate"),
    re_path(rf"^[vV]/{CODE_PATTERN}\.(?P<form>pdf|json|png)$", views.certificate, name="cert-paper"),
    re_path(rf"^[vV]/{CODE_PATTERN}/credential$", views.certificate, {"form": "json"}, name="cert-credential"),
    path("issuers/<str:id>/did.json", badge_views.did_document, name="cert-issuer"),
    path("status/<int:number>", badge_views.status_list_credential, name="cert-status"),
    path("a/<str:id>", badge_views.achievement, name="cert-achievement"),
    *guest_urlpatterns(Template, page=views.page, qr_file_name="certificate", preview=views.share_preview_at),
]
