"""A tablet at the counter. It holds a word of its own, in a cookie that goes to the kiosk's address alone, and nobody's
session: whoever starts the kiosk in a browser is signed out of it. The word follows from the waiver and its PIN, so
another PIN ends all kiosks, and nothing has to be kept."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from workspace.products.waiver.models import Waiver
from workspace.public_site.spam_protection import allow

COOKIE = "kiosk"
KEPT_FOR = 180 * 86_400  # seconds since the start page was shown last
RESET, LEAST_RESET = 8, 3
TRIES, WINDOW = 10, 600
HOURLY = 600  # signings of one kiosk within an hour
_SALT = "waiver.kiosk"


def is_on(waiver: Waiver) -> bool:
    return bool(waiver.kiosk.get("enabled") and waiver.kiosk.get("pin"))


def key_of(waiver: Waiver) -> str:
    """What its address and its cookie prove themselves by."""
    return signing.Signer(salt=_SALT).signature(f"{waiver.pk}:{waiver.kiosk.get('pin', '')}")


def address_of(waiver: Waiver) -> str:
    """Where a device becomes a kiosk."""
    return f"{settings.BASE_URL}/w/{waiver.slug}/kiosk?key={key_of(waiver)}"


def fits(waiver: Waiver, key: str) -> bool:
    return is_on(waiver) and constant_time_compare(key.encode("utf-8", "replace"), key_of(waiver).encode())


def runs(request: HttpRequest, waiver: Waiver) -> bool:
    """Whether this browser is one of its kiosks."""
    return fits(waiver, request.COOKIES.get(COOKIE, ""))


def begin(request: HttpRequest, response: HttpResponse, waiver: Waiver) -> None:
    response.set_cookie(
        COOKIE,
        key_of(waiver),
        max_age=KEPT_FOR,
        path=request.path,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure(),
    )


def end(request: HttpRequest, response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, path=request.path, samesite="Strict")


def may_try(request: HttpRequest, waiver: Waiver) -> bool:
    """Whether one more PIN may be tried from here."""
    return allow(request, f"kiosk-pin:{waiver.pk}", limit=TRIES, window=WINDOW)


def may_sign(request: HttpRequest, waiver: Waiver) -> bool:
    return allow(request, f"kiosk:{waiver.pk}", limit=HOURLY, window=3600)


def is_pin(waiver: Waiver, typed: str) -> bool:
    return secrets.compare_digest(typed.encode("utf-8", "replace"), str(waiver.kiosk.get("pin", "")).encode())
