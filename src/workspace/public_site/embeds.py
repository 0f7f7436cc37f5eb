"""Items embedded in other websites: permitted websites, refusals, and their statistics.

A browser enforces `frame-ancestors` and shows an empty box if it refuses, without a reason. The request for a frame
names the website around it, so a refusal can be explained in the frame and reported to the owner. A product's model
extends `Embeddable` and lists the pages in the frame:

    guest_urlpatterns(Form, page=views.page, embed_views={"": views.page, "/thanks": thank_you_views.thank_you}, ...)

Its pages use `build_part_url` for their own URLs, extend `public/page.html`, and need no cookies or storage.
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
from workspace.brand.active_brand import use_brand, use_tone
from workspace.lib.content_security_policy import build_policy
from workspace.public_site import guest_page
from workspace.public_site.current_embed import EMBED_PATH, THEMES, Frame, use_frame
from workspace.publishing.locale import current_locale
from workspace.publishing.models import Address, Embeddable, State

REFUSED_EVENT = "refused"  # event that counts refused requests; the visit's referrer is the website
STATS_DAYS = 30
MAX_WEBSITES = 10
_PORTS = {"http": 80, "https": 443}
_SCRIPT_TYPE = "text/javascript; charset=utf-8"
_LOADER_PATH = Path(__file__).resolve().parent / "static" / "public" / "widget.js"

View = Callable[..., HttpResponse]
Policy = Callable[[str], str]  # takes the sources of `frame-ancestors`


@dataclass(frozen=True, slots=True)
class Website:
    """The origin of a website. `host` is in lower case, as browsers send it."""

    scheme: str
    host: str
    port: int

    @classmethod
    def from_request(cls, request: HttpRequest) -> Website | None:
        """Return the website that embeds the requested page in a frame.

        Return None if there is no frame, or if the browser does not report it.
        """
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
        """The host as an owner enters it, with a non-standard port."""
        return self.host if self.port in _PORTS.values() else f"{self.host}:{self.port}"


def can_frame(website: Website, item: Embeddable) -> bool:
    """Return whether a website may embed an item, according to the rules of `frame-ancestors`.

    A host without a scheme matches the scheme of this service or https. A host without a port matches the scheme's
    standard port.
    """
    own = urlsplit(settings.BASE_URL)
    if (website.scheme, website.host, website.port) == (own.scheme, own.hostname, own.port or _PORTS[own.scheme]):
        return True
    if website.scheme not in (own.scheme, "https"):
        return False
    return any(_matches_source(website, host) for host in item.hosts)


def _matches_source(website: Website, source: str) -> bool:
    port = source.partition(":")[2]
    return int(port or _PORTS[website.scheme]) == website.port and _matches_host(source, website.host)


class RefusedWebsite(TypedDict):
    host: str
    times: int


def list_refused_websites(item: Embeddable) -> list[RefusedWebsite]:
    """Return the websites that were refused within the last 30 days, most requests first.

    Anyone can send the name of any website, so this is only a hint and never a permission.
    """
    counts = compute_statistics(item.publication_id, REFUSED_EVENT, days=STATS_DAYS, zone=item.account.zone).by_referrer
    rows: list[RefusedWebsite] = [
        {"host": share.value, "times": share.count}
        for share in counts
        if share.value not in (DIRECT, OTHERS) and not any(_matches_host(host, share.value) for host in item.hosts)
    ]
    return rows[:MAX_WEBSITES]


def _matches_host(source: str, host: str) -> bool:
    name = source.partition(":")[0]
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


class Snippets(TypedDict):
    script: str
    iframe: str


def build_snippets(item: Embeddable, title: str, height: int) -> Snippets:
    """Return HTML for the owner's website.

    `script` loads a frame that adapts its height. `iframe` needs no script and has a fixed height in CSS pixels.
    """
    url = escape(item.public_url)
    return {
        "script": f'<script src="{url}/widget.js" async></script>',
        "iframe": f'<iframe src="{url}{EMBED_PATH}" title="{escape(title)}" loading="lazy" width="100%" '
        f'height="{height}" style="border:0;color-scheme:light"></iframe>',
    }


def embed_view(model: type[Embeddable], view: View, frame_policy: Policy = build_policy) -> View:
    """Return the view for a frame on the websites that the owner permits.

    `frame_policy` builds the content security policy if it differs from the default.
    """

    @wraps(view)
    def inside(request: HttpRequest, address: Address, **parts: str) -> HttpResponse:
        theme = request.GET.get("theme", "")
        found = model.from_address(address)
        at = Frame(theme if theme in THEMES else THEMES[0])
        with use_frame(at), use_tone(at.tone):
            around = Website.from_request(request)
            if around is not None and not can_frame(around, found):
                return _render_refused(request, found, around, frame_policy)
            response = _render_unavailable(request, address) or view(request, address, **parts)
        response.headers["Content-Security-Policy"] = frame_policy(found.frame_ancestors)
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return inside


def _render_refused(request: HttpRequest, item: Embeddable, around: Website, frame_policy: Policy) -> HttpResponse:
    """Render why the item is not shown on this website, without any of the owner's content."""
    if request.method == "GET":
        guest_page.count_visit(request, item.publication, REFUSED_EVENT)
    context = {
        "host": around.host_and_port,
        "insecure": around.scheme == "http",
        "product": PRODUCTS[item.kind].title,  # as in the dashboard, which is in English
    }
    with use_brand(None):
        response = render(request, "public/not_found.html", context)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = frame_policy("*")
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _render_unavailable(request: HttpRequest, address: Address) -> HttpResponse | None:
    """Return a short page if the item cannot be shown in a frame, or None.

    On another website, a pause is not an error, and the frame says so in one line. Browsers store no cookies for
    frames, so a password-protected item cannot be opened there.
    """
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
    response = render(request, "public/paused.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def widget(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the script `…/SLUG/widget.js`, which inserts the frame and adapts its height.

    It is the same for all items, because it reads its own URL.
    """
    if address.publication.password:
        script = "// This page asks for a password, so it is shown nowhere else.\n"
        return HttpResponse(script, content_type=_SCRIPT_TYPE, status=404, headers={"Cache-Control": "no-store"})
    response = HttpResponse(_read_loader(), content_type=_SCRIPT_TYPE)
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@cache
def _read_loader() -> bytes:
    return _LOADER_PATH.read_bytes()
