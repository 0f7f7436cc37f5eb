"""The guest pages at `/c/SLUG`: the card and its contact file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.models import Brand
from workspace.lib.etags import is_not_modified
from workspace.lib.person_name import initials
from workspace.products.card.api.arguments import tel_url
from workspace.products.card.domain.contact_file import file_name, render_contact_file
from workspace.products.card.models import SAVE_EVENT, Card
from workspace.products.card.rules.theme import card_style
from workspace.public_site import guest_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.service_worker import render_worker
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.models import Address
from workspace.storage.files.images import image_url

FULL_RANGE = "bytes=0-"  # a Range header that some programs always send


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the card: `/c/SLUG`."""
    return guest_page.render_page(request, address, _render_page)


def _render_page(address: Address) -> RenderedPage:
    card = Card.from_address(address)
    share = build_metadata(
        address, share_preview(card), text=" – ".join(filter(None, [card.title, card.bio])), kind="profile"
    )
    return RenderedPage(render_to_string("card/page.html", {**build_context(address, card), "share": share}))


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Card.from_address(address))


def share_preview(card: Card) -> SharePreview:
    """Return the share preview of a card, which shows the person."""
    look = card_style(Brand.for_account(card.account), card.theme, card.color)
    face = SharePreview.from_brand(card.account, card.full_name, card.title, style=look, photo=card.photo_id or "")
    return replace(face, foot=card.company or face.foot, logo=card.logo_id or face.logo)


def build_context(address: Address, card: Card) -> dict[str, object]:
    """Build the context that all pages of a card share: the design and the contact details."""
    place, brand = " ".join(card.address.split()), Brand.for_account(card.account)
    logo = card.logo_id or brand.logo_id
    phone, mail = gettext("Phone"), gettext("Email")
    return {
        "card": card,
        "slug": address.slug,
        "look": card_style(brand, card.theme, card.color),
        "photo": image_url(card.photo_id, 384) if card.photo_id else "",
        "logo": image_url(logo, 384) if logo else "",
        "initials": initials(card.full_name, card.name),
        "first_name": card.name.given.split(" ")[0] or card.full_name,
        "phones": [(label or phone, number, tel_url(number)) for number, label in card.phones],
        "emails": [(label or mail, email, f"mailto:{quote(email, safe='@')}") for email, label in card.emails],
        "directions": f"https://www.google.com/maps/dir/?api=1&destination={quote(place)}" if place else "",
        "website": card.website.partition("://")[2].removeprefix("www.").rstrip("/"),
    }


@require_safe
def download_contact(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the contact file: `/c/SLUG.vcf`.

    A GET counts as a saved contact; bots are counted separately. A range request does not count, because it is only
    part of a download.
    """
    card = Card.from_address(address)
    if request.method == "GET" and request.headers.get("Range", FULL_RANGE) == FULL_RANGE:
        guest_page.count_visit(request, address.publication, SAVE_EVENT)
    etag = f'"{address.publication_id}-{address.publication.version}-vcf"'
    if is_not_modified(etag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        # any other type becomes contact.vcf.txt on some phones; inline opens the contact sheet rather than a download
        response = HttpResponse(render_contact_file(card), content_type="text/vcard; charset=utf-8")
        response.headers["Content-Disposition"] = f'inline; filename="{file_name(card)}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-store" if address.publication.password else "no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which stores opened cards for offline use: `/c/sw.js`.

    Its URL is below `/c/`, because a service worker controls only pages in its own folder.
    """
    return render_worker(Path(__file__).parents[1] / "static" / "card" / "sw.js")
