"""Responses of guest pages: access checks, rendering or cache, and visit counting.

def page(request, address):
    return render_page(request, address, lambda address: RenderedPage(render_to_string("card/page.html", …)))
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from string import ascii_lowercase, digits

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from workspace.accounts.plans import PRODUCTS
from workspace.analytics import visit_writer
from workspace.analytics.visitor import visitor_from_request
from workspace.brand.active_brand import use_brand
from workspace.lib.etags import is_not_modified
from workspace.lib.ids import SLUG_ALPHABET
from workspace.lib.messages import Message
from workspace.public_site.current_embed import EMBED_PATH, current_frame
from workspace.public_site.page_cache import RenderedPage, build_page, get_or_render
from workspace.public_site.spam_protection import is_same_origin
from workspace.publishing.account_lifecycle.closure_grace_period import CLOSING_PREFIX
from workspace.publishing.locale import add_language_headers, current_locale, use_guest_locale, use_query
from workspace.publishing.models import Address, ItemGoneError, Publication, State
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.rate_limits.counter import consume
from workspace.rate_limits.joined_attempts import (
    TooManyAttemptsError,
    count_joined_attempts,
    forget_counted_attempts,
)
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

# Page titles: the names of the products, which `accounts` defines without translation.
TITLES = [
    gettext_noop("Page"),
    gettext_noop("Forms"),
    gettext_noop("Booking pages"),
    gettext_noop("QR codes"),
    gettext_noop("Link pages"),
    gettext_noop("Business cards"),
    gettext_noop("Reviews"),
    gettext_noop("Proposals"),
    gettext_noop("Waivers"),
    gettext_noop("QR menus"),
    gettext_noop("Certificates"),
    gettext_noop("Event programs"),
    gettext_noop("Seating charts"),
]
UNLOCK_SECONDS = 12 * 60 * 60
_SALT = "publishing.unlocked"
_SLUG_PATTERN = re.compile(r"[A-Za-z0-9-]{1,50}")
_LOOKALIKES = frozenset(digits + ascii_lowercase) - frozenset(SLUG_ALPHABET)

PageRenderer = Callable[[Address], RenderedPage]
View = Callable[[HttpRequest, Address], HttpResponse]


class GuestActionDeclinedError(Exception):
    """The guest's request cannot be fulfilled now. `message` is for the guest, in the active language."""

    def __init__(self, text: str | Message, status: int = 400) -> None:
        super().__init__(text)
        self.text, self.status = text, status

    @property
    def message(self) -> str:
        """The text in the active language."""
        return str(self.text)


