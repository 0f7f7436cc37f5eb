"""The manifest of QR codes: print a code once, change its destination at any time."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.qr.api import bulk_tools, print_tools, stats_tools, style_tools, tools
from workspace.products.qr.domain.code_style import find_model_style
from workspace.products.qr.hooks import demo, starter_content, todo
from workspace.products.qr.hooks.takeout import TAKEOUT_TABLES
from workspace.products.qr.models import KIND, SCAN_EVENT, Code, DestinationChange
from workspace.publishing.fast_routes import RedirectResolver
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table, part_table
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class QrLimits:
    """The limits of a plan. None means unlimited."""

    codes: int | None
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="qr",
    title=owner_gettext_noop("QR codes"),
    noun="QR code",
    summary="QR codes that you can change after printing",
    public_prefix="/q/",
    icon="qr",
    group=ProductGroup.VISIBILITY,
    trades=tuple(starter_content.CODE_NAMES),
    tab_places={"cafe": 3, "restaurant": 3, "shop": 1, "other": 3},
    plans={
        "free": Plan(0, QrLimits(codes=10, history_days=30)),
        "pro": Plan(9, QrLimits(codes=None, history_days=400)),
    },
    tools=tools_from_modules(tools, bulk_tools, stats_tools, print_tools, style_tools),
    models=[Code],
    visit_event=SCAN_EVENT,
    takeout=TAKEOUT_TABLES,
    privacy=[
        item_table(Code, "QR code", dashboard_path="/app/qr"),
        part_table(DestinationChange, "code", "earlier target", page=lambda row: f"/app/qr/{row.code_id}"),
    ],
    search_fields=("name", "target_url", "content", "folder"),
    first_task=owner_gettext_lazy("Create a QR code"),
    search_words="dynamic code barcode scan wifi wi-fi redirect short link url shortener custom link",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a QR code"), None, "new make generate wifi link"),
        SearchCommand(owner_gettext_lazy("Change the destination of a QR code"), "", "redirect target link edit"),
        SearchCommand(owner_gettext_lazy("Print a QR code"), "share", "poster table tent download png svg pdf"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    todo=todo.list_todo_items,
    qr_style=find_model_style,
    fast_redirect=RedirectResolver(Code, "target_url", SCAN_EVENT),
)
