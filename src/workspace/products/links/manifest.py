"""Link pages: everything that a business wants to be found by, in one column of buttons."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.links.api import export_tools, stats_tools, tools
from workspace.products.links.hooks import demo, starter
from workspace.products.links.hooks.takeout import CARRIED
from workspace.products.links.models import KIND, MOST_BUTTONS, Element, Page, live_changed
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.privacy import part, thing
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """None is unlimited."""

    pages: int | None
    buttons_per_page: int
    click_statistics: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="links",
    title="Link pages",
    noun="link page",
    short="Links",
    about="One page for all your links",
    path="/l/",
    icon="link",
    group=Group.FOUND,
    trades=starter.TRADES,
    plans={
        "free": Plan(0, LinkLimits(pages=1, buttons_per_page=MOST_BUTTONS, click_statistics=False, history_days=400)),
        "pro": Plan(6, LinkLimits(pages=None, buttons_per_page=MOST_BUTTONS, click_statistics=True, history_days=400)),
    },
    carried=CARRIED,
    tools=tools_in(tools, stats_tools, export_tools),
    things=[Page],
    personal=[
        thing(Page, "link page", home="/app/links"),
        part(
            Element,
            "page",
            "page element",
            theirs=("url",),
            page=lambda element: f"/app/links/{element.page_id}",
        ),
    ],
    searched=("title", "bio", "social_profiles", "elements__title", "elements__url", "elements__text"),
    first_step="Put your links on one page",
    demo=demo.fill,
    example=starter.example,
    shows_live=live_changed,
)
