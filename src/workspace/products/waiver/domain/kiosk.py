"""The kiosk: a tablet at the counter where guests sign.

It has its own key, in a cookie that is sent only to the kiosk's URL. It has no session, because starting the kiosk
signs the browser out. The key is derived from the waiver and its PIN, so a new PIN ends all kiosks, and nothing needs
to be stored.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from workspace.products.waiver.models import Waiver
from workspace.rate_limits.counter import consume

COOKIE_NAME = "kiosk"
COOKIE_LIFETIME_SECONDS = 180 * 86_400  # seconds since the start page was last shown
RESET_SECONDS, MIN_RESET_SECONDS = 8, 3
_SALT = "waiver.kiosk"


def is_enabled(waiver: Waiver) -> bool:
    return bool(waiver.kiosk.get("enabled") and waiver.kiosk.get("pin"))


def compute_key(waiver: Waiver) -> str:
    """Return the key that is used in the kiosk's URL and in its cookie."""
    return signing.Signer(salt=_SALT).signature(f"{waiver.pk}:{waiver.kiosk.get('pin', '')}")


def kiosk_url(waiver: Waiver) -> str:
    """Return the URL that makes a device a kiosk."""
    return f"{settings.BASE_URL}/w/{waiver.slug}/kiosk?key={compute_key(waiver)}"


def is_valid_key(waiver: Waiver, key: str) -> bool:
    return is_enabled(waiver) and constant_time_compare(key.encode("utf-8", "replace"), compute_key(waiver).encode())


def is_kiosk_request(request: HttpRequest, waiver: Waiver) -> bool:
    """Return whether this browser is a kiosk of the waiver."""
    return is_valid_key(waiver, request.COOKIES.get(COOKIE_NAME, ""))


def start_kiosk(request: HttpRequest, response: HttpResponse, waiver: Waiver) -> None:
    response.set_cookie(
        COOKIE_NAME,
        compute_key(waiver),
        max_age=COOKIE_LIFETIME_SECONDS,
        path=request.path,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure(),
    )


def stop_kiosk(request: HttpRequest, response: HttpResponse) -> None:
    response.delete_cookie(COOKIE_NAME, path=request.path, samesite="Strict")


def can_try_pin(request: HttpRequest, waiver: Waiver) -> bool:
    """Return whether this client may try another PIN."""
    return consume("waiver-kiosk-pin", request, item=waiver.pk).is_granted


def can_sign(request: HttpRequest, waiver: Waiver) -> bool:
    return consume("waiver-kiosk-sign", request, item=waiver.pk).is_granted


def is_correct_pin(waiver: Waiver, typed: str) -> bool:
    return secrets.compare_digest(typed.encode("utf-8", "replace"), str(waiver.kiosk.get("pin", "")).encode())
