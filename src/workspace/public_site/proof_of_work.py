"""Proof of work: a guest's browser may solve a puzzle to send more forms than the rate limit allows.

It is optional. Without JavaScript, the field stays empty and the usual limit applies.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

from altcha.v1 import ChallengeOptions, Payload, create_challenge, verify_solution
from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from workspace.lib import clock
from workspace.rate_limits.models import RateCounter
from workspace.storage.database.transactions import write_transaction

SOLUTION_FIELD = "work"
MAX_NUMBER = 12_000  # maximum number of hashes; on average half of them: 0.2 s in Chromium, 0.9 s at quarter speed
LIFETIME = timedelta(hours=1)  # enough for a long review; the script requests another challenge after three quarters
MAX_SOLUTION_LENGTH = 600  # maximum length in characters; a valid solution has about 400
_FORM_NAME = re.compile(r"[a-z][a-z-]{0,31}")
_TEXT_FIELDS = ("algorithm", "challenge", "salt", "signature")


def build_challenge(form: str) -> dict[str, Any]:
    """Return a challenge for the form, valid for LIFETIME: `{algorithm, challenge, maxNumber, salt, signature}`.

    The solution is the number up to maxNumber for which the hexadecimal SHA-256 of salt + number is `challenge`.
    """
    options = ChallengeOptions(
        max_number=MAX_NUMBER,
        hmac_key=_derive_key(settings.SECRET_KEY),
        expires=clock.now() + LIFETIME,
        params={"form": form},
        algorithm="SHA-256",
    )
    return create_challenge(options).to_dict()


@require_safe
def challenge_view(request: HttpRequest) -> HttpResponse:
    """Return a challenge as JSON: `GET /guest/challenge?form=NAME`. Nothing is stored until a solution is used."""
    form = request.GET.get("form", "")
    if _FORM_NAME.fullmatch(form):
        response = JsonResponse(build_challenge(form))
    else:
        response = JsonResponse({"message": "Name the form: /guest/challenge?form=NAME"}, status=400)
    response.headers["Cache-Control"] = "no-store"
    return response


def redeem_solution(request: HttpRequest, form: str) -> bool:
    """Return whether the request has a valid, unused and unexpired solution for this form. Mark it as used."""
    solution = _parse_solution(request.POST.get(SOLUTION_FIELD, ""))
    if solution is None:
        return False
    try:
        is_true = any(verify_solution(solution, _derive_key(secret))[0] for secret in _list_secrets())
    except ValueError:  # the text is not valid UTF-8
        return False
    if not is_true:
        return False
    # The signature covers the salt, so its parameters can be trusted.
    said = parse_qs(solution.salt.partition("?")[2])
    return said.get("form") == [form] and "expires" in said and _mark_spent(solution.challenge, int(said["expires"][0]))


def _parse_solution(text: str) -> Payload | None:
    if not 0 < len(text) <= MAX_SOLUTION_LENGTH:
        return None
    try:
        given = json.loads(base64.b64decode(text, validate=True))
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not all(isinstance(given.get(name), str) for name in _TEXT_FIELDS):
        return None
    # A number given as text could contain a part of the salt.
    if type(given.get("number")) is not int or given["algorithm"] != "SHA-256":
        return None
    return Payload.from_dict(given)  # type: ignore[arg-type]


def _mark_spent(solution: str, expires: int) -> bool:
    """Mark a solution as used. Return whether it was unused.

    The primary key allows only one of several parallel calls.
    """
    key = hashlib.blake2b(f"{SOLUTION_FIELD}\0{solution}".encode(), digest_size=16).hexdigest()
    # Stored a minute longer than the solution is valid, so that it cannot be used again in its last second.
    ends = datetime.fromtimestamp(expires, UTC) + timedelta(minutes=1)
    try:
        with write_transaction(relaxed=True):
            RateCounter.objects.create(key=key, count=1, expires_at=ends)
    except IntegrityError:
        return False
    return True


def _list_secrets() -> list[str]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _derive_key(secret: str) -> str:
    return hashlib.sha256(b"proof of work:" + secret.encode()).hexdigest()
