"""Today's menu as a block on a link page."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.menu.board import Board, board_of
from workspace.publishing.live_blocks import LiveBlock
from workspace.toolkit import clock
from workspace.toolkit.hours import earliest

MOST = 6
TITLE = "Today's menu"


def block(account: Account) -> LiveBlock | None:
    """What the oldest live menu serves now; where it serves nothing now, the next one that does."""
    now = clock.now()
    found = account.menus.select_related("publication", "account").prefetch_related("publication__addresses")
    boards = [board_of(menu, now) for menu in found.order_by("id") if menu.live and not menu.publication.password]
    boards = [board for board in boards if board.courses]
    if not boards:
        return None
    board = next((board for board in boards if board.served and board.now), boards[0])
    return LiveBlock(
        heading=TITLE if len(boards) == 1 else f"{TITLE}: {board.menu.restaurant_name}",
        lines=tuple(_lines(board)),
        url=board.menu.public_link,
        label="See the whole menu",
        fresh_until=earliest(one.fresh_until for one in boards),
    )


def _lines(board: Board) -> list[str]:
    if not board.served:
        return [f"Served {board.hours}"]
    dishes = [dish for course in board.now for dish in course.dishes if not dish.sold_out]
    if not dishes:
        return [f"{course.section.name}: {course.hours}" for course in board.later[:MOST]]
    return [" · ".join(filter(None, [dish.item.name, dish.price])) for dish in dishes[:MOST]]
