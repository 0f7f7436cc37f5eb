"""Proof of work: a guest's browser may spend a moment on a sum, and is trusted more when many forms come from one
place. Nobody is asked for it: where no script runs the field stays empty and the usual rate holds."""

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
from workspace.publishing.models import RateCounter
from workspace.storage.database.transactions import write_transaction

SOLUTION_FIELD = "work"
MAX_NUMBER = 12_000  # SHA-256 sums at most, half of it on average: 0.2 s in Chromium, 0.9 s on a core slowed four times
LIFETIME = timedelta(hours=1)  # a long review is written within it; the script asks anew after three quarters
MAX_SOLUTION_LENGTH = 600  # characters of a solution; a true one has about 400
_FORM_NAME = re.compile(r"[a-z][a-z-]{0,31}")
_TEXT_FIELDS = ("algorithm", "challenge", "salt", "signature")


def build_challenge(form: str) -> dict[str, Any]:
    """A fresh one for the form of that name, good for LIFE: `{algorithm, challenge, maxNumber, salt, signature}`. To be
    found is the number up to maxNumber for which the SHA-256 of salt + number in hexadecimal is `build_challenge`."""
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
    """`GET /guests/work?form=NAME`: a challenge as JSON, for anybody; nothing is stored until one is spent."""
    form = request.GET.get("form", "")
    if _FORM_NAME.fullmatch(form):
        response = JsonResponse(build_challenge(form))
    else:
        response = JsonResponse({"message": "Name the form: /guests/work?form=NAME"}, status=400)
    response.headers["Cache-Control"] = "no-store"
    return response


def redeem_solution(request: HttpRequest, form: str) -> bool:
    """Whether the request carries a solution made for this form, in time and for the first time. Asking spends it."""
    solution = _parse_solution(request.POST.get(SOLUTION_FIELD, ""))
    if solution is None:
        return False
    try:
        is_true = any(verify_solution(solution, _derive_key(secret))[0] for secret in _list_secrets())
    except ValueError:  # text that has no UTF-8
        return False
    if not is_true:
        return False
    # the signature covers the salt, so what it says is ours
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
    # a number given as text could carry a part of the salt
    if type(given.get("number")) is not int or given["algorithm"] != "SHA-256":
        return None
    return Payload.from_dict(given)  # type: ignore[arg-type]


def _mark_spent(told: str, expires: int) -> bool:
    """Whether it was still whole: of parallel calls the row's key lets one through."""
    key = hashlib.blake2b(f"{SOLUTION_FIELD}\0{told}".encode(), digest_size=16).hexdigest()
    # kept a minute longer than it is good for, lest it be forgotten in its last second
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
