r"""Public URLs of a product, with the prefix in upper or lower case, because QR codes use upper case.

urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    *guest_urlpatterns(Card, page=views.page, code="card", parts={r"\\.vcf": views.contact, "/mail": views.mail}),
]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, re_path
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts import plans
from workspace.brand.active_brand import use_brand
from workspace.lib.content_security_policy import build_policy
from workspace.public_site import embeds, guest_page, qr_image_views, share_preview
from workspace.public_site.current_embed import EMBED_PATH
from workspace.public_site.post_redirect import redirect_posts
from workspace.publishing.locale import add_language_headers, use_guest_locale
from workspace.publishing.models import Address, Embeddable, ItemGoneError, PublishedItem, State
from workspace.rate_limits.joined_attempts import join_attempts

View = Callable[..., HttpResponse]
SLUG_GROUP = r"(?P<slug>[^/+.\x00]{1,50})"


def guest_urlpatterns(
    model: type[PublishedItem],
    *,
    page: View | None,
    qr_file_name: str | None = None,
    qr_style: qr_image_views.StyleSource | None = None,
    preview: share_preview.PreviewSource | None = None,
    parts: Mapping[str, View] | None = None,
    paused: Callable[[HttpRequest, Address], HttpResponse | None] | None = None,
    always_available: Mapping[str, View] | None = None,
    embed_views: Mapping[str, View] | None = None,
    frame_policy: embeds.Policy = build_policy,
) -> list[URLPattern]:
    """Return the URL patterns of a product's public pages.

    Views receive the request, an address that is open to the guest, and the groups of their pattern. They run in the
    guest's locale. Guests without access see an explanation, even if the item is deleted during the request.

    - `page`: the view of PREFIX/SLUG. - `qr_file_name`: the file name of the QR code at .svg and .png, or None for no
    code. `qr_style` returns its style if the items define their own. - `preview`: a function that returns the share
    preview. - `parts`: additional views, keyed by the regular expression that follows the slug. - `paused`: a function
    that may return a response for a paused page, in place of the default text. - `always_available`: views that also
    respond if the item is paused, expired or protected. They check this themselves. "" means the page itself if `page`
    is None. - `embed_views`: views of an `Embeddable` in frames on other websites, by the text after PREFIX/SLUG/embed,
    with the policy `frame_policy`. The script /widget.js is added.

    The URL names are KIND-page, KIND-code, KIND-share and KIND-VIEW.
    """
    kind, begin = model.kind, rf"^{match_either_case(plans.PRODUCTS[model.kind].path)}{SLUG_GROUP}"
    found = [] if page is None else [re_path(rf"{begin}$", guest_view(kind, page, paused), name=f"{kind}-page")]
    if qr_file_name is not None:
        found.append(
            re_path(
                rf"{begin}\.(?P<form>svg|png)$",
                qr_image_views.image_view(kind, qr_file_name, qr_style),
                name=f"{kind}-code",
            )
        )
    if preview is not None:
        share = guest_view(kind, share_preview.image_view(preview))
        found.append(re_path(f"{begin}{share_preview.ROUTE_PATTERN}$", share, name=f"{kind}-share"))
    for route, view in (parts or {}).items():
        found.append(re_path(rf"{begin}{route}$", guest_view(kind, view), name=f"{kind}-{view.__name__}"))
    for route, view in (always_available or {}).items():
        found.append(
            re_path(rf"{begin}{route}$", _address_view(kind, view, _refuse_deleted), name=f"{kind}-{view.__name__}")
        )
    if embed_views is not None and issubclass(model, Embeddable):
        for route, view in embed_views.items():
            inside = embeds.embed_view(model, view, frame_policy)
            found.append(
                re_path(
                    f"{begin}{EMBED_PATH}{route}$",
                    _address_view(kind, inside, _refuse_deleted),
                    name=f"{kind}-embed{route}",
                )
            )
        found.append(
            re_path(rf"{begin}/widget\.js$", _address_view(kind, embeds.widget, _refuse_deleted), name=f"{kind}-widget")
        )
    return found


def match_either_case(path: str) -> str:
    """Return the start of a route that matches a path such as `/c/` regardless of case: `[cC]/`."""
    return "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in path.lstrip("/"))


def guest_view(
    kind: str, view: View, paused: Callable[[HttpRequest, Address], HttpResponse | None] | None = None
) -> View:
    """Convert a guest view that takes an open address to a view that takes a slug."""

    def refuse(request: HttpRequest, kind: str, address: Address) -> HttpResponse | None:
        refusal = guest_page.check_access(request, kind, address)
        if refusal is None or paused is None or address.publication.state is not State.PAUSED:
            return refusal
        return paused(request, address) or refusal

    return _address_view(kind, view, refuse)


def _refuse_deleted(request: HttpRequest, kind: str, address: Address) -> HttpResponse | None:
    gone = address.publication.state in (State.BANNED, State.DELETED)
    return guest_page.check_access(request, kind, address) if gone else None


def _address_view(kind: str, view: View, find_refusal: Callable[..., HttpResponse | None]) -> View:
    # Guests have no cookies, so there is no CSRF token: posts are checked by where they were sent from.
    @csrf_exempt
    @redirect_posts
    @wraps(view)
    def view_slug(request: HttpRequest, /, slug: str, **parts: str) -> HttpResponse:
        address = Address.find_by_slug(kind, slug)
        with use_guest_locale(request), join_attempts() if request.method == "POST" else nullcontext():
            return add_language_headers(respond(request, address, slug, **parts))

    def respond(request: HttpRequest, address: Address | None, slug: str, **parts: str) -> HttpResponse:
        if address is None:
            return guest_page.unknown_response(request, kind, slug)
        refusal = find_refusal(request, kind, address)
        if refusal is not None:
            return refusal
        try:
            with use_brand(address.publication.account):
                return view(request, address, **parts)
        except ItemGoneError:
            return guest_page.gone_response(request, kind, slug)

    return view_slug
