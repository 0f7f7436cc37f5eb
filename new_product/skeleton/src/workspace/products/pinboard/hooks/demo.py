"""Demo data: a notice board with a month of views. They are the same each time."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.analytics.demo_traffic import generate_visits, save_visits
from workspace.products.pinboard.models import NoticeBoard
from workspace.publishing.models.visit import VIEW_EVENT

TITLE = "Example of a notice board"
TEXT = "This is the first paragraph.\n\nA blank line starts the next one."
DAILY_VIEWS = range(2, 9)
DAYS = 30


def fill_account(account: Account) -> None:
    """Fill an account that has no notice boards."""
    notice_board = NoticeBoard.open(account, title=TITLE, text=TEXT)
    save_visits(generate_visits(notice_board.publication_id, {VIEW_EVENT: DAILY_VIEWS}, days=DAYS, seed=1912))
