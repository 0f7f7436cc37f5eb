"""The tools of notice boards: list, create, get, edit and delete."""

from __future__ import annotations

from typing import Unpack

from workspace.accounts.models import Account
from workspace.lib.text import escape_markdown, format_count
from workspace.products.pinboard.api.arguments import NoticeBoardChanges, NoticeBoardFields, NoticeBoardId, Title
from workspace.products.pinboard.api.serializers import (
    NOTICE_BOARD_NOT_FOUND,
    NoticeBoardDetail,
    NoticeBoardSummary,
    get_notice_board,
    notice_board_detail,
    notice_board_summary,
    notice_boards_for,
)
from workspace.products.pinboard.api.text import format_detail, format_summary
from workspace.products.pinboard.models import KIND, NoticeBoard
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage.journal import has_changed
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Limit, Offset
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Notice boards")


@box.tool(
    "svc_pinboard_list",
    title="List notice boards",
    about="List notice boards, newest first, with public link, state and views.",
    short="List your notice boards.",
    synonyms="all notice boards, my notice boards",
    reads=True,
    columns="title state views public_url",
)
def list_notice_boards(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[NoticeBoardSummary]]:
    rows = notice_boards_for(account)[offset : offset + limit]
    items = [notice_board_summary(notice_board) for notice_board in rows]
    total = account.notice_boards.count()
    return listing_answer(items, total=total, offset=offset, noun="notice boards", line=format_summary)


@box.tool(
    "svc_pinboard_create",
    title="Create a notice board",
    about="Create a notice board, a public page with a title and a text. It is live immediately.",
    short="Create a notice board with a public page.",
    synonyms="new notice board, add a notice board",
)
def create(account: Account, title: Title, **fields: Unpack[NoticeBoardFields]) -> Answer[NoticeBoardDetail]:
    NoticeBoard.check_quota(account)
    notice_board = NoticeBoard.open(account, title=title, **fields)
    return _build_answer(account, notice_board.pk, f"Created “{escape_markdown(title)}”")


@box.tool(
    "svc_pinboard_get",
    title="Get a notice board",
    about="Get a notice board with all its fields, its public link and its QR code.",
    short="Get a notice board with its link and QR code.",
    synonyms="show notice board, notice board details",
    reads=True,
)
def get(account: Account, id: NoticeBoardId) -> Answer[NoticeBoardDetail]:
    return _build_answer(account, id)


@box.tool(
    "svc_pinboard_edit",
    title="Update a notice board",
    about="Update a notice board, or pause it with live=false. Pass only the fields to change.",
    short="Update, pause or resume a notice board.",
    synonyms="change notice board, rename, pause, unpublish",
    idempotent=True,
)
def edit(account: Account, id: NoticeBoardId, **fields: Unpack[NoticeBoardChanges]) -> Answer[NoticeBoardDetail]:
    notice_board = get_notice_board(account, id)
    notice_board.edit(**fields)
    action = "Changed" if has_changed() else "Nothing changed in"
    return _build_answer(account, id, f"{action} “{escape_markdown(notice_board.title)}”")


@box.tool(
    "svc_pinboard_delete",
    title="Delete notice boards",
    about="Delete notice boards. Their addresses are never reused. To restore within 30 days, use svc_undo.",
    short="Delete notice boards.",
    synonyms="remove notice board",
    destructive=True,
)
def delete_notice_boards(account: Account, ids: Ids) -> Answer[DeletedItems]:
    notice_boards = get_many_or_404(ids, NOTICE_BOARD_NOT_FOUND, notice_boards_for(account))
    NoticeBoard.remove_many(notice_boards)
    data: DeletedItems = {
        "deleted": [{"id": notice_board.pk, "title": notice_board.title} for notice_board in notice_boards]
    }
    lines = format_bullets(data["deleted"], lambda row: f"{escape_markdown(row['title'])} `{row['id']}`")
    return Answer(data, "\n".join([f"Deleted {format_count(len(notice_boards), 'notice board')}:", "", *lines]))


def _build_answer(account: Account, id: str, heading: str = "") -> Answer[NoticeBoardDetail]:
    notice_board = notice_board_detail(get_notice_board(account, id))
    return Answer(notice_board, format_detail(notice_board, heading))
