"""The tools that these pages call."""

from __future__ import annotations

from django.http import HttpRequest

from workspace.dashboard.forms import tool_named
from workspace.dashboard.tool_pages import pages
from workspace.products.reviews import add_tools, page_tools  # noqa: F401 - they fill the box
from workspace.products.reviews.tools import tools

PAGES = tool_named(tools, "svc_reviews_pages")
PAGE_CREATE = tool_named(tools, "svc_reviews_page_create")
PAGE_GET = tool_named(tools, "svc_reviews_page_get")
PAGE_EDIT = tool_named(tools, "svc_reviews_page_edit")
PAGE_PAUSE = tool_named(tools, "svc_reviews_page_pause")
PAGE_RESUME = tool_named(tools, "svc_reviews_page_resume")
PAGE_DELETE = tool_named(tools, "svc_reviews_page_delete")
PAGE_STATS = tool_named(tools, "svc_reviews_page_stats")
WIDGET = tool_named(tools, "svc_reviews_widget")
SEARCH = tool_named(tools, "svc_reviews_search")
GET = tool_named(tools, "svc_reviews_get")
APPROVE = tool_named(tools, "svc_reviews_approve")
MODERATE = tool_named(tools, "svc_reviews_moderate")
EDIT = tool_named(tools, "svc_reviews_edit")
REPLY = tool_named(tools, "svc_reviews_reply")
DELETE = tool_named(tools, "svc_reviews_delete")
ADD = tool_named(tools, "svc_reviews_add")
IMPORT = tool_named(tools, "svc_reviews_import")
EXPORT = tool_named(tools, "svc_reviews_export")

HOME = "/app/reviews"


def _above(request: HttpRequest) -> str:
    """The testimonial for what was tried on one, `/app/reviews/PAGE` for the rest of a page."""
    parts = request.path.split("/")
    if len(parts) > 6 and parts[4] == "items":
        return "/".join(parts[:6])
    return "/".join(parts[:4]) if len(parts) > 4 else HOME


page = pages(home=HOME, ids=("page_id", "item_id"), above=_above)
