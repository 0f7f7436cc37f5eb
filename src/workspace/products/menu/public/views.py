"""What guests meet at `/m/SLUG`: the menu, and its sheet to print with the table of allergens."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.products.menu.domain.menu_languages import shown_in
from workspace.products.menu.models import Menu
from workspace.products.menu.public.dietary_filter import Wishes
from workspace.products.menu.public.menu_view import Board, board_of
from workspace.products.menu.public.structured_data import script_of
from workspace.products.menu.rules.food import ALLERGENS
from workspace.products.menu.rules.theme import look_of
from workspace.public_site.guest_page import Draw, show
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.publishing.locale import Voice, voice, written_in
from workspace.publishing.models import Address
from workspace.storage.files.images import picture_url


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """The menu. `?diet=`, `?avoid=` and `?q=` are a guest's wishes where no script runs: drawn for that guest and kept
    nowhere. With script they never leave the phone."""
    wishes = Wishes.of(request.GET)
    with _written_in(request, address) as voice:
        if wishes:
            response = _once(request, address, lambda address: _drawn(address, wishes))
        else:
            response = show(request, address, lambda address: _drawn(address, wishes))
        return _marked(response, voice)


def face_at(address: Address) -> Face:
    return face_of(Menu.at(address))


def face_of(menu: Menu) -> Face:
    """What is seen of it where its address is sent: the place, or its first dish that has a photo."""
    brand = Brand.of(menu.account)
    photo = brand.picture_id or menu.first_photo() or ""
    text = menu.intro or brand.line
    face = Face.of(menu.account, menu.restaurant_name, text, look=look_of(brand, menu.theme), photo=photo)
    return replace(face, logo=menu.logo_id or face.logo)


def sheet(request: HttpRequest, address: Address) -> HttpResponse:
    """`/m/SLUG/print`: the menu on paper, and which dish contains which of the 14 allergens."""
    with _written_in(request, address) as voice:
        return _marked(_once(request, address, _sheet), voice)


def _written_in(request: HttpRequest, address: Address) -> AbstractContextManager[Voice]:
    """The guest's choice of the menu's languages."""
    return written_in(request, shown_in(Menu.at(address)))


def _marked(response: HttpResponse, voice: Voice) -> HttpResponse:
    if voice.content:
        response.headers["Content-Language"] = voice.content
    return response


def _once(request: HttpRequest, address: Address, draw: Draw) -> HttpResponse:
    """A page beside the menu's own: drawn for each request, revalidated like it, and not counted as a view."""
    response = show(request, address, draw, event=None, keep=False)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _drawn(address: Address, wishes: Wishes) -> Drawn:
    board = board_of(Menu.at(address), clock.now(), wishes)
    left_out = gettext("{count} left out.").format(count=board.left_out)
    lang = voice().choice
    asked = {"wishes": wishes, "left_out": left_out, "lang": lang}
    share = sharing(address, face_of(board.menu))
    context = {**_common(address, board), **asked, "share": share, "json_ld": script_of(board)}
    return Drawn(render_to_string("menu/guest.html", context), board.fresh_until)


def _sheet(address: Address) -> Drawn:
    board = board_of(Menu.at(address), clock.now())
    return Drawn(render_to_string("menu/sheet.html", _common(address, board)))


def _common(address: Address, board: Board) -> dict[str, object]:
    brand = Brand.of(board.menu.account)
    logo = board.menu.logo_id or brand.logo_id
    return {
        "menu": board.menu,
        "board": board,
        "several": len(voice().contents) > 1,
        "slug": address.slug,
        "look": look_of(brand, board.menu.theme),
        "brand": brand,
        "logo": f"/pictures/{logo}/192" if logo else "",
        "cover": picture_url(brand.picture_id, 768) if brand.picture_id else "",
        "allergens": ALLERGENS.values(),
    }
