"""Pairing a program with an account by a code, in the shapes of RFC 8628: the program starts and polls, the owner
approves in the browser. Answers are JSON; refusals carry `error` (RFC 8628's names) and `error_description`."""

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
from workspace.accounts.models import Pairing
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.accounts.models.device_authorization import INTERVAL, LIFETIME, Wait
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_only import by_owner
from workspace.interfaces.account_pages.rate_limit import allowed
from workspace.lib import strict_json
from workspace.lib.errors import InvalidInput, TooLarge, ToolError
from workspace.lib.text import has_controls

MAX_NAME = 80
_WORDS = {
    Wait.PENDING: "Waiting for somebody to approve the code in the browser",
    Wait.SLOW_DOWN: f"Ask every {INTERVAL} seconds, not more often",
    Wait.EXPIRED: "This code has expired or was used: start again",
    Wait.DENIED: "The request was declined in the browser",
}


MAX_BODY = 32 * 1024


@csrf_exempt
@require_POST
def start(request: HttpRequest) -> JsonResponse:
    """`{"name"}` → `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in` and
    `interval` in seconds."""
    try:
        if not allowed(request, "pair_start", "10/m/ip,60/h/ip"):
            raise ToolError("Too many pairings from this address: wait a minute")
        name = _text(_body(request), "name", "Command line").strip() or "Command line"
        if len(name) > MAX_NAME or has_controls(name):
            raise InvalidInput.at("name", f"Up to {MAX_NAME} characters, without line breaks")
        pairing, device_code = Pairing.start(name)
    except (InvalidInput, TooLarge) as refusal:
        status = 413 if isinstance(refusal, TooLarge) else 400
        return _refuse("invalid_request", refusal.message, status=status)
    except ToolError as refusal:
        return _refuse("slow_down", refusal.message, status=429)
    page = settings.BASE_URL + reverse("pair")
    return _answer(
        {
            "device_code": device_code,
            "user_code": pairing.user_code,
            "verification_uri": page,
            "verification_uri_complete": f"{page}?{urlencode({'code': pairing.user_code})}",
            "expires_in": int(LIFETIME.total_seconds()),
            "interval": INTERVAL,
        }
    )


@csrf_exempt
@require_POST
def token(request: HttpRequest) -> JsonResponse:
    """`{"device_code"}` → `{"api_key", "account": {"name", "email"}}`, once; before and otherwise 400 with an error."""
    try:
        if not allowed(request, "pair_token", "300/m/ip"):
            return _refuse("slow_down", _WORDS[Wait.SLOW_DOWN], status=429)
        device_code = _text(_body(request), "device_code")
        outcome = Pairing.redeem(device_code)
    except (InvalidInput, TooLarge) as refusal:
        status = 413 if isinstance(refusal, TooLarge) else 400
        return _refuse("invalid_request", refusal.message, status=status)
    except ToolError as refusal:
        return _refuse("access_denied", refusal.message)
    if isinstance(outcome, Wait):
        return _refuse(outcome.value, _WORDS[outcome])
    key, secret = outcome
    email = key.created_by.email if key.created_by else ""
    return _answer({"api_key": secret, "account": {"name": key.account.name, "email": email}})


@by_owner
def pair(request: SignedInRequest) -> HttpResponse:
    """Type the code, look at who asks, approve or decline."""
    typed = (request.POST if request.method == "POST" else request.GET).get("code", "")[:40]
    if not typed:
        return render(request, "account_pages/pair.html")
    # A wrong code is a guess at somebody else's pairing.
    if not allowed(request, "pair_code", "10/5m/user,30/5m/ip"):
        problem = "Too many attempts. Wait five minutes, then type the code that your program shows."
        return render(request, "account_pages/pair.html", {"problem": problem}, status=429)
    pairing = Pairing.waiting(typed)
    if pairing is None:
        problem = "No program is waiting with this code. Codes last ten minutes: look again, or start afresh."
        return render(request, "account_pages/pair.html", {"problem": problem, "typed": typed}, status=422)
    decision = request.POST.get("decision", "")
    if decision == "deny" and pairing.deny(request.user):
        return render(request, "account_pages/pair_over.html", {"pairing": pairing, "approved": False})
    if decision == "approve":
        if request.account.keys.filter(revoked_at=None).count() >= MAX_KEYS:
            return render(request, "account_pages/pair.html", {"full": MAX_KEYS}, status=422)
        if pairing.approve(request.account, request.user):
            change_log.note(request.account, request.caller, "keys", f"Gave a key to “{pairing.name}” by its code")
            return render(request, "account_pages/pair_over.html", {"pairing": pairing, "approved": True})
    return render(request, "account_pages/pair_confirm.html", {"pairing": pairing})


def _body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > MAX_BODY:
        raise TooLarge("The body is too large")
    value = strict_json.parse(request.body) if request.body else {}
    strict_json.check(value)
    if not isinstance(value, dict):
        raise InvalidInput.at("", "Send a JSON object")
    return value


def _text(body: dict[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str):
        raise InvalidInput.at(name, "Required" if value is None else "Must be text")
    return value


def _answer(body: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


def _refuse(error: str, words: str, *, status: int = 400) -> JsonResponse:
    return _answer({"error": error, "error_description": words}, status)
