"""What stands on a tablet at the counter, all at `/w/SLUG/kiosk`: made a kiosk, the start, the form, the thanks, and
the PIN that leaves it. Nothing that a guest typed stands in an address or is kept by the browser."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard import device_storage
from workspace.products.waiver.domain import kiosk
from workspace.products.waiver.models import Waiver
from workspace.products.waiver.public.views import Place, kept_nowhere, signed_at
from workspace.public_site.spam_protection import Verdict, same_origin
from workspace.publishing.locale import voice
from workspace.publishing.models import Address


def kiosk_at(request: HttpRequest, address: Address) -> HttpResponse:
    waiver = Waiver.at(address)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    if key := request.GET.get("key", ""):
        return _beginning(request, waiver, key)
    if not kiosk.runs(request, waiver):
        return _page(request, waiver, "off", status=404)
    if "leave" in request.GET:
        return _leaving(request, waiver)
    home = request.path
    if "sign" in request.GET or request.method == "POST":
        signed = Place(
            voice().along(f"{home}?sign"),
            voice().along(f"{home}?signed"),
            kiosk.may_sign,
            "waiver/kiosk/sign.html",
            True,
        )
        return signed_at(request, address, signed)
    if "signed" in request.GET:
        return _page(request, waiver, "done")
    response = _page(request, waiver, "start")
    kiosk.begin(request, response, waiver)
    return response


def _beginning(request: HttpRequest, waiver: Waiver, key: str) -> HttpResponse:
    if not kiosk.fits(waiver, key):
        return _page(request, waiver, "off", status=404)
    if request.method != "POST":
        return _page(request, waiver, "begin", key=key)
    if not same_origin(request):
        return _page(request, waiver, "begin", key=key, told=Verdict.FOREIGN.advice, status=403)
    logout(request)  # whoever works here: nobody at the counter comes into their dashboard
    response = HttpResponseRedirect(request.path, status=303)
    kiosk.begin(request, response, waiver)
    device_storage.clear_all(response)  # what they looked at, and what they had not saved
    return kept_nowhere(response)


def _leaving(request: HttpRequest, waiver: Waiver) -> HttpResponse:
    if request.method != "POST":
        return _page(request, waiver, "leave")
    if not same_origin(request):
        return _page(request, waiver, "leave", told=Verdict.FOREIGN.advice, status=403)
    if not kiosk.may_try(request, waiver):
        return _page(request, waiver, "leave", told=gettext("Too many attempts. Please wait ten minutes."), status=429)
    if not kiosk.is_pin(waiver, request.POST.get("pin", "")[:20].strip()):
        return _page(request, waiver, "leave", told=gettext("That is not the PIN."), status=403)
    response = HttpResponseRedirect("/app/waiver", status=303)
    kiosk.end(request, response)
    return kept_nowhere(response)


def _page(request: HttpRequest, waiver: Waiver, name: str, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "waiver": waiver,
        "slug": waiver.slug,
        "business": waiver.account.name,
        "open": waiver.accepting and waiver.archived_at is None,
        "start": request.path,
        "sign_url": voice().along(f"{request.path}?sign"),
        "seconds": max(int(waiver.kiosk.get("reset_seconds") or kiosk.RESET), kiosk.LEAST_RESET),
        **more,
    }
    return kept_nowhere(render(request, f"waiver/kiosk/{name}.html", context, status=status))
