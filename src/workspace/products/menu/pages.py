"""What guests meet at `/m/SLUG`: the menu, its sheet to print with the table of allergens, and its code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt

from workspace.products.menu.board import Board, board_of
from workspace.products.menu.food import ALLERGENS
from workspace.products.menu.models import KIND, Menu
from workspace.products.menu.structured import script_of
from workspace.products.menu.wishes import Wishes
from workspace.publishing import own_code
from workspace.publishing.guest_page import Draw, answer, told
from workspace.publishing.models import Address, State
from workspace.publishing.page_cache import Drawn
from workspace.toolkit import clock


# guests get no cookie, so there is no token to compare: what a password page sends is judged where it is taken
@csrf_exempt
def menu(request: HttpRequest, slug: str) -> HttpResponse:
    """The menu. `?diet=` and `?avoid=` are a guest's wishes where no script runs: drawn for that guest and kept
    nowhere. With script they never leave the phone."""
    wishes = Wishes.of(request.GET)
    if wishes and request.method in ("GET", "HEAD"):
        return _once(request, slug, lambda address: _drawn(address, wishes))
    return answer(request, KIND, slug, lambda address: _drawn(address, Wishes()))


@csrf_exempt
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """`/m/SLUG/print`: the menu on paper, and which dish contains which of the 14 allergens."""
    return _once(request, slug, _sheet)


def picture(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """`/m/SLUG.svg` and `/m/SLUG.png?size=`: the code to print on tables."""
    address = Address.find(KIND, slug)
    if address is None or address.publication.state in (State.BANNED, State.DELETED):
        return told(request, KIND, "unknown" if address is None else address.publication.state.value, address)
    found = _menu(address)
    return own_code.picture(
        request,
        found.public_link.upper(),
        form,
        etag=f"{address.publication_id}-{address.publication.version}",
        file_name=f"menu-{found.publication.slug}",
        title=f"Menu of {found.restaurant_name}",
    )


def _once(request: HttpRequest, slug: str, draw: Draw) -> HttpResponse:
    """A page beside the menu's own: drawn for each request, revalidated like it, and not counted as a view."""
    response = answer(request, KIND, slug, draw, event=None, keep=False)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _drawn(address: Address, wishes: Wishes) -> Drawn:
    board = board_of(_menu(address), clock.now(), wishes)
    context = {
        **_common(address, board),
        "wishes": wishes,
        "allergens": ALLERGENS.values(),
        "json_ld": script_of(board),
    }
    return Drawn(render_to_string("menu/guest.html", context), board.fresh_until)


def _sheet(address: Address) -> Drawn:
    board = board_of(_menu(address), clock.now())
    context = {**_common(address, board), "allergens": ALLERGENS.values()}
    return Drawn(render_to_string("menu/sheet.html", context))


def _common(address: Address, board: Board) -> dict[str, object]:
    return {
        "menu": board.menu,
        "board": board,
        "slug": address.slug,
        "theme_css": f"menu/theme-{board.menu.theme}.css",
    }


def _menu(address: Address) -> Menu:
    found = Menu.objects.select_related("account", "publication").prefetch_related("publication__addresses")
    return found.get(publication=address.publication_id)
