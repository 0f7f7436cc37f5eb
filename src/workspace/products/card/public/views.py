"""What a guest meets at `/c/SLUG`: the card, its contact file and its QR code."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.models import Brand
from workspace.lib.etags import is_known
from workspace.lib.person_name import initials
from workspace.products.card.api.arguments import tel_address
from workspace.products.card.domain.contact_file import contact_file, file_name
from workspace.products.card.models import SAVE, Card
from workspace.products.card.rules.theme import look_of
from workspace.public_site import guest_page
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.publishing.models import Address
from workspace.storage.files.images import picture_url

WHOLE = "bytes=0-"  # as a Range, which some programs always send


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """`/c/SLUG`: the card."""
    return guest_page.show(request, address, _draw)


def _draw(address: Address) -> Drawn:
    card = Card.at(address)
    share = sharing(address, face_of(card), text=" – ".join(filter(None, [card.title, card.bio])), kind="profile")
    return Drawn(render_to_string("card/page.html", {**context_of(address, card), "share": share}))


def face_at(address: Address) -> Face:
    return face_of(Card.at(address))


def face_of(card: Card) -> Face:
    """What is seen of it where its address is sent: the person."""
    look = look_of(Brand.of(card.account), card.theme, card.colour)
    face = Face.of(card.account, card.full_name, card.title, look=look, photo=card.photo_id or "")
    return replace(face, foot=card.company or face.foot, logo=card.logo_id or face.logo)


def context_of(address: Address, card: Card) -> dict[str, object]:
    """What every page of a card shows: its look and its ways to get in touch."""
    place, brand = " ".join(card.address.split()), Brand.of(card.account)
    logo = card.logo_id or brand.logo_id
    phone, mail = gettext("Phone"), gettext("E-mail")
    return {
        "card": card,
        "slug": address.slug,
        "look": look_of(brand, card.theme, card.colour),
        "photo": picture_url(card.photo_id, 384) if card.photo_id else "",
        "logo": picture_url(logo, 384) if logo else "",
        "initials": initials(card.full_name, card.name),
        "first_name": card.name.given.split(" ")[0] or card.full_name,
        "phones": [(label or phone, number, tel_address(number)) for number, label in card.phones],
        "emails": [(label or mail, email, f"mailto:{quote(email, safe='@')}") for email, label in card.emails],
        "directions": f"https://www.google.com/maps/dir/?api=1&destination={quote(place)}" if place else "",
        "website": card.website.partition("://")[2].removeprefix("www.").rstrip("/"),
    }


@require_safe
def contact(request: HttpRequest, address: Address) -> HttpResponse:
    """`/c/SLUG.vcf`: the contact. A GET counts as a contact save, a bot's apart; what asks for a part of the file
    goes on with a save, or looks before one."""
    card = Card.at(address)
    if request.method == "GET" and request.headers.get("Range", WHOLE) == WHOLE:
        guest_page.count(request, address.publication, SAVE)
    etag = f'"{address.publication_id}-{address.publication.version}-vcf"'
    if is_known(etag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        # any other type becomes contact.vcf.txt on some phones; inline opens the contact sheet rather than a download
        response = HttpResponse(contact_file(card), content_type="text/vcard; charset=utf-8")
        response.headers["Content-Disposition"] = f'inline; filename="{file_name(card)}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-store" if address.publication.password else "no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """`/c/sw.js`: keeps opened cards for a place without signal. It stands where the cards do, since a worker reaches
    no further than its own folder."""
    response = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def _worker() -> bytes:
    return (Path(__file__).parents[1] / "static" / "card" / "sw.js").read_bytes()
