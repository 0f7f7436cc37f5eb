"""Forms that anybody may send: told from a machine's and from another site's without a cookie and without script, so
that a cached page works. No address is kept: who tries how often is counted under a hash of the day."""

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
MIN_SECONDS = 2.0  # seconds that a person needs for the shortest form
MAX_AGE_SECONDS = 7 * 86_400  # longer than any cache holds a page

_COUNT_SQL = "SELECT count FROM publishing_ratecounter WHERE key = %s"
_INCREMENT_SQL = """
INSERT INTO publishing_ratecounter (key, count, expires_at) VALUES (%s, 1, %s)
ON CONFLICT (key) DO UPDATE SET count = publishing_ratecounter.count + 1 WHERE publishing_ratecounter.count < %s
RETURNING count
"""


class SpamVerdict(StrEnum):
    """What to think of a form that came in. A trapped one is best thanked for and forgotten."""

    FINE = "fine"
    FOREIGN = "foreign"
    TRAPPED = "trapped"
    HASTY = "hasty"
    STALE = "stale"

    @property
    def advice(self) -> str:
        """What to tell the guest; empty when all is well."""
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
    """For inside the form's element: the stamp of when it was made, a field that people do not see, and one that
    public/work.js fills where script runs (a page that includes it). `since` is the stamp of a page before this one,
    from which on the guest's time counts."""
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
        reverse("guest-work"),
        urlencode({"form": form}),
    )


def check_submission(
    request: HttpRequest, form: str, *, least: float = MIN_SECONDS, longest: int = MAX_AGE_SECONDS, waits: bool = True
) -> SpamVerdict:
    """`form`: the name that its hidden fields were made with. `least` and `longest`: seconds since then; a page from a
    cache is old and passes. A form that was sent too fast waits for the missing time in the server, for views that
    change nothing on HASTY (`waits`)."""
    if not is_same_origin(request):
        return SpamVerdict.FOREIGN
    if request.POST.get(TRAP_FIELD):
        return SpamVerdict.TRAPPED
    made = _parse_stamp(request.POST.get(STAMP_FIELD, ""), form, longest)
    if made is None:
        return SpamVerdict.STALE
    missing = least - (time.time() - made)
    if missing <= 0:
        return SpamVerdict.FINE
    if waits and isinstance(hold := request.META.get(DELAY_KEY), Delay):
        hold.seconds = missing
    return SpamVerdict.HASTY


def _parse_stamp(stamp: str, form: str, longest: int) -> float | None:
    try:
        return float(signing.loads(stamp, salt=f"form:{form}", max_age=longest))
    except (signing.BadSignature, ValueError, TypeError):
        return None


def is_same_origin(request: HttpRequest) -> bool:
    """Whether the browser says that a page of this service sent the form. Every browser that could carry somebody's
    rights says so; what says nothing is no browser."""
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
    """Take one of the guest's `limit` attempts at `name` within the window (seconds, at most a day) and say whether one
    was left. Exact under parallel calls; windows begin at whole multiples of their length, and afresh at midnight in
    UTC. Whoever only changes the browser is still the same guest."""
    return allow_address(client_address(request), name, limit=limit, window=window)


def allow_address(address: str, name: str, *, limit: int, window: int) -> bool:
    """The same for whom no view sees; `address` is the guest's, as text."""
    key = attempt_key(address, name, window)
    ends = connection.ops.adapt_datetimefield_value(window_end(window))
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_SQL, [key])
        taken = cursor.fetchone()
    if taken is not None and taken[0] >= limit:
        return False  # who goes on trying costs no write
    with write_transaction(relaxed=True), connection.cursor() as cursor:
        cursor.execute(_INCREMENT_SQL, [key, ends, limit])
        return cursor.fetchone() is not None


def attempt_key(address: str, name: str, window: int) -> str:
    """Return the key under which an address is counted for a name in the current window. It holds no address."""
    moment = clock.now()
    number = int(moment.timestamp()) // window
    told = "\0".join(
        (get_salt(moment.date()), name, compute_digest(truncate_address(address)), str(window), str(number))
    )
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()


def window_end(window: int) -> datetime:
    """Return when the current window of so many seconds ends."""
    number = int(clock.now().timestamp()) // window
    return datetime.fromtimestamp((number + 1) * window, UTC)


def has_proof_of_work(request: HttpRequest, form: str) -> bool:
    """Whether the guest's browser has worked for this form, which speaks against a flood. It is never asked for: look
    only where the load is suspicious, since looking spends it."""
    return proof_of_work.redeem_solution(request, form)


def allow_attempt_with_work(request: HttpRequest, name: str, form: str, *, limit: int, window: int) -> bool:
    """Like `allow_attempt`; whoever is past the limit gets up to twice as many, each for work done for the form."""
    if allow_attempt(request, name, limit=limit, window=window):
        return True
    return has_proof_of_work(request, form) and allow_attempt(request, name, limit=2 * limit, window=window)
