"""All rate limits of the service, by name. `counter.consume(name, …)` counts them.

To add a limit, add a line to `_TABLE` and call `consume` where the attempt is made. `tests/across/test_rate_limits.py`
tests the number of every line, and fails for a line that nothing uses. Limits on size and number (items of an account,
rows of a file, jobs at once) are not rate limits, and are in the code that they limit. This module does not import
Django, because the settings use it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from workspace.lib import clock

MINUTE, HOUR, DAY = 60, 3600, 86_400


class Subject(StrEnum):
    """The subject whose attempts a limit counts."""

    ADDRESS = "client address, with IPv6 as its /64"
    PERSON = "signed-in person"
    CALLER = "API key or connected app"
    ACCOUNT = "account"
    EMAIL = "email address"
    ITEM = "item, whoever acts"
    INSTANCE = "the whole instance"


class Store(StrEnum):
    """Where the attempts are counted."""

    COUNTER = "in `RateCounter`; windows start at multiples of their length and at midnight UTC"
    VALUES = "distinct values in `RateCounter`; also in memory, while the database cannot be written"
    QUOTA = "in `CallQuota`; also in memory, while the database cannot be written"
    ROWS = "in rows that the caller stores anyway; the window ends now"
    ALLAUTH = "in the cache, by allauth; the window ends now"


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` attempts of a subject within `window` seconds, which is at most a day.

    `per_item` means that the subject's attempts are counted separately for each item. `doubles_with_work` means that
    guests with proof of work have twice as many attempts. `action` is allauth's name for a limit.
    """

    name: str
    count: int
    window: int
    by: Subject
    reason: str
    _: KW_ONLY
    per_item: bool = False
    doubles_with_work: bool = False
    store: Store = Store.COUNTER
    action: str = ""

    def window_start(self) -> datetime:
        """Return the start of a window that ends now. A limit of `Store.ROWS` counts rows after this time."""
        return clock.now() - timedelta(seconds=self.window)


_ADDRESS, _PERSON, _CALLER, _EMAIL = Subject.ADDRESS, Subject.PERSON, Subject.CALLER, Subject.EMAIL
_ACCOUNT, _ITEM, _INSTANCE = Subject.ACCOUNT, Subject.ITEM, Subject.INSTANCE
_VALUES, _QUOTA, _ROWS, _ALLAUTH = Store.VALUES, Store.QUOTA, Store.ROWS, Store.ALLAUTH

