"""Endpoints for programs that verify a badge: issuer, status lists and achievements."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from workspace.products.certs.domain.badges import credential, issuers, proofs
from workspace.products.certs.domain.badges import status_list as badges_status_list
from workspace.products.certs.models import Issuer, StatusList, Template
from workspace.publishing.models.publication import State
from workspace.rate_limits.counter import consume

STATUS_MAX_AGE = 60  # cache lifetime of a list in seconds: a revocation is visible after this time


@require_safe
def did_document(request: HttpRequest, id: str) -> HttpResponse:
    issuer = Issuer.objects.filter(pk=id).first() if id.isprintable() else None
    if issuer is None:
        raise Http404
    return _json_response(issuers.build_did_document(issuer), "application/did+json", 300)


@require_safe
def status_list_credential(request: HttpRequest, number: int) -> HttpResponse:
    status_list = StatusList.objects.select_related("issuer__account").filter(pk=number).first()
    if status_list is None:
        raise Http404
    if not consume("cert-status", request):
        return HttpResponse("Too many requests. Try again later", status=429, content_type="text/plain")
    return _json_response(badges_status_list.sign_status_list(status_list), "application/vc", STATUS_MAX_AGE)


@never_cache
@require_safe
def achievement(request: HttpRequest, id: str) -> HttpResponse:
    """Return an achievement as JSON-LD to programs. Redirect browsers to the page of the achievement."""
    rows = Template.objects.select_related("account", "publication")
    template = rows.filter(pk=id, binned_at=None).first() if id.isprintable() else None
    if template is None or template.publication.state in (State.BANNED, State.DELETED):
        raise Http404
    if "json" not in request.headers.get("Accept", ""):
        return HttpResponseRedirect(template.public_url)
    data = {"@context": [proofs.CREDENTIALS_CONTEXT, proofs.BADGES_CONTEXT], **credential.build_achievement(template)}
    return _json_response(data, "application/ld+json", 0)


def _json_response(data: dict[str, Any] | bytes, media_type: str, seconds: int) -> HttpResponse:
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    response = HttpResponse(content, content_type=media_type)
    # wallets fetch these from pages of other sites
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["X-Robots-Tag"] = "noindex"
    if seconds:
        response.headers["Cache-Control"] = f"public, max-age={seconds}"
    return response