def render_page(
    request: HttpRequest,
    address: Address,
    render: PageRenderer,
    *,
    event: str | None = VIEW_EVENT,
    part: str = "",
    query: str = "",
    use_cache: bool = True,
) -> HttpResponse:
    """Return the page at an address that is open to this guest.

    A GET request is counted as `event` (None for no count). Bots are counted separately, and HEAD requests are not
    counted. The page is revalidated on every load (`no-cache` with an ETag), so that changes appear on the next load.
    `part` identifies additional pages (`wall/2`) that `query` selects. With `use_cache=False` the page is not cached,
    for pages with too many variants.
    """
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if is_preview(request, address.publication):
        response: HttpResponse = HttpResponse(render(address).html)
        response.headers["Cache-Control"] = "no-store"
        return response
    open_to_all = not address.publication.password
    if (around := current_frame()) is not None:
        part = f"{EMBED_PATH}/{around.theme}{part}"
    # A password-protected page is rendered each time, and cached neither here nor in the browser.
    kept_here = use_cache and open_to_all
    if kept_here:
        with use_query(query):
            page = get_or_render(request, address, lambda: render(address), part=part, event=event)
    else:
        page = build_page(lambda: render(address))
    if request.method == "GET" and event is not None:
        count_visit(request, address.publication, event)
    if open_to_all and is_not_modified(page.etag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(page.body)
    if kept_here:
        response.kept_page = page  # type: ignore[attr-defined]  # the middleware stores the headers in it
    if open_to_all:
        response.headers["ETag"] = page.etag
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers["Cache-Control"] = "no-store"
    return response


def check_access(
    request: HttpRequest, kind: str, address: Address | None, unlocked: View | None = None
) -> HttpResponse | None:
    """Return a response if the guest cannot access the page, or None if they can.

    The page may be unknown, paused, expired, deleted, banned or password-protected. The same check applies to other
    URLs of an item, such as form submissions and files. After the correct password is entered, return the response of
    `unlocked`. Without `unlocked`, set a cookie and redirect to the page.
    """
    if address is None:
        return render_state(request, kind, "unknown")
    state = address.publication.state
    if is_preview(request, address.publication) and state not in (State.BANNED, State.DELETED):
        return None
    if state is not State.LIVE:
        return render_state(request, kind, state.value, address)
    if address.publication.password and not _is_unlocked(request, address.publication):
        return _ask_password(request, kind, address, unlocked)
    return None


def mark_preview(request: HttpRequest, publication_id: str) -> None:
    """Mark a request as an owner's preview of an item.

    The dashboard creates such requests internally; they are never sent. A preview shows paused, expired and protected
    items, counts nothing and is not cached.
    """
    request.preview_of = publication_id  # type: ignore[attr-defined]


def is_preview(request: HttpRequest, publication: Publication) -> bool:
    return getattr(request, "preview_of", None) == publication.pk


@contextmanager
def guest_transaction(publication_id: str) -> Iterator[None]:
    """Open a transaction for a guest's write to a publication, which stays live until the end.

    It also counts the attempts that `joins_write`. Raise ItemGoneError if the publication is not live, and
    GuestActionDeclinedError if parallel attempts have used the limit.
    """
    with write_transaction():
        try:
            count_joined_attempts()
        except TooManyAttemptsError:
            raise GuestActionDeclinedError(
                gettext("You’ve sent this form several times. Try again in an hour."), status=429
            ) from None
        if Publication.lock_live(publication_id) is None:
            raise ItemGoneError
        yield
    forget_counted_attempts()


def gone_response(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the response after ItemGoneError."""
    address = Address.find_by_slug(kind, slug)
    return check_access(request, kind, address) or render_state(request, kind, "unknown")


def count_visit(request: HttpRequest, publication: Publication, event: str, *, part: str = "") -> None:
    """Count an event of a guest. A failure must not affect the response."""
    if is_preview(request, publication):
        return
    try:
        visit_writer.record_visit(publication.pk, event, visitor_from_request(request), part=part)
    except visit_writer.VisitQueueFullError:
        pass  # the writer logs how many are lost
    except Exception:
        logger.exception("A visit of %s is lost; the guest is served", publication.pk)


def render_state(
    request: HttpRequest, kind: str, reason: str, address: Address | None = None, **more: object
) -> HttpResponse:
    """Render a page that explains why there is no content.

    `reason` is `unknown`, `password`, `coming` (with `title` and `when`) or a state.
    """
    status = int(str(more.pop("status", {"deleted": 410, "password": 200}.get(reason, 404))))
    account = address.publication.account if address else None
    if reason == State.BANNED and account is not None and account.closes_at is not None:
        reason = "closed" if address and address.publication.ban_reason.startswith(CLOSING_PREFIX) else reason
    context = {
        "why": reason,
        "kind": kind,
        "slug": address.slug if address else "",
        "business": account.name if account else "",
        **more,
    }
    with use_brand(account), use_guest_locale(request):
        context["thing"] = gettext(PRODUCTS[kind].title if kind in PRODUCTS else "Page")
        response = add_language_headers(render(request, "public/state.html", context, status=status))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def unknown_response(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the page for an unknown slug.

    It shows the slug, so that guests can compare it with the printed one, unless it could be mistaken for our wording.
    """
    typed = (
        f"{settings.BASE_URL.partition('://')[2]}{PRODUCTS[kind].path}{slug}" if _SLUG_PATTERN.fullmatch(slug) else ""
    )
    return render_state(
        request, kind, "unknown", typed=typed, lookalike=bool(typed and _LOOKALIKES & set(slug.lower()))
    )


def _ask_password(request: HttpRequest, kind: str, address: Address, unlocked: View | None) -> HttpResponse:
    """Render the password form, or check the submitted password."""
    if request.method != "POST" or "password" not in request.POST:
        return render_state(request, kind, "password", address)
    if not is_same_origin(request):
        problem, status = _("Enter the password on this page."), 403
    elif not consume("unlock", request, item=address.publication_id):
        problem, status = _("Too many attempts. Try again in 10 minutes."), 429
    elif not address.publication.accepts_password(request.POST["password"][:200]):
        problem, status = _("Wrong password. Try again."), 403
    elif unlocked is not None:
        return unlocked(request, address)
    else:
        response = HttpResponseRedirect(current_locale().localize_url(request.path))
        response.set_signed_cookie(
            _cookie_name(address.publication),
            _password_signature(address.publication),
            salt=_SALT,
            max_age=UNLOCK_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
        return response
    return render_state(request, kind, "password", address, problem=problem, status=status)


def _cookie_name(publication: Publication) -> str:
    return f"open_{publication.pk}"


def _password_signature(publication: Publication) -> str:
    """Return a signature that changes with the password, so that old cookies become invalid."""
    return signing.Signer(salt=_SALT).signature(publication.password)


def _is_unlocked(request: HttpRequest, publication: Publication) -> bool:
    word = request.get_signed_cookie(_cookie_name(publication), default=None, salt=_SALT, max_age=UNLOCK_SECONDS)
    try:
        signing.Signer(salt=_SALT).unsign(f"{publication.password}:{word}")
    except signing.BadSignature:
        return False
    return True
