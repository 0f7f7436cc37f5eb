"""The manifest of notice boards: everything that other packages need to know about the product."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.pinboard.api import tools
from workspace.products.pinboard.hooks import demo
from workspace.products.pinboard.hooks.takeout import TAKEOUT_TABLES
from workspace.products.pinboard.models import KIND, NoticeBoard
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class NoticeBoardLimits:
    """The limits of a plan. None means unlimited."""

    notice_boards: int | None
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="pinboard",
    title=gettext_noop("Notice boards"),
    noun="notice board",
    summary="A page with a title and a text",
    public_prefix="/pinboard/",
    icon="text",
    group=ProductGroup.VISIBILITY,
    plans={
        "free": Plan(0, NoticeBoardLimits(notice_boards=3, history_days=30)),
        "pro": Plan(6, NoticeBoardLimits(notice_boards=None, history_days=400)),
    },
    tools=tools_from_modules(tools),
    models=[NoticeBoard],
    privacy=[item_table(NoticeBoard, "notice board", dashboard_path="/app/pinboard")],
    takeout=TAKEOUT_TABLES,
    search_fields=("title", "text"),
    first_task=owner_gettext_lazy("Create a notice board"),
    search_words="page text",
    commands=[SearchCommand(owner_gettext_lazy("Create a notice board"), None, "new make")],
    demo=demo.fill_account,
)
