"""How every product's guest page is answered: found, let in or told why not, drawn or taken from the cache, counted.

def page(request, address):
    return show(request, address, lambda address: Drawn(render_to_string("card/page.html", …)))
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
from workspace.brand.active_style import use_brand
from workspace.lib.etags import is_not_modified
from workspace.lib.ids import SLUG_ALPHABET
from workspace.public_site.active_frame import EMBED_PATH, current_frame
from workspace.public_site.page_cache import RenderedPage, build_page, get_or_render
from workspace.public_site.spam_protection import allow_attempt, is_same_origin
from workspace.publishing.account_lifecycle.grace_period import CLOSING_PREFIX
from workspace.publishing.locale import add_language_headers, current_locale, use_guest_locale, use_query
from workspace.publishing.models import Address, ItemGoneError, Publication, State
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

# what a page's tab says: the products' titles, which the account room names without a language
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
MAX_UNLOCK_ATTEMPTS, UNLOCK_WINDOW_SECONDS = 10, 600
_SALT = "publishing.unlocked"
_SLUG_PATTERN = re.compile(r"[A-Za-z0-9-]{1,50}")
_LOOKALIKES = frozenset(digits + ascii_lowercase) - frozenset(SLUG_ALPHABET)

PageRenderer = Callable[[Address], RenderedPage]
View = Callable[[HttpRequest, Address], HttpResponse]


def render_page(
    request: HttpRequest,
    address: Address,
    draw: PageRenderer,
    *,
    event: str | None = VIEW_EVENT,
    part: str = "",
    query: str = "",
    keep: bool = True,
) -> HttpResponse:
    """A page of an address that is open to this guest. A GET counts as `event` (None for nothing) unless it comes from
    a bot, which is counted apart; HEAD does not count. The answer is revalidated on every load (`no-cache` with an
    ETag), so a change shows at the next one. `part` names a page beside the first one (`wall/2`), which `query` asks
    for; `keep=False` draws it each time, where variants are too many to be worth keeping."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    if is_preview(request, address.publication):
        response: HttpResponse = HttpResponse(draw(address).html)
        response.headers["Cache-Control"] = "no-store"
        return response
    open_to_all = not address.publication.password
    if (around := current_frame()) is not None:
        part = f"{EMBED_PATH}/{around.theme}{part}"
    # what a password protects is drawn each time and kept nowhere, neither here nor in the browser
    kept_here = keep and open_to_all
    if kept_here:
        with use_query(query):
            page = get_or_render(request, address, lambda: draw(address), part=part, event=event)
    else:
        page = build_page(draw(address))
    if request.method == "GET" and event is not None:
        count_visit(request, address.publication, event)
    if open_to_all and is_not_modified(page.etag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(page.body)
    if kept_here:
        response.kept_page = page  # type: ignore[attr-defined]  # the middleware tells it its headers
    if open_to_all:
        response.headers["ETag"] = page.etag
        response.headers["Cache-Control"] = "no-cache"
    else:
        response.headers["Cache-Control"] = "no-store"
    return response


def check_access(
    request: HttpRequest, kind: str, address: Address | None, unlocked: View | None = None
) -> HttpResponse | None:
    """Why a guest does not get to the page: it is unknown, paused, expired, deleted, banned, or asks for its password.
    None when they do. For a product's other addresses (a form that is sent, a file) as for the page itself. Who sends
    the right password gets what `unlocked` answers; without it their browser is remembered and sent to the page."""
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
    """Mark a request as its owner's look at a thing: made inside of the service by their dashboard, never sent. It sees
    what is paused, expired or behind a password, counts nothing and is kept nowhere."""
    request.preview_of = publication_id  # type: ignore[attr-defined]


def is_preview(request: HttpRequest, publication: Publication) -> bool:
    return getattr(request, "preview_of", None) == publication.pk


@contextmanager
def guest_transaction(publication_id: str) -> Iterator[None]:
    """A guest's write, in a transaction of its own, on a publication that stays live until it is done. Raises
    ItemGoneError."""
    with write_transaction():
        if Publication.lock_live(publication_id) is None:
            raise ItemGoneError
        yield


def gone_response(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """What the guest is told after Gone."""
    address = Address.find_by_slug(kind, slug)
    return check_access(request, kind, address) or render_state(request, kind, "unknown")


def count_visit(request: HttpRequest, publication: Publication, event: str, *, part: str = "") -> None:
    """Count a guest's act. Whatever becomes of the count, the guest is served."""
    if is_preview(request, publication):
        return
    try:
        visit_writer.record_visit(publication.pk, event, visitor_from_request(request), part=part)
    except visit_writer.VisitQueueFullError:
        pass  # the writer tells how many are lost
    except Exception:
        logger.exception("A visit of %s is lost; the guest is served", publication.pk)


def render_state(
    request: HttpRequest, kind: str, why: str, address: Address | None = None, **more: object
) -> HttpResponse:
    """A friendly page that says why there is none: `why` is unknown, password, coming (with
    `title` and `when`), or a state."""
    status = int(str(more.pop("status", {"deleted": 410, "password": 200}.get(why, 404))))
    account = address.publication.account if address else None
    if why == State.BANNED and account is not None and account.closes_at is not None:
        why = "closed" if address and address.publication.ban_reason.startswith(CLOSING_PREFIX) else why
    context = {
        "why": why,
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
    """Nothing is at the slug. It is shown, for comparing with the paper, unless it could pass for a text of ours."""
    typed = (
        f"{settings.BASE_URL.partition('://')[2]}{PRODUCTS[kind].path}{slug}" if _SLUG_PATTERN.fullmatch(slug) else ""
    )
    return render_state(
        request, kind, "unknown", typed=typed, lookalike=bool(typed and _LOOKALIKES & set(slug.lower()))
    )


def _ask_password(request: HttpRequest, kind: str, address: Address, unlocked: View | None) -> HttpResponse:
    """Ask for the password, or take the one that was sent."""
    if request.method != "POST" or "password" not in request.POST:
        return render_state(request, kind, "password", address)
    if not is_same_origin(request):
        problem, status = _("Please send the password from this page."), 403
    elif not allow_attempt(
        request, f"unlock:{address.publication_id}", limit=MAX_UNLOCK_ATTEMPTS, window=UNLOCK_WINDOW_SECONDS
    ):
        problem, status = _("Too many attempts. Please wait ten minutes."), 429
    elif not address.publication.accepts_password(request.POST["password"][:200]):
        problem, status = _("That is not the password. Please try again."), 403
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
    """Changes with the password, so that an old cookie opens nothing new."""
    return signing.Signer(salt=_SALT).signature(publication.password)


def _is_unlocked(request: HttpRequest, publication: Publication) -> bool:
    word = request.get_signed_cookie(_cookie_name(publication), default=None, salt=_SALT, max_age=UNLOCK_SECONDS)
    try:
        signing.Signer(salt=_SALT).unsign(f"{publication.password}:{word}")
    except signing.BadSignature:
        return False
    return True
