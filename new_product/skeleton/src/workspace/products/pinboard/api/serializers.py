"""Serializers of notice boards, which all answers use."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.analytics.queries import total_column
from workspace.products.pinboard.models import NoticeBoard
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import (
    ItemSummary,
    ItemUrls,
    build_row,
    get_or_404,
    item_summary,
    item_urls,
    with_public_state,
)

NOTICE_BOARD_NOT_FOUND = "There is no such notice board: svc_pinboard_list shows yours with their IDs"


class NoticeBoardSummary(ItemSummary):
    """A notice board in a list."""

    title: str
    text: str
    views: int


class NoticeBoardDetail(NoticeBoardSummary, ItemUrls):
    """A notice board with all its URLs."""


def notice_boards_for(account: Account) -> QuerySet[NoticeBoard]:
    """Return the account's notice boards, newest first, with everything that an answer shows."""
    notice_boards = account.notice_boards.annotate(views=total_column(VIEW_EVENT))
    return with_public_state(notice_boards).select_related("publication", "account")


def get_notice_board(account: Account, id: str) -> NoticeBoard:
    """Return a notice board. Raise NotFoundError if it does not exist or belongs to another account."""
    return get_or_404(notice_boards_for(account), id, NOTICE_BOARD_NOT_FOUND)


def notice_board_summary(notice_board: NoticeBoard) -> NoticeBoardSummary:
    """Return the summary of a notice board from `notice_boards_for`."""
    return build_row(NoticeBoardSummary, notice_board, item_summary(notice_board))


def notice_board_detail(notice_board: NoticeBoard) -> NoticeBoardDetail:
    """Return all data of a notice board from `notice_boards_for`."""
    return build_row(NoticeBoardDetail, notice_board, {**item_summary(notice_board), **item_urls(notice_board)})


def list_summaries(account: Account, ids: Sequence[str]) -> list[NoticeBoardSummary]:
    """Return the summaries of the notice boards with these ids, in any order."""
    return [notice_board_summary(notice_board) for notice_board in notice_boards_for(account).filter(pk__in=ids)]
