"""Notice boards in exports and imports of an account."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.pinboard.api.arguments import NoticeBoardFields
from workspace.products.pinboard.models import NoticeBoard

TAKEOUT_TABLES = (
    TakeoutTable(model=NoticeBoard, column_types=column_types.from_columns(NoticeBoard, NoticeBoardFields)),
)
