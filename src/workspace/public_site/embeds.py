"""What stands on other websites, in a frame: which of them may show it, what those see that may not, and telling the
owner about them.

A browser enforces `frame-ancestors` and shows its own grey box where it refuses: nobody learns why. The request for the
frame names the website around it, so a refusal can be told beforehand: in the frame, in words, and to the owner.

A product's model is an `Embeddable`, and names in its addresses what stands in the frame:

    guest_urlpatterns(Form, page=views.page, framed={"": views.page, "/thanks": thank_you_views.thank_you}, ...)

Its pages use `build_part_url` for their own addresses, extend `public/page.html`, and need no cookie and no storage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from typing_extensions import TypedDict

from workspace.accounts.plans import PRODUCTS
from workspace.analytics.cardinality_limit import OTHERS
from workspace.analytics.queries import DIRECT, compute_statistics
from workspace.brand.active_style import use_brand, use_tone
from workspace.lib.content_security_policy import build_policy
from workspace.public_site import guest_page
from workspace.public_site.active_frame import EMBED_PATH, THEMES, Frame, use_frame
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address, Embeddable, State

REFUSED_EVENT = "refused"  # the event by which such requests are counted; the website is the visit's referrer
STATS_DAYS = 30
MAX_WEBSITES = 10
_PORTS = {"http": 80, "https": 443}
_SCRIPT_TYPE = "text/javascript; charset=utf-8"
_LOADER_PATH = Path(__file__).resolve().parent / "static" / "public" / "widget.js"

View = Callable[..., HttpResponse]
Policy = Callable[[str], str]  # of the sources of `frame-ancestors`


@dataclass(frozen=True, slots=True)
class Website:
    """The origin of a page: `host` in lower case, as browsers send it."""

    scheme: str
    host: str
    port: int

    @classmethod
    def from_request(cls, request: HttpRequest) -> Website | None:
        """The website in whose frame this is asked for; None where it is in none, or where the browser does not say."""
        if request.headers.get("Sec-Fetch-Dest") not in ("iframe", "frame"):
            return None
        try:
            parts = urlsplit(request.headers.get("Referer", "")[:2048])
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:
            return None
        return cls(parts.scheme, (parts.hostname or "").rstrip("."), port) if port and parts.hostname else None

    @property
    def host_and_port(self) -> str:
        """As an owner enters it among the hosts."""
        return self.host if self.port in _PORTS.values() else f"{self.host}:{self.port}"


def can_frame(website: Website, found: Embeddable) -> bool:
    """As browsers match the sources of `frame-ancestors`: a host without a scheme stands for the service's own scheme
    or a safer one, one without a port for the scheme's usual one."""
    own = urlsplit(settings.BASE_URL)
    if (website.scheme, website.host, website.port) == (own.scheme, own.hostname, own.port or _PORTS[own.scheme]):
        return True
    if website.scheme not in (own.scheme, "https"):
        return False
    return any(_matches_source(website, host) for host in found.hosts)


def _matches_source(website: Website, source: str) -> bool:
    port = source.partition(":")[2]
    return int(port or _PORTS[website.scheme]) == website.port and _matches_host(source, website.host)


class RefusedWebsite(TypedDict):
    host: str
    times: int


def list_refused_websites(found: Embeddable) -> list[RefusedWebsite]:
    """The websites that asked for the frame within 30 days and may not have it, those that asked most first. Anybody
    can make a browser say so: it is a hint, never a permission."""
    asked = compute_statistics(
        found.publication_id, REFUSED_EVENT, days=STATS_DAYS, zone=found.account.zone
    ).by_referrer
    rows: list[RefusedWebsite] = [
        {"host": share.value, "times": share.count}
        for share in asked
        if share.value not in (DIRECT, OTHERS) and not any(_matches_host(host, share.value) for host in found.hosts)
    ]
    return rows[:MAX_WEBSITES]


def _matches_host(source: str, host: str) -> bool:
    name = source.partition(":")[0]
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


class Snippets(TypedDict):
    script: str
    iframe: str


def build_snippets(found: Embeddable, title: str, height: int) -> Snippets:
    """HTML for the owner's website: `script` loads a frame that fits its height, `iframe` is one of a fixed height in
    CSS pixels, without script."""
    url = escape(found.public_url)
    return {
        "script": f'<script src="{url}/widget.js" async></script>',
        "iframe": f'<iframe src="{url}{EMBED_PATH}" title="{escape(title)}" loading="lazy" width="100%" '
        f'height="{height}" style="border:0;color-scheme:light"></iframe>',
    }


def embed_view(thing: type[Embeddable], view: View, allows: Policy = build_policy) -> View:
    """A view of an address, in a frame on the websites that the owner named, and on no other. `allows` makes the policy
    of its pages, where it is not that of all."""

    @wraps(view)
    def inside(request: HttpRequest, address: Address, **parts: str) -> HttpResponse:
        theme = request.GET.get("theme", "")
        found = thing.from_address(address)
        at = Frame(theme if theme in THEMES else THEMES[0])
        with use_frame(at), use_tone(at.tone):
            around = Website.from_request(request)
            if around is not None and not can_frame(around, found):
                return _render_refused(request, found, around, allows)
            response = _render_unavailable(request, address) or view(request, address, **parts)
        response.headers["Content-Security-Policy"] = allows(found.frame_ancestors)
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return inside


def _render_refused(request: HttpRequest, found: Embeddable, around: Website, allows: Policy) -> HttpResponse:
    """What stands in a frame on a website that the owner did not name: why, and not one word of theirs."""
    if request.method == "GET":
        guest_page.count_visit(request, found.publication, REFUSED_EVENT)
    context = {
        "host": around.host_and_port,
        "insecure": around.scheme == "http",
        "product": PRODUCTS[found.kind].title,  # as the dashboard calls it, which speaks English
    }
    with use_brand(None):
        response = render(request, "public/not_here.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = allows("*")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _render_unavailable(request: HttpRequest, address: Address) -> HttpResponse | None:
    """A pause is no error on somebody's website: the frame says so in one line. Browsers keep no cookie for a frame, so
    behind a password there is nothing to show."""
    state = address.publication.state
    is_locked = state is State.LIVE and bool(address.publication.password)
    if guest_page.is_preview(request, address.publication) or (state is State.LIVE and not is_locked):
        return None
    context = {
        "business": address.publication.account.name if address.publication.account else "",
        "url": current_locale().localize_url(
            f"{settings.BASE_URL}{PRODUCTS[address.publication.kind].path}{address.slug}"
        ),
        "locked": is_locked,
    }
    response = render(request, "public/resting.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def widget(request: HttpRequest, address: Address) -> HttpResponse:
    """`…/SLUG/widget.js`: puts the frame where it stands, and fits its height. The same for all things: it reads its
    own address."""
    if address.publication.password:
        told = "// This page asks for a password, so it is shown nowhere else.\n"
        return HttpResponse(told, content_type=_SCRIPT_TYPE, status=404, headers={"Cache-Control": "no-store"})
    response = HttpResponse(_read_loader(), content_type=_SCRIPT_TYPE)
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@cache
def _read_loader() -> bytes:
    return _LOADER_PATH.read_bytes()
