"""Guest pages at `/m/SLUG`: the menu, and a print page with the allergen matrix."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.products.menu.domain.menu_languages import visible_languages
from workspace.products.menu.models import Menu
from workspace.products.menu.public.dietary_filter import DietaryFilter
from workspace.products.menu.public.displayed_menu import MenuView, build_view
from workspace.products.menu.public.structured_data import render_json_ld
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.products.menu.rules.theme import menu_style
from workspace.public_site.guest_page import PageRenderer, render_page
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.service_worker import render_worker
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.locale import Locale, current_locale, use_content_languages
from workspace.publishing.models import Address
from workspace.storage.files.images import image_url


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the menu.

    Without scripts, `?diet=`, `?avoid=` and `?q=` filter it. The page is then rendered for that guest and not cached.
    With scripts, these choices never leave the phone.
    """
    dietary_filter = DietaryFilter.from_query(request.GET)
    with _use_menu_languages(request, address) as voice:
        if dietary_filter:
            response = _render_uncached(request, address, lambda address: _render_page(address, dietary_filter))
        else:
            response = render_page(request, address, lambda address: _render_page(address, dietary_filter))
        return _add_content_language(response, voice)


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Menu.from_address(address))


def share_preview(menu: Menu) -> SharePreview:
    """Return the share preview of a menu, with a picture of the restaurant or the first photo of a dish."""
    brand = Brand.for_account(menu.account)
    photo = brand.image_id or menu.first_photo() or ""
    text = menu.intro or brand.slogan
    face = SharePreview.from_brand(
        menu.account, menu.restaurant_name, text, style=menu_style(brand, menu.theme), photo=photo
    )
    return replace(face, logo=menu.logo_id or face.logo)


def print_page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the menu for printing, and the matrix of the 14 allergens: `/m/SLUG/print`."""
    with _use_menu_languages(request, address) as voice:
        return _add_content_language(_render_uncached(request, address, _render_print), voice)


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which stores opened menus for offline use: `/m/sw.js`."""
    return render_worker(Path(__file__).parents[1] / "static" / "menu" / "sw.js")


def _use_menu_languages(request: HttpRequest, address: Address) -> AbstractContextManager[Locale]:
    """Use the language that the guest chose among the menu's languages."""
    return use_content_languages(request, visible_languages(Menu.from_address(address)))


def _add_content_language(response: HttpResponse, voice: Locale) -> HttpResponse:
    if voice.content:
        response.headers["Content-Language"] = voice.content
    return response


def _render_uncached(request: HttpRequest, address: Address, renderer: PageRenderer) -> HttpResponse:
    """Render a variant of the menu page.

    It is not cached, is revalidated like the menu, and is not counted as a view.
    """
    response = render_page(request, address, renderer, event=None, use_cache=False)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _render_page(address: Address, dietary_filter: DietaryFilter) -> RenderedPage:
    board = build_view(Menu.from_address(address), clock.now(), dietary_filter)
    left_out = gettext("{count} hidden.").format(count=board.excluded_count)
    lang = current_locale().choice
    filter_context = {"dietary_filter": dietary_filter, "left_out": left_out, "lang": lang}
    share = build_metadata(address, share_preview(board.menu))
    context = {**_build_context(address, board), **filter_context, "share": share, "json_ld": render_json_ld(board)}
    return RenderedPage(render_to_string("menu/guest.html", context), board.fresh_until)


def _render_print(address: Address) -> RenderedPage:
    board = build_view(Menu.from_address(address), clock.now())
    return RenderedPage(render_to_string("menu/sheet.html", _build_context(address, board)))


def _build_context(address: Address, menu_view: MenuView) -> dict[str, object]:
    brand = Brand.for_account(menu_view.menu.account)
    logo = menu_view.menu.logo_id or brand.logo_id
    return {
        "menu": menu_view.menu,
        "board": menu_view,
        "several": len(current_locale().contents) > 1,
        "slug": address.slug,
        "look": menu_style(brand, menu_view.menu.theme),
        "brand": brand,
        "logo": f"/pictures/{logo}/192" if logo else "",
        "cover": image_url(brand.image_id, 768) if brand.image_id else "",
        "allergens": ALLERGENS.values(),
    }
