"""Today's menu as a block on a link page."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.lib import clock
from workspace.products.menu.domain.menu_languages import shown_in
from workspace.products.menu.models import Menu
from workspace.products.menu.public.menu_view import Board, board_of
from workspace.publishing.live_blocks import LiveBlock
from workspace.publishing.locale import shown_among

MOST = 6
TITLE = _("Today's menu")
PRICES = _("Prices")


def block(menu: Menu) -> LiveBlock | None:
    """What it serves now, or when it is served next, in the page's language; None where there is nothing on it."""
    with shown_among(shown_in(menu)):
        board = board_of(menu, clock.now())
    if not board.courses:
        return None
    return LiveBlock(
        heading=f"{gettext(TITLE if board.food else PRICES)}: {menu.restaurant_name}",
        lines=tuple(_lines(board)),
        url=menu.public_url,
        label=gettext("See the whole menu") if board.food else gettext("See all prices"),
        fresh_until=board.fresh_until,
    )


def _lines(board: Board) -> list[str]:
    if not board.served:
        served = gettext("Served %(hours)s") if board.food else gettext("Available %(hours)s")
        return [served % {"hours": board.hours}]
    dishes = [dish for course in board.now for dish in course.dishes if not dish.sold_out]
    if not dishes:
        return [f"{course.name}: {course.hours}" for course in board.later[:MOST]]
    return [" · ".join(filter(None, [dish.name, dish.price_in_short])) for dish in dishes[:MOST]]
