"""Spam protection of public forms that needs neither cookies nor scripts, so that cached pages work."""

from __future__ import annotations

import time
from enum import StrEnum
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from workspace.lib.delayed_response import DELAY_KEY, Delay
from workspace.public_site import proof_of_work
from workspace.rate_limits.allowance import Allowance
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit

STAMP_FIELD, TRAP_FIELD = "stamp", "office_fax"
MIN_SECONDS = 2.0  # minimum time for the shortest form
MAX_AGE_SECONDS = 7 * 86_400  # longer than any cache stores a page


class SpamVerdict(StrEnum):
    """The result of checking a submitted form. Thank the sender of a trapped form, but discard it."""

    FINE = "fine"
    FOREIGN = "foreign"
    TRAPPED = "trapped"
    HASTY = "hasty"
    STALE = "stale"

    @property
    def advice(self) -> str:
        """The message for the guest, or "" if the form is accepted."""
        return {
            SpamVerdict.FOREIGN: gettext("This form was sent from another website. Open it here and send it again."),
            SpamVerdict.TRAPPED: gettext("Leave the hidden field empty and send the form again."),
            SpamVerdict.HASTY: gettext("The form was sent too quickly. Wait a few seconds, then send it again."),
            SpamVerdict.STALE: gettext("This form has expired. Please send it again."),
        }.get(self, "")


def render_hidden_fields(form: str, *, since: str = "") -> SafeString:
    """Render the hidden fields of a form: a time stamp, a trap, and a field for proof of work.

    public/proof_of_work.js fills the latter if the page includes it. `since` is the time stamp of a previous page from
    which the time is measured.
    """
    return format_html(
        '<input type="hidden" name="{}" value="{}"><div class="trap" aria-hidden="true">'
        '<label>{} <input name="{}" tabindex="-1" autocomplete="off"></label></div>'
        '<input type="hidden" name="{}" data-work="{}?{}" autocomplete="off">',
        STAMP_FIELD,
        since
        if _parse_stamp(since, form, MAX_AGE_SECONDS) is not None
        else signing.dumps(time.time(), salt=f"form:{form}"),
        gettext("Leave this empty"),
        TRAP_FIELD,
        proof_of_work.SOLUTION_FIELD,
        reverse("guest-challenge"),
        urlencode({"form": form}),
    )


def check_submission(
    request: HttpRequest,
    form: str,
    *,
    min_seconds: float = MIN_SECONDS,
    max_seconds: int = MAX_AGE_SECONDS,
    delays_hasty: bool = True,
) -> SpamVerdict:
    """Check a submitted form.

    `form` is the name of its hidden fields. `min_seconds` and `max_seconds` limit the seconds since the page was
    rendered. Cached pages are old, which is allowed. With `delays_hasty`, for views that change nothing on HASTY, the
    server delays the response to a hasty form by the missing time.
    """
    if not is_same_origin(request):
        return SpamVerdict.FOREIGN
    if request.POST.get(TRAP_FIELD):
        return SpamVerdict.TRAPPED
    made = _parse_stamp(request.POST.get(STAMP_FIELD, ""), form, max_seconds)
    if made is None:
        return SpamVerdict.STALE
    missing = min_seconds - (time.time() - made)
    if missing <= 0:
        return SpamVerdict.FINE
    if delays_hasty and isinstance(hold := request.META.get(DELAY_KEY), Delay):
        hold.seconds = missing
    return SpamVerdict.HASTY


def _parse_stamp(stamp: str, form: str, max_seconds: int) -> float | None:
    try:
        return float(signing.loads(stamp, salt=f"form:{form}", max_age=max_seconds))
    except (signing.BadSignature, ValueError, TypeError):
        return None


def is_same_origin(request: HttpRequest) -> bool:
    """Return whether a page of this service sent the form, according to the browser.

    All browsers that could send a person's credentials report this. A client that does not report it is not a browser.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    if origin == "null":
        return site is not None
    return origin.lower() == f"{request.scheme}://{request.get_host()}".lower()


def has_proof_of_work(request: HttpRequest, form: str) -> bool:
    """Return whether the guest's browser provided proof of work for this form, and mark the solution as used.

    Proof of work is optional, so check it only if the load is suspicious.
    """
    return proof_of_work.redeem_solution(request, form)


def consume_with_work(name: str, request: HttpRequest, form: str, *, item: str = "") -> Allowance:
    """Count an attempt as `rate_limits.counter.consume` does, but in the transaction of the write that follows.

    If the limit has `doubles_with_work`, guests with proof of work are allowed twice as many attempts.
    """
    allowance = consume(name, request, item=item, joins_write=True)
    if allowance or not get_limit(name).doubles_with_work or not has_proof_of_work(request, form):
        return allowance
    return consume(name, request, item=item, has_work=True, joins_write=True)
