"""The manifest of link pages: all links of a business in one column of buttons."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.links.api import export_tools, stats_tools, tools
from workspace.products.links.hooks import demo, starter_content
from workspace.products.links.hooks.takeout import TAKEOUT_TABLES
from workspace.products.links.models import KIND, MAX_BUTTONS, Element, Page, on_live_block_change
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table, part_table
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """The limits of a plan. None means unlimited."""

    pages: int | None
    buttons_per_page: int
    click_statistics: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="links",
    title=owner_gettext_noop("Link pages"),
    noun="link page",
    short=owner_gettext_noop("Links"),
    summary="One page for all your links",
    public_prefix="/l/",
    icon="link",
    group=ProductGroup.VISIBILITY,
    trades=starter_content.TRADES,
    tab_places={"shop": 3, "other": 2},
    plans={
        "free": Plan(0, LinkLimits(pages=1, buttons_per_page=MAX_BUTTONS, click_statistics=False, history_days=400)),
        "pro": Plan(6, LinkLimits(pages=None, buttons_per_page=MAX_BUTTONS, click_statistics=True, history_days=400)),
    },
    takeout=TAKEOUT_TABLES,
    tools=tools_from_modules(tools, stats_tools, export_tools),
    models=[Page],
    privacy=[
        item_table(Page, "link page", dashboard_path="/app/links"),
        part_table(
            Element,
            "page",
            "page element",
            identity_columns=("url",),
            page=lambda element: f"/app/links/{element.page_id}",
        ),
    ],
    search_fields=("title", "bio", "social_profiles", "elements__title", "elements__url", "elements__text"),
    first_task=owner_gettext_lazy("Create a link page"),
    search_words="link in bio bio links landing page social short link",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a link page"), None, "new make link in bio landing page"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    on_live_block_change=on_live_block_change,
)
