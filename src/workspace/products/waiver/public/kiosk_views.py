"""Kiosk pages, all at `/w/SLUG/kiosk`: setup, start, form, thanks, and the PIN to leave.

Nothing that a guest types appears in a URL or is stored by the browser.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render

from workspace.dashboard import device_storage
from workspace.products.waiver import messages
from workspace.products.waiver.domain import kiosk
from workspace.products.waiver.models import Waiver
from workspace.products.waiver.public.views import SigningPlace, handle_signing, private_response
from workspace.public_site.spam_protection import SpamVerdict, is_same_origin
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address


def kiosk_page(request: HttpRequest, address: Address) -> HttpResponse:
    waiver = Waiver.from_address(address)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    if key := request.GET.get("key", ""):
        return _start_kiosk(request, waiver, key)
    if not kiosk.is_kiosk_request(request, waiver):
        return _render_page(request, waiver, "off", status=404)
    if "leave" in request.GET:
        return _leave_kiosk(request, waiver)
    home = request.path
    if "sign" in request.GET or request.method == "POST":
        signed = SigningPlace(
            current_locale().localize_url(f"{home}?sign"),
            current_locale().localize_url(f"{home}?signed"),
            kiosk.can_sign,
            "waiver/kiosk/sign.html",
            True,
        )
        return handle_signing(request, address, signed)
    if "signed" in request.GET:
        return _render_page(request, waiver, "done")
    response = _render_page(request, waiver, "start")
    kiosk.start_kiosk(request, response, waiver)
    return response


def _start_kiosk(request: HttpRequest, waiver: Waiver, key: str) -> HttpResponse:
    if not kiosk.is_valid_key(waiver, key):
        return _render_page(request, waiver, "off", status=404)
    if request.method != "POST":
        return _render_page(request, waiver, "setup", key=key)
    if not is_same_origin(request):
        return _render_page(request, waiver, "setup", key=key, message=SpamVerdict.FOREIGN.advice, status=403)
    logout(request)  # sign the staff member out, so that no one at the counter can open their dashboard
    response = HttpResponseRedirect(request.path, status=303)
    kiosk.start_kiosk(request, response, waiver)
    device_storage.clear_device_storage(response)  # delete cached pages and drafts
    return private_response(response)


def _leave_kiosk(request: HttpRequest, waiver: Waiver) -> HttpResponse:
    if request.method != "POST":
        return _render_page(request, waiver, "leave")
    if not is_same_origin(request):
        return _render_page(request, waiver, "leave", message=SpamVerdict.FOREIGN.advice, status=403)
    if not kiosk.can_try_pin(request, waiver):
        return _render_page(request, waiver, "leave", message=messages.TOO_MANY_PINS, status=429)
    if not kiosk.is_correct_pin(waiver, request.POST.get("pin", "")[:20].strip()):
        return _render_page(request, waiver, "leave", message=messages.WRONG_PIN, status=403)
    response = HttpResponseRedirect("/app/waiver", status=303)
    kiosk.stop_kiosk(request, response)
    return private_response(response)


def _render_page(request: HttpRequest, waiver: Waiver, name: str, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "waiver": waiver,
        "slug": waiver.slug,
        "business": waiver.account.name,
        "open": waiver.accepting and waiver.archived_at is None,
        "start": request.path,
        "sign_url": current_locale().localize_url(f"{request.path}?sign"),
        "seconds": max(int(waiver.kiosk.get("reset_seconds") or kiosk.RESET_SECONDS), kiosk.MIN_RESET_SECONDS),
        **more,
    }
    return private_response(render(request, f"waiver/kiosk/{name}.html", context, status=status))
