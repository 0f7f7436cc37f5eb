"""Spam protection of public forms, without cookies and scripts, so that cached pages work.

No IP addresses are stored: attempts are counted by a hash with the day's salt.
"""

from __future__ import annotations

import hashlib
import time
from datetime import UTC, datetime
from enum import StrEnum
from urllib.parse import urlencode

from django.core import signing
from django.db import connection
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from workspace.analytics.visitor import client_address, compute_digest, truncate_address
from workspace.analytics.visitor_salt import get_salt
from workspace.lib import clock
from workspace.lib.delayed_response import DELAY_KEY, Delay
from workspace.public_site import proof_of_work
from workspace.storage.database.transactions import write_transaction

STAMP_FIELD, TRAP_FIELD = "stamp", "office_fax"
MIN_SECONDS = 2.0  # minimum time for the shortest form
MAX_AGE_SECONDS = 7 * 86_400  # longer than any cache stores a page

_COUNT_SQL = "SELECT count FROM publishing_ratecounter WHERE key = %s"
_INCREMENT_SQL = """
INSERT INTO publishing_ratecounter (key, count, expires_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO UPDATE SET count = publishing_ratecounter.count + 1 WHERE publishing_ratecounter.count < %s
RETURNING count
"""


class SpamVerdict(StrEnum):
    """The result of the check of a submitted form. A trapped one is best thanked for and discarded."""

    FINE = "fine"
    FOREIGN = "foreign"
    TRAPPED = "trapped"
    HASTY = "hasty"
    STALE = "stale"

    @property
    def advice(self) -> str:
        """The message for the guest; empty if the form is fine."""
        return {
            SpamVerdict.FOREIGN: gettext(
                "This form was sent from another site. Please open it here and send it again."
            ),
            SpamVerdict.TRAPPED: gettext(
                "One field must stay empty. Please send the form again without filling it in."
            ),
            SpamVerdict.HASTY: gettext("That was very quick. Please wait a moment and send it again."),
            SpamVerdict.STALE: gettext("This form was open for too long. Please send it again."),
        }.get(self, "")


def render_hidden_fields(form: str, *, since: str = "") -> SafeString:
    """Render the hidden fields of a form: a time stamp, a trap, and a field for proof of work.

    public/proof_of_work.js fills the latter if the page includes it. `since` is the stamp of a previous page from which
    the time counts.
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
    rendered; a cached page is old, which is allowed. With `delays_hasty`, the server delays the response to a hasty
    form by the missing time, for views that change nothing on HASTY.
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

    All browsers that could send a person's credentials tell this. A client that does not tell is not a browser.
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


def allow_attempt(request: HttpRequest, name: str, *, limit: int, window: int) -> bool:
    """Count one of the guest's `limit` attempts at `name` and return whether it was allowed.

    The window is in seconds, at most a day. The count is exact under parallel calls. Windows start at multiples of
    their length and at midnight UTC. Another browser on the same network counts as the same guest.
    """
    return allow_address(client_address(request), name, limit=limit, window=window)


def allow_address(address: str, name: str, *, limit: int, window: int) -> bool:
    """Count an attempt for a client address, given as text, outside of views."""
    key = attempt_key(address, name, window)
    ends = connection.ops.adapt_datetimefield_value(window_end(window))
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_SQL, [key])
        taken = cursor.fetchone()
    if taken is not None and taken[0] >= limit:
        return False  # further attempts cost no write
    with write_transaction(relaxed=True), connection.cursor() as cursor:
        cursor.execute(_INCREMENT_SQL, [key, ends, limit])
        return cursor.fetchone() is not None


def attempt_key(address: str, name: str, window: int) -> str:
    """Return the key that counts an address for a name in the current window. It is a hash."""
    moment = clock.now()
    number = int(moment.timestamp()) // window
    content = "\0".join(
        (get_salt(moment.date()), name, compute_digest(truncate_address(address)), str(window), str(number))
    )
    return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()


def window_end(window: int) -> datetime:
    """Return when the current window of this many seconds ends."""
    number = int(clock.now().timestamp()) // window
    return datetime.fromtimestamp((number + 1) * window, UTC)


def has_proof_of_work(request: HttpRequest, form: str) -> bool:
    """Return whether the guest's browser solved a puzzle for this form, and mark it as used.

    It is optional, so check it only if the load is suspicious.
    """
    return proof_of_work.redeem_solution(request, form)


def allow_attempt_with_work(request: HttpRequest, name: str, form: str, *, limit: int, window: int) -> bool:
    """Count an attempt like `allow_attempt`, with up to twice the limit for guests with proof of work."""
    if allow_attempt(request, name, limit=limit, window=window):
        return True
    return has_proof_of_work(request, form) and allow_attempt(request, name, limit=2 * limit, window=window)
