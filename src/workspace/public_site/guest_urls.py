"""The public addresses of a product, in either case of their prefix: a symbol holds its address in upper case.

urlpatterns = [
    path("app/card", include("workspace.products.card.dashboard.urls")),
    *guest_addresses(Card, page=pages.page, code="card", parts={r"\\.vcf": pages.contact, "/mail": mailing.mail_me}),
]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, re_path
from django.views.decorators.csrf import csrf_exempt

from workspace.accounts import plans
from workspace.brand.active_style import use_brand
from workspace.lib.content_security_policy import build_policy
from workspace.public_site import embeds, guest_page, qr_image_views, share_preview
from workspace.public_site.active_frame import EMBED_PATH
from workspace.public_site.post_redirect import redirect_posts
from workspace.publishing.locale import add_language_headers, use_guest_locale
from workspace.publishing.models import Address, Embeddable, ItemGoneError, PublishedItem, State

View = Callable[..., HttpResponse]
SLUG_GROUP = r"(?P<slug>[^/+.\x00]{1,50})"


def guest_urlpatterns(
    thing: type[PublishedItem],
    *,
    page: View | None,
    code: str | None = None,
    look: qr_image_views.StyleSource | None = None,
    face: share_preview.PreviewSource | None = None,
    parts: Mapping[str, View] | None = None,
    paused: Callable[[HttpRequest, Address], HttpResponse | None] | None = None,
    standing: Mapping[str, View] | None = None,
    framed: Mapping[str, View] | None = None,
    frame_policy: embeds.Policy = build_policy,
) -> list[URLPattern]:
    """`page(request, address)` answers at PREFIX/SLUG, and each of `parts` behind it, by what follows the slug as a
    regular expression, whose groups its view takes too. All are called with an address that is open to this guest, and
    answer in the guest's language; who is not let in was told why, and so is who comes in the moment in which it is
    deleted. `standing` are parts that answer also while it is paused, expired or asks for a password, as a frame on
    somebody's website does: their views see to that, and "" among them stands for a page of None. `framed` are those
    that stand in such a frame, of an `Embeddable`, by what follows PREFIX/SLUG/embed, with `frame_policy`; the script
    that makes the frame comes with them, at /widget.js. `paused` may answer for the page while it is paused, in place
    of the text that all have; None from it leaves that text. `code` is how the files of its QR code are called, at .svg
    and .png, which has the `look` of `own_code`; None for no code. `face` tells what messengers show of it. The names
    are KIND-page, KIND-code, KIND-share and KIND-VIEW."""
    kind, begin = thing.kind, rf"^{match_either_case(plans.PRODUCTS[thing.kind].path)}{SLUG_GROUP}"
    found = [] if page is None else [re_path(rf"{begin}$", guest_view(kind, page, paused), name=f"{kind}-page")]
    if code is not None:
        found.append(
            re_path(rf"{begin}\.(?P<form>svg|png)$", qr_image_views.image_view(kind, code, look), name=f"{kind}-code")
        )
    if face is not None:
        share = guest_view(kind, share_preview.image_view(face))
        found.append(re_path(f"{begin}{share_preview.ROUTE_PATTERN}$", share, name=f"{kind}-share"))
    for route, view in (parts or {}).items():
        found.append(re_path(rf"{begin}{route}$", guest_view(kind, view), name=f"{kind}-{view.__name__}"))
    for route, view in (standing or {}).items():
        found.append(
            re_path(rf"{begin}{route}$", _address_view(kind, view, _refuse_deleted), name=f"{kind}-{view.__name__}")
        )
    if framed is not None and issubclass(thing, Embeddable):
        for route, view in framed.items():
            inside = embeds.embed_view(thing, view, frame_policy)
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
    """A path such as `/c/` as the beginning of a route: `[cC]/`."""
    return "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in path.lstrip("/"))


def guest_view(
    kind: str, view: View, paused: Callable[[HttpRequest, Address], HttpResponse | None] | None = None
) -> View:
    """A guest's view of an address that is open to them, from one of a slug."""

    def refuse(request: HttpRequest, kind: str, address: Address) -> HttpResponse | None:
        refusal = guest_page.check_access(request, kind, address)
        if refusal is None or paused is None or address.publication.state is not State.PAUSED:
            return refusal
        return paused(request, address) or refusal

    return _address_view(kind, view, refuse)


def _refuse_deleted(request: HttpRequest, kind: str, address: Address) -> HttpResponse | None:
    gone = address.publication.state in (State.BANNED, State.DELETED)
    return guest_page.check_access(request, kind, address) if gone else None


def _address_view(kind: str, view: View, refuse: Callable[..., HttpResponse | None]) -> View:
    # guests get no cookie, so there is no token to compare: what they post is judged by where it came from
    @csrf_exempt
    @redirect_posts
    @wraps(view)
    def found(request: HttpRequest, /, slug: str, **parts: str) -> HttpResponse:
        address = Address.find_by_slug(kind, slug)
        with use_guest_locale(request):
            return add_language_headers(answered(request, address, slug, **parts))

    def answered(request: HttpRequest, address: Address | None, slug: str, **parts: str) -> HttpResponse:
        if address is None:
            return guest_page.unknown_response(request, kind, slug)
        refusal = refuse(request, kind, address)
        if refusal is not None:
            return refusal
        try:
            with use_brand(address.publication.account):
                return view(request, address, **parts)
        except ItemGoneError:
            return guest_page.gone_response(request, kind, slug)

    return found