# fmt: off
_TABLE = (
    # guest pages of all products
    Limit("unlock", 10, 600, _ADDRESS, "passwords tried on a page", per_item=True),
    Limit("report", 5, HOUR, _ADDRESS, "abuse reports"),
    Limit("verify", 30, HOUR, _ADDRESS, "files verified"),
    Limit("large-body", 60, HOUR, _ADDRESS, "large uploads without sign-in, more than two pages accept"),
    Limit("large-qr-image", 100, 600, _ADDRESS, "QR images rendered above the default size"),
    Limit("share-image", 40, 600, _ADDRESS, "share preview images rendered"),
    Limit("invite-link", 60, HOUR, _ADDRESS, "invite links opened, so that codes cannot be guessed"),
    Limit("answered-page", 1000, 900, _INSTANCE, "pages stored after a post, so that a flood cannot fill the cache",
          store=_ROWS),
    Limit("guest-link", 3, DAY, _EMAIL, "unused links of one purpose; a stranger cannot cause more emails",
          store=_ROWS),
    # bid
    Limit("bid-post", 120, HOUR, _ADDRESS, "POST requests to a proposal", per_item=True),
    Limit("bid-view", 60, HOUR, _ADDRESS, "views of a proposal that are recorded", per_item=True),
    Limit("bid-approve", 20, HOUR, _ADDRESS, "the form to approve", per_item=True, doubles_with_work=True),
    Limit("bid-decline", 20, HOUR, _ADDRESS, "the form to decline", per_item=True, doubles_with_work=True),
    Limit("bid-ask", 5, HOUR, _ADDRESS, "the form to ask a question", per_item=True, doubles_with_work=True),
    Limit("bid-code-request", 6, HOUR, _ADDRESS, "confirmation codes requested", per_item=True),
    Limit("bid-code-hourly", 3, HOUR, _ITEM, "confirmation codes emailed", store=_ROWS),
    Limit("bid-code-daily", 10, DAY, _ITEM, "confirmation codes emailed", store=_ROWS),
    Limit("bid-code-wrong", 5, HOUR, _ITEM, "wrong confirmation codes", store=_ROWS),
    # booking
    Limit("booking", 20, HOUR, _ADDRESS, "bookings on a page", per_item=True, doubles_with_work=True),
    Limit("booking-unconfirmed", 6, HOUR, _ADDRESS, "bookings held without payment or approval, so that no one fills "
          "an owner's week with them", per_item=True, doubles_with_work=True),
    Limit("booking-change", 20, HOUR, _ADDRESS, "changes of a booking by its link", per_item=True),
    # card
    Limit("card-lead", 5, HOUR, _ADDRESS, "contact details left with a card", per_item=True, doubles_with_work=True),
    Limit("card-mail", 5, HOUR, _ADDRESS, "cards emailed, of all accounts", doubles_with_work=True),
    Limit("card-mail-daily", 100, DAY, _ITEM, "copies of a card emailed"),
    # certs
    Limit("cert-code", 60, HOUR, _ADDRESS, "unknown certificate codes, so that codes cannot be guessed"),
    Limit("cert-image", 60, HOUR, _ADDRESS, "certificate images rendered"),
    Limit("cert-status", 600, HOUR, _ADDRESS, "status lists of badges signed"),
    # event
    Limit("event-star", 120, 600, _ADDRESS, "sessions starred", per_item=True),
    Limit("event-list-create", 5, HOUR, _ADDRESS, "lists of starred sessions created", per_item=True),
    Limit("event-list-update", 60, 600, _ADDRESS, "lists of starred sessions updated", per_item=True),
    # form
    Limit("form", 120, HOUR, _ADDRESS, "responses", per_item=True, doubles_with_work=True),
    Limit("form-unsuspected", 10, HOUR, _ADDRESS, "responses that are not marked as possible spam", per_item=True),
    Limit("form-step", 600, HOUR, _ADDRESS, "pages of a form submitted", per_item=True),
    Limit("form-progress", 600, HOUR, _ADDRESS, "pages of a form counted", per_item=True),
    Limit("form-prefill", 600, HOUR, _ADDRESS, "forms opened with values in the link", per_item=True),
    Limit("form-save", 10, HOUR, _ADDRESS, "links to resume a form requested", per_item=True),
    Limit("form-resume", 600, HOUR, _ADDRESS, "links to resume a form opened", per_item=True),
    Limit("form-file", 60, HOUR, _ADDRESS, "files of a form uploaded", per_item=True),
    # reviews
    Limit("review", 30, HOUR, _ADDRESS, "reviews", per_item=True),
    Limit("review-unsuspected", 3, HOUR, _ADDRESS, "reviews that are not marked as possible spam", per_item=True),
    Limit("review-confirm", 30, 600, _ADDRESS, "links to confirm a review opened", per_item=True),
    # seat
    Limit("seat-name", 60, 600, _ADDRESS, "names that a guest did not type in full; a whole wedding may search from "
          "one network", per_item=True, store=_VALUES),
    # waiver
    Limit("waiver-sign", 60, HOUR, _ADDRESS, "signings; a group may arrive at once", per_item=True,
          doubles_with_work=True),
    Limit("waiver-kiosk-sign", 600, HOUR, _ADDRESS, "signings at a kiosk", per_item=True),
    Limit("waiver-kiosk-pin", 10, 600, _ADDRESS, "PINs tried at a kiosk", per_item=True),
    Limit("waiver-invitation", 500, DAY, _ACCOUNT, "people asked by email to sign", store=_ROWS),
    # accounts and their owners
    Limit("calls-free", 100, DAY, _CALLER, "tool calls of an account without a paid plan", store=_QUOTA),
    Limit("calls-paid", 5000, DAY, _CALLER, "tool calls of an account with a paid plan", store=_QUOTA),
    Limit("notification", 20, HOUR, _ACCOUNT, "emails of one kind; the rest is reported with the next", store=_ROWS),
    Limit("friend-invitation", 20, DAY, _ACCOUNT, "invitations of friends by email", store=_ROWS),
    Limit("member-invitation", 30, DAY, _PERSON, "invitations of members by email"),
    Limit("personal-data", 120, HOUR, _PERSON, "searches for a person's data"),
    Limit("linked-app", 30, HOUR, _PERSON, "connections to a linked app, and refreshes of its tools"),
    # programs that request access
    Limit("device-start", 10, MINUTE, _ADDRESS, "requests of a program for an API key"),
    Limit("device-start-hourly", 60, HOUR, _ADDRESS, "requests of a program for an API key"),
    Limit("device-token", 300, MINUTE, _ADDRESS, "a program's questions whether it may have its key"),
    Limit("device-code", 10, 300, _PERSON, "codes of programs typed; a wrong one is a guess"),
    Limit("device-code-address", 30, 300, _ADDRESS, "codes of programs typed; a wrong one is a guess"),
    Limit("oauth-registration", 100, DAY, _ADDRESS, "OAuth clients registered"),
    Limit("oauth-registration-total", 5000, DAY, _INSTANCE, "OAuth clients registered"),
    # support
    Limit("ticket", 10, DAY, _ACCOUNT, "tickets opened; of senders without an account, by email address", store=_ROWS),
    Limit("ticket-unknown-sender", 200, DAY, _INSTANCE, "tickets of senders without an account", store=_ROWS),
    Limit("ticket-loop", 5, 600, _ITEM, "emails to a ticket, so that two programs cannot answer each other",
          store=_ROWS),
    Limit("support-email", 5000, DAY, _INSTANCE, "emails to support", store=_ROWS),
    # sign-in pages, which are allauth's
    Limit("sign-up", 20, MINUTE, _ADDRESS, "accounts created", store=_ALLAUTH, action="signup"),
    Limit("sign-up-daily", 100, DAY, _ADDRESS, "accounts created", store=_ALLAUTH, action="signup"),
    Limit("sign-in", 30, MINUTE, _ADDRESS, "sign-ins", store=_ALLAUTH, action="login"),
    Limit("sign-in-failed", 10, MINUTE, _ADDRESS, "failed sign-ins", store=_ALLAUTH, action="login_failed"),
    Limit("sign-in-failed-email", 5, 300, _EMAIL, "failed sign-ins", store=_ALLAUTH, action="login_failed"),
    Limit("confirm-again", 10, MINUTE, _PERSON, "sign-ins confirmed again", store=_ALLAUTH, action="reauthenticate"),
    Limit("email-confirmation", 1, 180, _EMAIL, "links to confirm an address", store=_ALLAUTH, action="confirm_email"),
    Limit("email-change", 10, MINUTE, _PERSON, "changes of addresses", store=_ALLAUTH, action="manage_email"),
    Limit("password-change", 5, MINUTE, _PERSON, "changes of a password", store=_ALLAUTH, action="change_password"),
    Limit("password-reset", 20, MINUTE, _ADDRESS, "links to reset a password", store=_ALLAUTH, action="reset_password"),
    Limit("password-reset-email", 5, HOUR, _EMAIL, "links to reset a password", store=_ALLAUTH,
          action="reset_password"),
    Limit("password-reset-link", 20, MINUTE, _ADDRESS, "links to reset a password opened", store=_ALLAUTH,
          action="reset_password_from_key"),
)
# fmt: on

LIMITS = {limit.name: limit for limit in _TABLE}
_UNIT_NAMES = {MINUTE: "m", HOUR: "h", DAY: "d"}
_ALLAUTH_SUBJECTS = {Subject.ADDRESS: "ip", Subject.PERSON: "user", Subject.EMAIL: "key"}


def get_limit(name: str) -> Limit:
    """Return the limit with this name. Raise KeyError if it is not in the table."""
    return LIMITS[name]


def allauth_rates() -> dict[str, str]:
    """Return the limits of the sign-in pages for the setting `ACCOUNT_RATE_LIMITS`, such as `20/m/ip,100/d/ip`."""
    rates: dict[str, list[str]] = {}
    for limit in LIMITS.values():
        if limit.store is Store.ALLAUTH:
            window = _UNIT_NAMES.get(limit.window, f"{limit.window}s")
            rates.setdefault(limit.action, []).append(f"{limit.count}/{window}/{_ALLAUTH_SUBJECTS[limit.by]}")
    return {action: ",".join(parts) for action, parts in rates.items()}
