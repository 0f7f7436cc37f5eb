"""What anybody sees at `/v/`: of a code whether it holds, of a template what its certificates stand for."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from workspace.brand.active_style import wearing
from workspace.brand.models import Brand
from workspace.lib.errors import Refusal
from workspace.products.certs.domain import linkedin, pdf, previews
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.models import KIND, Certificate, State, Template
from workspace.products.certs.models.certificate import read_code
from workspace.public_site import guest_page
from workspace.public_site.guest_urls import opened
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.public_site.spam_protection import allow
from workspace.publishing.language import day
from workspace.publishing.locale import marked, speaking, spoken, voice
from workspace.publishing.models import Address

HOURLY = 60  # codes that there are not, of one place within an hour
HOUR = 3600
DRAWN = 60  # pictures that are drawn for one place within an hour
WIDE = 1000  # pixels
SIGNS = {State.VALID: "✓", State.EXPIRED: "⌛", State.REVOKED: "✕", State.REPLACED: "→"}


def page(request: HttpRequest, address: Address) -> HttpResponse:
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    template = Template.at(address)
    context = {"template": template, "slug": template.slug, "share": sharing(address, face_of(template))}
    return Drawn(render_to_string("certs/page.html", context))


def face_at(address: Address) -> Face:
    return face_of(Template.at(address))


def face_of(template: Template) -> Face:
    """What is seen of it where its address is sent."""
    line = gettext("What this certificate stands for")
    return Face.of(template.account, template.title, line, look=Brand.of(template.account).look)


@require_safe
@never_cache
@spoken
def ask(request: HttpRequest) -> HttpResponse:
    """`/v/`: who holds a paper types its code."""
    typed = request.GET.get("code", "")[:80]
    if code := read_code(typed):
        return HttpResponseRedirect(voice().along(f"/v/{code}"))
    with wearing(None):
        return render(request, "certs/ask.html", {"typed": typed, "wrong": bool(typed)}, status=200)


# what is posted is the password of a template, and judged by where it came from
@csrf_exempt
def certificate(request: HttpRequest, code: str, form: str = "") -> HttpResponse:
    """What is told of a code, to whoever holds it; what merely looks like one may be a template's address."""
    rows = Certificate.objects.select_related("account__brand__logo", "template__publication", "replaced_by")
    read = read_code(code)
    found = rows.filter(code=read).first() if read else None
    if found is None and not form and (not read or Address.find(KIND, code) is not None):
        return opened(KIND, page)(request, slug=code)
    return _held(request, code, found, form)


@require_safe
@never_cache
def _held(request: HttpRequest, code: str, found: Certificate | None, form: str) -> HttpResponse:
    if found is None:
        with speaking(request):
            return marked(_unknown(request, code))
    with speaking(request), wearing(found.account):
        if form == "json":
            return marked(_badge(request, found))
        if form == "png":
            return _picture(request, found)
        return marked(_paper(request, found) if form else _told(request, found))


def _unknown(request: HttpRequest, typed: str) -> HttpResponse:
    if not allow(request, "cert-codes", limit=HOURLY, window=HOUR):
        context = {
            "heading": gettext("Please wait a while"),
            "text": gettext("Several codes that there are not came from here just now. Please come back in an hour."),
        }
        return render(request, "public/message.html", context, status=429)
    with wearing(None):
        return render(request, "certs/ask.html", {"typed": typed[:80], "unknown": True}, status=404)


def _paper(request: HttpRequest, found: Certificate) -> HttpResponse:
    try:
        content = pdf.sealed(found)
    except FileNotFoundError:
        return _not_there(request, found)
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{pdf.name_of(found)}"'
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _picture(request: HttpRequest, found: Certificate) -> HttpResponse:
    """The paper on a screen."""
    if not _has_paper(found) or not allow(request, "cert-pictures", limit=DRAWN, window=HOUR):
        raise Http404
    try:
        content = previews.paper(found, WIDE)
    except Refusal:
        raise Http404 from None  # it is not there, or there is no time for it at the moment
    response = HttpResponse(content, content_type="image/png")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _has_paper(found: Certificate) -> bool:
    return bool(found.pdf_key) and found.state in (State.VALID, State.EXPIRED)


def _not_there(request: HttpRequest, found: Certificate) -> HttpResponse:
    context = {
        "heading": gettext("The file is not there"),
        "text": gettext("It is being made, or is not given out any more. Please try again in a minute."),
        "url": voice().along(f"/v/{found.shown_code}"),
        "action": gettext("Look at the certificate"),
    }
    return render(request, "public/message.html", context, status=404)


def _badge(request: HttpRequest, found: Certificate) -> HttpResponse:
    try:
        content = credential.kept(found)
    except FileNotFoundError:
        return _not_there(request, found)
    response = HttpResponse(content, content_type="application/vc")
    response.headers["Content-Disposition"] = f'attachment; filename="badge-{found.shown_code}.json"'
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _told(request: HttpRequest, found: Certificate) -> HttpResponse:
    state, language = found.state, voice().language
    template = found.template
    is_shown = template is not None and template.binned_at is None
    context: dict[str, Any] = {
        "certificate": found,
        "state": state.value,
        "sign": SIGNS[state],
        "date": day(found.day, language) if found.day else found.date,
        "expires": day(found.expires_on, language) if found.expires_on else "",
        "revoked": day(found.revoked_at.astimezone(found.account.zone).date(), language) if found.revoked_at else "",
        "custom_label": template.custom_label if template is not None else "",
        "hours_label": template.hours_label if template is not None else "",
        "slug": template.slug if template is not None and is_shown else "",
        "business": found.organization or found.account.name,
        "paper": _has_paper(found),
        "badge": found.badge_key and state in (State.VALID, State.EXPIRED),
        "linked_in": linkedin.address(found) if state is State.VALID else "",
    }
    response = render(request, "certs/certificate.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response
