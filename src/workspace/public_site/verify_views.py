"""The page `/verify`, where anyone can check a file. Files are inspected and not stored."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from workspace.brand.active_brand import use_brand
from workspace.lib.errors import ToolError
from workspace.public_site.post_redirect import redirect_posts
from workspace.public_site.spam_protection import SpamVerdict, check_submission, render_hidden_fields
from workspace.publishing import file_verification
from workspace.publishing.file_verification import VerificationResult
from workspace.publishing.language import format_moment
from workspace.publishing.locale import current_locale, with_guest_locale
from workspace.rate_limits.counter import consume

MAX_BYTES = 3 * 1024 * 1024  # limit for anonymous uploads; our PDFs are about a tenth of it
_FORM = "verify"
_UTC = ZoneInfo("UTC")
_SIGNS = {"this_file": "✓", "genuine": "≈", "changed": "!", "unknown": "?"}


# Guests have no cookies, so there is no CSRF token: `check_submission` checks where the form was sent from.
@csrf_exempt
@redirect_posts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_guest_locale
def verify(request: HttpRequest) -> HttpResponse:
    result, problem, status = None, "", 200
    if request.method == "POST":
        result, problem, status = _check_upload(request)
    kept = result.document if result else None
    context = {
        "result": result,
        "kept": kept,
        "problem": problem,
        "hidden_fields": render_hidden_fields(_FORM),
        "sign": _SIGNS[result.verdict.value] if result else "",
        "meaning": file_verification.describe_verdict(result) if result else "",
        "sealed_at": _format_moment(kept.sealed_at) if kept and kept.sealed_at else "",
        "megabytes": MAX_BYTES // 1024 // 1024,
    }
    with use_brand(None):
        return render(request, "public/verify.html", context, status=status)


def _format_moment(at: datetime) -> str:
    return f"{format_moment(at, _UTC, current_locale().language)} ({_UTC.key})"


def _check_upload(request: HttpRequest) -> tuple[VerificationResult | None, str, int]:
    """Return the verdict on the uploaded file, or the problem with its HTTP status."""
    verdict = check_submission(request, _FORM, min_seconds=0)
    if verdict is not SpamVerdict.FINE:
        return None, verdict.advice, 400
    file = request.FILES.get("file")
    if file is None or not file.size:
        return None, gettext("Choose a PDF or a badge’s JSON file"), 400
    if file.size > MAX_BYTES:
        return None, gettext("This file is too large (max. %(most)s MB).") % {"most": MAX_BYTES // 1024 // 1024}, 413
    if not consume("verify", request):
        return None, gettext("You’ve sent this form several times. Try again in an hour."), 429
    try:
        return file_verification.verify_file(file.read()), "", 200
    except ToolError as refusal:
        return None, gettext("We’re too busy to verify this right now. Try again in a minute."), refusal.status
