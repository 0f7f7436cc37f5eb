"""Device authorization according to RFC 8628: a program starts and polls, and the owner approves it in the browser.

Responses are JSON. Errors have `error` (a name from RFC 8628) and `error_description`.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from workspace.accounts import change_log
from workspace.accounts.models import DeviceAuthorization
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.accounts.models.device_authorization import INTERVAL_SECONDS, LIFETIME, AuthorizationStatus
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_requirement import require_owner
from workspace.interfaces.messages import (
    BODY_TOO_LARGE,
    DEVICE_NAME,
    NOT_A_JSON_OBJECT,
    NOT_A_TEXT,
    REQUIRED,
    TOO_MANY_PAIRINGS,
)
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError, TooLargeError
from workspace.lib.text import has_control_characters
from workspace.owner_translation import owner_gettext
from workspace.rate_limits.counter import consume

MAX_NAME_LENGTH = 80
_ERROR_MESSAGES = {
    AuthorizationStatus.PENDING: "Waiting for approval of the code in the browser",
    AuthorizationStatus.SLOW_DOWN: f"Poll every {INTERVAL_SECONDS} seconds, not more often",
    AuthorizationStatus.EXPIRED: "This code has expired or was already used. Start again",
    AuthorizationStatus.DENIED: "The request was declined in the browser",
}


MAX_BODY_BYTES = 32 * 1024


@csrf_exempt
@require_POST
def start_authorization(request: HttpRequest) -> JsonResponse:
    """Start an authorization from `{"name"}`.

    Return `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, and `expires_in` and `interval`
    in seconds.
    """
    try:
        if not (consume("device-start", request) and consume("device-start-hourly", request)):
            raise OperationNotAllowedError(TOO_MANY_PAIRINGS)
        name = _get_text(_parse_body(request), "name", "Command line").strip() or "Command line"
        if len(name) > MAX_NAME_LENGTH or has_control_characters(name):
            raise InvalidInputError.at_path("name", DEVICE_NAME(maximum=MAX_NAME_LENGTH))
        pairing, device_code = DeviceAuthorization.start(name)
    except (InvalidInputError, TooLargeError) as refusal:
        status = 413 if isinstance(refusal, TooLargeError) else 400
        return _error_response("invalid_request", refusal.message, status=status)
    except OperationNotAllowedError as refusal:
        return _error_response("slow_down", refusal.message, status=429)
    page = settings.BASE_URL + reverse("device")
    return _json_response(
        {
            "device_code": device_code,
            "user_code": pairing.user_code,
            "verification_uri": page,
            "verification_uri_complete": f"{page}?{urlencode({'code': pairing.user_code})}",
            "expires_in": int(LIFETIME.total_seconds()),
            "interval": INTERVAL_SECONDS,
        }
    )


@csrf_exempt
@require_POST
def issue_key(request: HttpRequest) -> JsonResponse:
    """Return `{"api_key", "account": {"name", "email"}}` for `{"device_code"}`, only once.

    Before the approval and in all other cases, return 400 with an error.
    """
    try:
        if not consume("device-token", request):
            return _error_response("slow_down", _ERROR_MESSAGES[AuthorizationStatus.SLOW_DOWN], status=429)
        device_code = _get_text(_parse_body(request), "device_code")
        outcome = DeviceAuthorization.redeem(device_code)
    except (InvalidInputError, TooLargeError) as refusal:
        status = 413 if isinstance(refusal, TooLargeError) else 400
        return _error_response("invalid_request", refusal.message, status=status)
    except OperationNotAllowedError as refusal:
        return _error_response("access_denied", refusal.message)
    if isinstance(outcome, AuthorizationStatus):
        return _error_response(outcome.value, _ERROR_MESSAGES[outcome])
    key, secret = outcome
    email = key.created_by.email if key.created_by else ""
    return _json_response({"api_key": secret, "account": {"name": key.account.name, "email": email}})


@require_owner
def approve_device(request: SignedInRequest) -> HttpResponse:
    """Ask for the code, show the program that is waiting, and approve or decline it."""
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")[:40]
    if not typed:
        return render(request, "account_pages/device_authorization.html")
    # A wrong code is an attempt to guess another person's authorization.
    if not (consume("device-code", request) and consume("device-code-address", request)):
        problem = owner_gettext("Too many attempts. Wait 5 minutes, then enter the code shown in your program.")
        return render(request, "account_pages/device_authorization.html", {"problem": problem}, status=429)
    pairing = DeviceAuthorization.find_open(typed)
    if pairing is None:
        problem = owner_gettext(
            "This code is not valid. Check the code, or start again if it is older than 10 minutes."
        )
        return render(
            request, "account_pages/device_authorization.html", {"problem": problem, "typed": typed}, status=422
        )
    decision = request.POST.get("decision", "")
    if decision == "deny" and pairing.deny(request.user):
        return render(request, "account_pages/device_authorization_done.html", {"pairing": pairing, "approved": False})
    if decision == "approve":
        if request.account.keys.filter(revoked_at=None).count() >= MAX_KEYS:
            return render(request, "account_pages/device_authorization.html", {"full": MAX_KEYS}, status=422)
        if pairing.approve(request.account, request.user):
            change_log.log_change(
                request.account, request.caller, "keys", f"Authorized the device “{pairing.name}” with a code"
            )
            return render(
                request, "account_pages/device_authorization_done.html", {"pairing": pairing, "approved": True}
            )
    return render(request, "account_pages/device_authorization_confirm.html", {"pairing": pairing})


def _parse_body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > MAX_BODY_BYTES:
        raise TooLargeError(BODY_TOO_LARGE)
    value = strict_json.parse(request.body) if request.body else {}
    strict_json.check_storable(value)
    if not isinstance(value, dict):
        raise InvalidInputError.at_path("", NOT_A_JSON_OBJECT)
    return value


def _get_text(body: dict[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str):
        raise InvalidInputError.at_path(name, REQUIRED if value is None else NOT_A_TEXT)
    return value


def _json_response(body: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _error_response(error: str, description: str, *, status: int = 400) -> JsonResponse:
    return _json_response({"error": error, "error_description": description}, status)
