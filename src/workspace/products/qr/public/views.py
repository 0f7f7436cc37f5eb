"""Guest pages at `/q/CODE`: the redirect, the owner's test scan, and the inspect page."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.products.qr.models import KIND, SCAN_EVENT, Code
from workspace.products.qr.rules.target import Target
from workspace.public_site import guest_page
from workspace.public_site.fast_path import redirect_response
from workspace.publishing.fast_routes import FollowDecision
from workspace.publishing.icons import render_icon
from workspace.publishing.models import Address, State

TEST_SALT = "qr.test-scan"
TEST_MAX_AGE_SECONDS = 15 * 60  # seconds


def scan(request: HttpRequest, address: Address) -> HttpResponse:
    """Respond to `/q/CODE` in cases that the fast path does not handle.

    A test scan bypasses a password, so it is checked first. After entering the password, the guest is redirected
    immediately, because the scanning app may not store cookies. Redirects to the fallback are not counted as scans.
    """
    if token := request.GET.get("test"):
        return _redirect_test(request, address, token)
    if address.publication.state in (State.PAUSED, State.EXPIRED) and (url := Code.from_address(address).fallback_url):
        return _redirect_uncounted(url)
    refusal = guest_page.check_access(request, KIND, address, _redirect_counted)
    if refusal is not None:
        return refusal
    return (
        _redirect_counted(request, address)
        if request.method in ("GET", "HEAD")
        else HttpResponseNotAllowed(["GET", "HEAD"])
    )


def _redirect_counted(request: HttpRequest, address: Address) -> HttpResponse:
    """Redirect to the target with 302 and count the scan.

    A protected code is counted when it opens, not when it asks for the password.
    """
    return redirect_response(
        request, FollowDecision(address.publication_id, SCAN_EVENT, Code.from_address(address).target_url)
    )


def build_test_url(code: Code) -> str:
    """Return a URL for the owner's own phone that opens the destination for 15 minutes without being counted."""
    return f"{code.public_url}?test={signing.dumps(code.pk, salt=TEST_SALT)}"


def _redirect_test(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    code = Code.from_address(address)
    try:
        id = signing.loads(token, salt=TEST_SALT, max_age=TEST_MAX_AGE_SECONDS)
    except signing.BadSignature:
        id = None
    if code.pk != id:
        over = gettext("A test code works for 15 minutes. Create a new one on the QR code’s page.")
        context = {"sign": render_icon("clock"), "heading": gettext("This test has expired"), "text": over}
        return _render_uncached(request, "public/message.html", context, status=404)
    if address.publication.state is not State.LIVE:
        return guest_page.render_state(request, KIND, address.publication.state.value, address)
    return _redirect_uncounted(code.target_url)


def _redirect_uncounted(url: str) -> HttpResponse:
    """Redirect without counting."""
    response = HttpResponseRedirect(iri_to_uri(url))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def inspect(request: HttpRequest, address: Address) -> HttpResponse:
    """Show `/q/CODE+`: the code's destination, without a redirect."""
    code = Code.from_address(address)
    newest = code.destination_changes.first()
    context = {
        "slug": address.slug,
        "business": code.account.name,
        "host": settings.BASE_URL.partition("://")[2],
        "target": Target.from_url(code.target_url),
        "target_url": code.target_url,
        "created_at": code.created_at,
        "since": newest.created_at if newest else None,
    }
    return _render_uncached(request, "qr/inspect.html", context)


def _render_uncached(
    request: HttpRequest, template: str, context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    response = render(request, template, context, status=status)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
