"""Today's menu as a live block on a link page."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.lib import clock
from workspace.products.menu.domain.menu_languages import visible_languages
from workspace.products.menu.models import Menu
from workspace.products.menu.public.displayed_menu import MenuView, build_view
from workspace.publishing.live_blocks import LiveBlock
from workspace.publishing.locale import use_page_language

MAX_LINES = 6
TITLE = _("Today’s menu")
PRICES = _("Prices")


def build_block(menu: Menu) -> LiveBlock | None:
    """Return the dishes that are served now or next, in the page's language. Return None for an empty menu."""
    with use_page_language(visible_languages(menu)):
        board = build_view(menu, clock.now())
    if not board.sections:
        return None
    return LiveBlock(
        heading=f"{gettext(TITLE if board.is_food else PRICES)}: {menu.restaurant_name}",
        lines=tuple(_build_lines(board)),
        url=menu.public_url,
        label=gettext("View the full menu") if board.is_food else gettext("View all prices"),
        fresh_until=board.fresh_until,
    )


def _build_lines(menu_view: MenuView) -> list[str]:
    if not menu_view.is_served:
        served = gettext("Served %(hours)s") if menu_view.is_food else gettext("Available %(hours)s")
        return [served % {"hours": menu_view.hours}]
    dishes = [dish for course in menu_view.now for dish in course.dishes if not dish.sold_out]
    if not dishes:
        return [f"{course.name}: {course.hours}" for course in menu_view.later[:MAX_LINES]]
    return [" · ".join(filter(None, [dish.name, dish.price_in_short])) for dish in dishes[:MAX_LINES]]
