"""The public pages at `/v/`: the validity of a code, and the meaning of a template's certificates."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from workspace.brand.active_brand import use_brand
from workspace.brand.models import Brand
from workspace.lib.errors import ToolError
from workspace.products.certs.domain import linkedin, pdf, previews
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.models import KIND, Certificate, State, Template
from workspace.products.certs.models.certificate import parse_code
from workspace.public_site import guest_page
from workspace.public_site.guest_urls import guest_view
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.language import format_day
from workspace.publishing.locale import add_language_headers, current_locale, use_guest_locale, with_guest_locale
from workspace.publishing.models import Address
from workspace.rate_limits.counter import consume

IMAGE_WIDTH = 1000  # pixels
STATE_SYMBOLS = {State.VALID: "✓", State.EXPIRED: "⌛", State.REVOKED: "✕", State.REPLACED: "→"}


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    template = Template.from_address(address)
    context = {"template": template, "slug": template.slug, "share": build_metadata(address, share_preview(template))}
    return RenderedPage(render_to_string("certs/page.html", context))


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Template.from_address(address))


def share_preview(template: Template) -> SharePreview:
    """Return the share preview of a template."""
    line = gettext("About this certificate")
    return SharePreview.from_brand(
        template.account, template.title, line, style=Brand.for_account(template.account).style
    )


@require_safe
@never_cache
@with_guest_locale
def ask_for_code(request: HttpRequest) -> HttpResponse:
    """Show a form for the code of a certificate: `/v/`."""
    typed = request.GET.get("code", "")[:80]
    if code := parse_code(typed):
        return HttpResponseRedirect(current_locale().localize_url(f"/v/{code}"))
    with use_brand(None):
        return render(request, "certs/verify.html", {"typed": typed, "wrong": bool(typed)}, status=200)


# the only POST is the password of a template, which checks its origin itself
@csrf_exempt
def certificate(request: HttpRequest, code: str, form: str = "") -> HttpResponse:
    """Show the certificate with this code. Text that only looks like a code may be the slug of a template."""
    rows = Certificate.objects.select_related("account__brand__logo", "template__publication", "replaced_by")
    read = parse_code(code)
    certificate = rows.filter(code=read).first() if read else None
    if certificate is None and not form and (not read or Address.find_by_slug(KIND, code) is not None):
        return guest_view(KIND, page)(request, slug=code)
    return _render_form(request, code, certificate, form)


@require_safe
@never_cache
def _render_form(request: HttpRequest, code: str, certificate: Certificate | None, form: str) -> HttpResponse:
    if certificate is None:
        with use_guest_locale(request):
            return add_language_headers(_render_unknown(request, code))
    with use_guest_locale(request), use_brand(certificate.account):
        if form == "json":
            return add_language_headers(_badge_response(request, certificate))
        if form == "png":
            return _image_response(request, certificate)
        return add_language_headers(
            _pdf_response(request, certificate) if form else _render_certificate(request, certificate)
        )


def _render_unknown(request: HttpRequest, typed_code: str) -> HttpResponse:
    if not consume("cert-code", request):
        context = {
            "heading": gettext("Too many attempts"),
            "text": gettext("You’ve entered several unknown codes. Try again in an hour."),
        }
        return render(request, "public/message.html", context, status=429)
    with use_brand(None):
        return render(request, "certs/verify.html", {"typed": typed_code[:80], "unknown": True}, status=404)


def _pdf_response(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    try:
        content = pdf.load_signed_pdf(certificate)
    except FileNotFoundError:
        return _file_missing_response(request, certificate)
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{certificate.pdf_file_name}"'
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _image_response(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    """Return an image of the certificate's PDF."""
    if not _has_pdf(certificate) or not consume("cert-image", request):
        raise Http404
    try:
        content = previews.render_issued_image(certificate, IMAGE_WIDTH)
    except ToolError:
        raise Http404 from None  # it does not exist, or the server is too busy
    response = HttpResponse(content, content_type="image/png")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _has_pdf(certificate: Certificate) -> bool:
    return bool(certificate.pdf_key) and certificate.state in (State.VALID, State.EXPIRED)


def _file_missing_response(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    context = {
        "heading": gettext("File not available"),
        "text": gettext("This file is being created or is no longer available. Try again in a minute."),
        "url": current_locale().localize_url(f"/v/{certificate.formatted_code}"),
        "action": gettext("View certificate"),
    }
    return render(request, "public/message.html", context, status=404)


def _badge_response(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    try:
        content = credential.load_badge(certificate)
    except FileNotFoundError:
        return _file_missing_response(request, certificate)
    response = HttpResponse(content, content_type="application/vc")
    response.headers["Content-Disposition"] = f'attachment; filename="badge-{certificate.formatted_code}.json"'
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _render_certificate(request: HttpRequest, certificate: Certificate) -> HttpResponse:
    state, language = certificate.state, current_locale().language
    template = certificate.template
    is_shown = template is not None and template.binned_at is None
    context: dict[str, Any] = {
        "certificate": certificate,
        "state": state.value,
        "sign": STATE_SYMBOLS[state],
        "date": format_day(certificate.day, language) if certificate.day else certificate.date,
        "expires": format_day(certificate.expires_on, language) if certificate.expires_on else "",
        "revoked": format_day(certificate.revoked_at.astimezone(certificate.account.zone).date(), language)
        if certificate.revoked_at
        else "",
        "custom_label": template.custom_label if template is not None else "",
        "hours_label": template.hours_label if template is not None else "",
        "slug": template.slug if template is not None and is_shown else "",
        "business": certificate.organization or certificate.account.name,
        "paper": _has_pdf(certificate),
        "badge": certificate.badge_key and state in (State.VALID, State.EXPIRED),
        "linked_in": linkedin.add_to_profile_url(certificate) if state is State.VALID else "",
    }
    response = render(request, "certs/certificate.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response
